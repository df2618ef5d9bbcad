// A run that is asked for an accuracy: attempts until the estimate is below it, one line for every decision.
#pragma once

#include "pecann/cli/run_training.h"

namespace pecann::cli {

/// Searches in the folder, which is locked and keeps the problem as it was asked, and reports the best attempt as the
/// answer of the run. Returns 0 where the accuracy is reached, else 1, or as train_and_report with `strict`.
int solve_to_accuracy(const problem::Problem& problem, const train::RunFolder& folder, const RunOptions& options,
                      bool resume);

}  // namespace pecann::cli
