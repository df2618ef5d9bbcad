#include "pecann/verdict/run_report.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

#include "pecann/base/input_error.h"
#include "pecann/problem/constraint_terms.h"
#include "pecann/problem/scope.h"
#include "pecann/results/over_trials.h"

namespace pecann::verdict {
namespace {

/// The last cell of a column that holds a number; NaN where none does.
double last_of(const results::HistoryTable& history, const std::string& name) {
  const std::vector<double>* const column = history.find(name);
  if (column == nullptr) return std::numeric_limits<double>::quiet_NaN();
  for (std::size_t i = column->size(); i-- > 0;)
    if (!std::isnan((*column)[i])) return (*column)[i];
  return std::numeric_limits<double>::quiet_NaN();
}

/// The number in the last row of a column, if it has one.
std::optional<double> at_end(const results::HistoryTable& history, const std::string& name) {
  const std::vector<double>* const column = history.find(name);
  if (column == nullptr || column->empty() || std::isnan(column->back())) return std::nullopt;
  return column->back();
}

}  // namespace

train::TrialSummary summary_from_history(const problem::Problem& problem, int trial,
                                         const results::HistoryTable& history) {
  train::TrialSummary summary;
  summary.trial = trial;
  summary.seed = train::trial_seed(problem, trial);
  summary.outcome = {train::Termination::Interrupted,
                     "no summary has been written: the run is still going, or it was killed"};
  summary.last.loss = summary.last.objective = std::numeric_limits<double>::quiet_NaN();
  if (problem.windows.count > 1) summary.windows_done = 0;
  if (history.rows() == 0) return summary;
  if (const std::optional<double> window = at_end(history, "window"))
    summary.windows_done = std::max(0, static_cast<int>(*window) - 1);
  if (const std::optional<double> phase = at_end(history, "phase");
      phase && *phase >= 1 && *phase <= static_cast<double>(problem.phases.size()))
    summary.other_constants = problem.phases[static_cast<std::size_t>(*phase) - 1].constants;
  summary.epochs = static_cast<long>(history.running_epochs().back());
  summary.seconds = last_of(history, "seconds");
  summary.last.epoch = summary.epochs;
  summary.last.seconds = summary.seconds;
  summary.last.loss = last_of(history, "loss");
  summary.last.objective = last_of(history, "objective");
  summary.last.learning_rate = at_end(history, "learning_rate");
  summary.last.damping = at_end(history, "damping");
  for (const problem::ParameterSpec& scalar : problem.parameters)
    if (const std::optional<double> value = at_end(history, "scalar." + scalar.name))
      summary.scalars.push_back({scalar.name, *value, scalar.exact});
  for (const problem::TermSpec* term : problem::constraint_terms(problem))
    summary.last.constraints.push_back({last_of(history, "constraint." + term->name),
                                        last_of(history, "multiplier." + term->name),
                                        last_of(history, "penalty." + term->name)});
  for (const std::string& field : problem::error_names(problem)) {
    const std::string prefix = "error." + field + ".";
    // A resumed history keeps its columns: some measures may have come later.
    if (std::ranges::none_of(problem.evaluate.measures,
                             [&](const std::string& measure) { return history.find(prefix + measure) != nullptr; }))
      continue;
    train::FieldError& error = summary.errors.emplace_back(train::FieldError{field});
    for (const std::string& measure : problem.evaluate.measures)
      train::set_measure(error, measure, last_of(history, prefix + measure));
  }
  return summary;
}

bool RunReport::counts(int trial) const {
  const std::vector<int> failed = results::failed_trials(trials);
  return failed.size() == trials.size() || std::ranges::find(failed, trial) == failed.end();
}

RunReport open_report(const std::string& folder) {
  RunReport report;
  report.run = results::open_run(folder);
  report.best = results::best_trial(report.run);
  if (report.run.summary && report.run.summary->estimate && report.run.summary->estimate->trial == report.best)
    report.estimate = report.run.summary->estimate;
  return report;
}

void add_histories(RunReport& report, std::vector<results::HistoryTable> histories) {
  report.histories = std::move(histories);
  if (report.run.summary) {
    report.trials = report.run.summary->trials;
    return;
  }
  report.trials.clear();
  for (std::size_t i = 0; i < report.run.trials.size(); ++i)
    report.trials.push_back(summary_from_history(report.run.problem, report.run.trials[i], report.histories[i]));
}

void add_residuals(RunReport& report) {
  try {
    results::TrainedState state = results::load_state(report.run.problem, report.run.folder, report.best);
    report.residuals = results::term_residuals(report.run.problem, state);
  } catch (const InputError& error) {  // a data file that is gone must not keep the rest from being seen
    report.residual_note = std::string("Residuals could not be computed: ") + error.what();
  }
}

void add_verdict(RunReport& report) {
  const std::optional<results::RunSummary>& summary = report.run.summary;
  report.verdict =
      verdict_of(report.run.problem, {.trials = report.trials,
                                      .residuals = report.residuals,
                                      .histories = report.histories,
                                      .estimate = report.estimate ? &*report.estimate : nullptr,
                                      .search = summary && summary->accuracy ? &*summary->accuracy : nullptr,
                                      .folder = report.run.folder.path()});
}

results::Conclusion conclusion_of(const RunReport& report) {
  results::Conclusion conclusion{.verdict = name_of(report.verdict.grade),
                                 .reasons = {},
                                 .advice = report.verdict.advice,
                                 .best_trial = report.best,
                                 .residuals = report.residuals};
  for (const Finding& finding : report.verdict.findings) conclusion.reasons.push_back(finding.text);
  return conclusion;
}

RunReport gather_report(const std::string& folder) {
  RunReport report = open_report(folder);
  std::vector<results::HistoryTable> histories;
  for (const int trial : report.run.trials)
    histories.push_back(results::read_history(report.run.folder.trial(trial).history_file()));
  add_histories(report, std::move(histories));
  add_residuals(report);
  add_verdict(report);
  return report;
}

}  // namespace pecann::verdict
