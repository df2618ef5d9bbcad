// The training of a run and what a person reads of it: header, progress, results, advice. `run` and `resume` share it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "pecann/problem/problem.h"
#include "pecann/train/run_folder.h"

namespace pecann::cli {

struct RunOptions {
  std::string problem, recipe, folder, init;
  std::vector<std::string> overrides;
  int trials = 0, threads = 0, jobs = 1;
  std::optional<std::uint64_t> seed;
  double checkpoint_seconds = 30, seconds = 0;
  bool quiet = false, live = false;
  std::string parallel = "points";  // what ranks share: the points of every term, or the trials
};

/// The rank that writes files and talks.
bool first_rank();

/// Trains all trials in the folder, which is locked, and writes and prints what came out. The exit code: 1 where a
/// trial did not reach its target, was stopped, or its results could not be written.
int train_and_report(const problem::Problem& problem, const train::RunFolder& folder, const RunOptions& options,
                     const std::optional<std::vector<double>>& start, bool resume);

}  // namespace pecann::cli
