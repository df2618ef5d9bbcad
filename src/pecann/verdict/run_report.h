// Everything that a report says about one run, gathered once for the page and for the terminal.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "pecann/results/history_table.h"
#include "pecann/results/run.h"
#include "pecann/results/trained_state.h"
#include "pecann/verdict/verdict.h"

namespace pecann::verdict {

struct RunReport {
  results::Run run;
  int best = 1;                                  // the trial whose solution and residuals are shown
  std::vector<results::HistoryTable> histories;  // one per trial of run.trials
  std::vector<train::TrialSummary> trials;       // from summary.json, or made from the histories of a run without one
  std::vector<results::TermResidual> residuals;  // of the best trial; empty, with a note, where they cannot be computed
  std::string residual_note;
  std::optional<results::RunEstimate> estimate;  // of the best trial, where one was made
  Verdict verdict;

  /// False for a trial that failed while others did not: means are over those (results/over_trials.h).
  bool counts(int trial) const;
};

RunReport gather_report(const std::string& folder);

/// The steps of gather_report, for a page that repeats some of them: open_report reads the run and its best trial,
/// add_histories the histories and the trials that they tell of; add_residuals evaluates networks.
RunReport open_report(const std::string& folder);
void add_histories(RunReport& report, std::vector<results::HistoryTable> histories);
void add_residuals(RunReport& report);
/// The verdict on what the report holds.
void add_verdict(RunReport& report);

/// The verdict and the residuals of a report, for summary.json.
results::Conclusion conclusion_of(const RunReport& report);

/// What the last row of a history tells of a trial that has no summary (yet).
train::TrialSummary summary_from_history(const problem::Problem& problem, int trial,
                                         const results::HistoryTable& history);

}  // namespace pecann::verdict
