// The trials of a run in its folder: one after the other, several side by side, or divided among the ranks.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "pecann/train/run_folder.h"
#include "pecann/train/trial.h"

namespace pecann::train {

struct TrialsOptions {
  std::vector<int> trials;           // which of the problem's, ascending; empty: all of them
  bool resume = false;               // those that have a checkpoint go on from it
  int jobs = 1;                      // trials side by side; they share the caller's threads
  bool divided_among_ranks = false;  // every rank trains whole trials by itself; else all train each one together
  double checkpoint_seconds = 30;
  double view_seconds = 0;                   // TrialOptions
  std::optional<std::vector<double>> start;  // parameters to begin with
  /// Makes what watches a trial, which lives as long as the trial runs; may be missing, or give nothing. Called by
  /// the threads of all jobs.
  std::function<std::unique_ptr<EpochObserver>(int trial)> observer;
  std::function<void(const std::string&)> warn;  // sentences for the user
  Extensions extensions;                         // parts of the embedding program
};

/// Trains, and returns what came out of the trials that were begun (by this rank), in their order. When a signal asks
/// to stop (catch_stop_signals), those that run end in order and no other is begun, but for the first. Where one fails,
/// those beside it are trained to their ends and the failure is thrown then.
std::vector<TrialSummary> run_trials(const problem::Problem& problem, const RunFolder& folder,
                                     const TrialsOptions& options);

}  // namespace pecann::train
