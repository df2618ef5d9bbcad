// Which trials statistics are over: those that did not fail.
#pragma once

#include <span>
#include <vector>

#include "pecann/train/trial.h"

namespace pecann::results {

/// A trial that a number ended which was not finite. It is shown, and statistics are over the others.
inline bool failed(const train::TrialSummary& trial) {
  return trial.outcome.termination == train::Termination::NotFinite;
}

/// A failed trial without an epoch: its parameters are those of the start.
inline bool untrained(const train::TrialSummary& trial) { return failed(trial) && trial.epochs == 0; }

/// Their numbers, in order.
inline std::vector<int> failed_trials(std::span<const train::TrialSummary> trials) {
  std::vector<int> numbers;
  for (const train::TrialSummary& trial : trials)
    if (failed(trial)) numbers.push_back(trial.trial);
  return numbers;
}

/// Those that did not fail; may be none.
inline std::vector<train::TrialSummary> sound_trials(std::span<const train::TrialSummary> trials) {
  std::vector<train::TrialSummary> sound;
  for (const train::TrialSummary& trial : trials)
    if (!failed(trial)) sound.push_back(trial);
  return sound;
}

/// What tables for people show: the sound trials, or, where all failed, the states that they kept.
inline std::vector<train::TrialSummary> shown_trials(std::span<const train::TrialSummary> trials) {
  std::vector<train::TrialSummary> sound = sound_trials(trials);
  return sound.empty() ? std::vector<train::TrialSummary>(trials.begin(), trials.end()) : sound;
}

}  // namespace pecann::results
