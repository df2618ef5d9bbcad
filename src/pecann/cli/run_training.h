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
  bool more_time = false;           // trials whose stop.seconds were over have as many again
  bool strict = false;              // exit code 3 for an answer that is doubtful or bad
  std::string parallel = "points";  // what ranks share: the points of every term, or the trials
};

/// True on the rank that writes files and talks to the user.
bool first_rank();

/// Trains all trials in the folder, which is locked, and writes and prints what came out. Returns the exit code, which
/// is 1 where a trial did not reach its target, was stopped, or its results could not be written; with `strict` 3
/// where the verdict is doubtful or bad, or could not be made.
int train_and_report(const problem::Problem& problem, const train::RunFolder& folder, const RunOptions& options,
                     const std::optional<std::vector<double>>& start, bool resume);

}  // namespace pecann::cli
