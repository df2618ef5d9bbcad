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
  std::vector<int> trials;           // numbers of the trials, ascending; empty: all of the problem
  bool resume = false;               // trials that have a checkpoint go on from it
  bool more_time = false;            // as in TrialOptions
  int jobs = 1;                      // trials side by side; they share the caller's threads
  bool divided_among_ranks = false;  // every rank trains whole trials by itself; else all train each one together
  double checkpoint_seconds = 30;
  double view_seconds = 0;                   // as in TrialOptions
  std::optional<std::vector<double>> start;  // parameters to begin with
  /// Makes the observer of a trial, which lives as long as the trial runs. The function may be empty or return null; it
  /// is called by the threads of all jobs.
  std::function<std::unique_ptr<EpochObserver>(int trial)> observer;
  std::function<void(const std::string&)> warn;  // hears sentences for the user
  Extensions extensions;                         // parts of the embedding program
};

/// Trains, and returns what came out of the trials that were begun (by this rank), in their order. When a signal asks
/// to stop (catch_stop_signals), the running trials end in order and no other is begun, except for the first. Where one
/// fails, those beside it are trained to their ends before the failure is thrown.
std::vector<TrialSummary> run_trials(const problem::Problem& problem, const RunFolder& folder,
                                     const TrialsOptions& options);

}  // namespace pecann::train
