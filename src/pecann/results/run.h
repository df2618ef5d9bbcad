// A run on the disk: what `pecann run` left in its folder.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "pecann/problem/problem.h"
#include "pecann/results/summary_json.h"
#include "pecann/train/run_folder.h"

namespace pecann::results {

struct Run {
  train::RunFolder folder;
  std::string problem_text;  // problem.toml as it is
  problem::Problem problem;
  std::vector<int> trials;            // those that have begun (trial-N with a checkpoint), ascending
  std::optional<RunSummary> summary;  // nothing while a run is going or when it was killed
};

/// Reads the run in a folder. Throws InputError when the folder holds none.
Run open_run(const std::string& path);

/// The finished trial with the smallest error (the largest one of its fields counts) or, without errors, the smallest
/// loss; one that failed or whose number is not finite only where there is no other; without a summary the first trial.
int best_trial(const Run& run);

/// The trial itself, or the best one for 0. Throws InputError naming the trials there are when `trial` is none of them,
/// or saying why it was not trained.
int chosen_trial(const Run& run, int trial);

}  // namespace pecann::results
