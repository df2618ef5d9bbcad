#include "pecann/results/run_folder.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <filesystem>
#include <limits>

#include "pecann/base/input_error.h"
#include "pecann/problem/problem_file.h"
#include "pecann/results/text_file.h"

namespace pecann::results {
namespace {

namespace fs = std::filesystem;

std::vector<int> trials_in(const std::string& folder) {
  std::vector<int> trials;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder)) {
    const std::string name = entry.path().filename().string();
    const std::string prefix = "trial-";
    int number = 0;
    if (!name.starts_with(prefix)) continue;
    const auto [end, error] = std::from_chars(name.data() + prefix.size(), name.data() + name.size(), number);
    if (error != std::errc() || end != name.data() + name.size() || number < 1) continue;
    if (fs::exists(entry.path() / "checkpoint") || fs::exists(entry.path() / "checkpoint.previous"))
      trials.push_back(number);
  }
  std::sort(trials.begin(), trials.end());
  return trials;
}

/// Smaller is better; NaN counts as infinite.
double badness(const train::TrialSummary& trial, problem::Measure measure) {
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

Run open_run(const std::string& folder) {
  const std::string file = folder + "/problem.toml";
  if (!fs::exists(file))
    throw InputError({.place = {.file = folder},
                      .rule = fs::is_directory(folder)
                                  ? "the folder holds no problem.toml: it is not the folder of a run"
                                  : "there is no such folder",
                      .hint = "give the folder that `pecann run --out` was given"});
  Run run;
  run.folder = folder;
  run.problem_text = read_text_file(file);
  run.problem = problem::read_problem(run.problem_text, file);
  run.trials = trials_in(folder);
  if (run.trials.empty())
    throw InputError({.place = {.file = folder},
                      .rule = "no trial of this run has a checkpoint yet",
                      .hint = "start it with `pecann run`"});
  run.summary = read_summary(folder, run.problem);
  return run;
}

int best_trial(const Run& run) {
  if (!run.summary || run.summary->trials.empty()) return run.trials.front();
  const problem::Measure measure = run.problem.evaluate.measures.front();
  const auto best =
      std::min_element(run.summary->trials.begin(), run.summary->trials.end(),
                       [&](const auto& a, const auto& b) { return badness(a, measure) < badness(b, measure); });
  return std::find(run.trials.begin(), run.trials.end(), best->trial) != run.trials.end() ? best->trial
                                                                                          : run.trials.front();
}

int chosen_trial(const Run& run, int trial) {
  if (trial == 0) return best_trial(run);
  if (std::find(run.trials.begin(), run.trials.end(), trial) == run.trials.end())
    throw InputError({.place = {.file = run.folder},
                      .key = "trial",
                      .value = std::to_string(trial),
                      .rule = fmt::format("the run has the trials {}", fmt::join(run.trials, ", "))});
  return trial;
}

}  // namespace pecann::results
