// The parameters that trainings of a run begin with, where some were given: DIR/start.npy.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "pecann/base/npy.h"
#include "pecann/problem/problem.h"
#include "pecann/train/run_folder.h"

namespace pecann::train {

std::size_t parameter_count(const problem::Problem& problem);

/// The numbers of a file that was read from `path`. Throws InputError where they are not as many as the problem has
/// parameters, or not finite; `key` is what the user calls them.
std::vector<double> start_parameters(const NpyArray& array, const std::string& path, const std::string& key,
                                     const problem::Problem& problem);

/// Those that the folder of a run keeps; nothing where it has none.
std::optional<std::vector<double>> read_start(const RunFolder& folder, const problem::Problem& problem);
void write_start(const RunFolder& folder, std::span<const double> parameters);

}  // namespace pecann::train
