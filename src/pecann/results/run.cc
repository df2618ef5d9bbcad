#include "pecann/results/run.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <utility>

#include "pecann/base/input_error.h"
#include "pecann/base/not_finite.h"
#include "pecann/problem/problem_file.h"
#include "pecann/results/over_trials.h"

namespace pecann::results {
namespace {

/// Smaller is better; failed trials come behind all others, and before them those that ended as another problem.
std::pair<int, double> badness(const train::TrialSummary& trial, const std::string& measure) {
  double worst = trial.errors.empty() ? trial.last.loss : 0;
  for (const train::FieldError& error : trial.errors) worst = larger_or_nan(worst, train::measure_of(error, measure));
  return {failed(trial) ? 2 : trial.other_constants.empty() ? 0 : 1, not_finite_last(worst)};
}

/// A trial that failed in its first epoch has nothing to give.
void check_trained(const Run& run, int trial) {
  if (!run.summary) return;
  for (const train::TrialSummary& summary : run.summary->trials)
    if (summary.trial == trial && untrained(summary))
      throw InputError(
          {.place = {.file = run.folder.path()},
           .rule = fmt::format("nothing was trained in trial {}: {}", trial, shortened(summary.outcome.message, 400)),
           .hint = "mend the problem and run it anew, or `pecann resume --set` another learning rate"});
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
                      .hint = run.folder.has_asked_problem() ? "of a search that found no answer: its attempts are runs"
                                                             : "start it with `pecann run`"});
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
  const int chosen = trial == 0 ? best_trial(run) : trial;
  if (std::find(run.trials.begin(), run.trials.end(), chosen) == run.trials.end())
    throw InputError({.place = {.file = run.folder.path()},
                      .key = "trial",
                      .value = std::to_string(trial),
                      .rule = "there is no such trial",
                      .hint = fmt::format("the run has the trials {}", fmt::join(run.trials, ", "))});
  check_trained(run, chosen);
  return chosen;
}

}  // namespace pecann::results
