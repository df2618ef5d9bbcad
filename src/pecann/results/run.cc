#include "pecann/results/run.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "pecann/base/input_error.h"
#include "pecann/problem/problem_file.h"

namespace pecann::results {
namespace {

/// What the best trial has least of: its error or its loss. NaN counts as infinite.
double badness(const train::TrialSummary& trial, const std::string& measure) {
  double worst = trial.errors.empty() ? trial.last.loss : 0;
  bool broken = false;
  for (const train::FieldError& error : trial.errors) {
    const double value = train::measure_of(error, measure);
    worst = std::max(worst, value);
    broken = broken || std::isnan(value);
  }
  return broken || std::isnan(worst) ? std::numeric_limits<double>::infinity() : worst;
}

}  // namespace

Run open_run(const std::string& path) {
  Run run{.folder = train::RunFolder::open(path)};
  run.problem_text = run.folder.read_problem();
  run.problem = problem::read_problem(run.problem_text, run.folder.problem_file());
  run.trials = run.folder.trials();
  if (run.trials.empty())
    throw InputError({.place = {.file = path},
                      .rule = "no trial of this run has a checkpoint yet",
                      .hint = "start it with `pecann run`"});
  run.summary = read_summary(run.folder, run.problem);
  return run;
}

int best_trial(const Run& run) {
  if (!run.summary || run.summary->trials.empty()) return run.trials.front();
  const std::string& measure = run.problem.evaluate.measures.front();
  const auto best =
      std::min_element(run.summary->trials.begin(), run.summary->trials.end(),
                       [&](const auto& a, const auto& b) { return badness(a, measure) < badness(b, measure); });
  return std::find(run.trials.begin(), run.trials.end(), best->trial) != run.trials.end() ? best->trial
                                                                                          : run.trials.front();
}

int chosen_trial(const Run& run, int trial) {
  if (trial == 0) return best_trial(run);
  if (std::find(run.trials.begin(), run.trials.end(), trial) == run.trials.end())
    throw InputError({.place = {.file = run.folder.path()},
                      .key = "trial",
                      .value = std::to_string(trial),
                      .rule = fmt::format("the run has the trials {}", fmt::join(run.trials, ", "))});
  return trial;
}

}  // namespace pecann::results
