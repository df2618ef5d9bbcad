// The files that a run was given besides its problem: data, points, tables, meshes, references. The folder of the run
// keeps a copy of each under inputs/, and the problem there names the copies. So a run goes on, is reported, predicted
// and exported with what it was trained on, wherever its folder is moved and whatever becomes of the originals; and
// paths that no TOML can hold stand in none.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "pecann/problem/problem_files.h"
#include "pecann/train/run_folder.h"

namespace pecann::train {

struct RunInput {
  std::string name;                     // relative to the folder of the run: inputs/obs.csv
  std::string from;                     // where it was copied from; empty where that is not known here
  std::uint64_t bytes = 0, digest = 0;  // base/checksum.h
};

/// What the problem in the folder calls each of its files, kept or to be kept. Pipes and devices are called as they
/// are: they cannot be read again.
problem::FileNames input_names(const RunFolder& folder, const problem::Problem& problem);

/// Copies what the folder does not have yet, and returns all files of the problem. Throws InputError where one cannot
/// be read or written.
std::vector<RunInput> keep_inputs(const RunFolder& folder, const problem::Problem& problem);

}  // namespace pecann::train
