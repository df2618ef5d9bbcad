// Problem::train: a trainer in memory, or a trial in a folder; and results that a folder holds.
#include <cmath>

#include "pecann/api/extension_adapters.h"
#include "pecann/api/folder_training.h"
#include "pecann/api/problem_data.h"
#include "pecann/api/public_results.h"
#include "pecann/api/solution_data.h"
#include "pecann/base/input_error.h"
#include "pecann/base/parallel.h"
#include "pecann/base/state_archive.h"
#include "pecann/estimate/estimate.h"
#include "pecann/problem.h"
#include "pecann/results/over_trials.h"
#include "pecann/results/run_facts.h"
#include "pecann/results/summary_json.h"
#include "pecann/results/trained_state.h"
#include "pecann/train/check_training.h"
#include "pecann/train/choose_training.h"
#include "pecann/train/history.h"
#include "pecann/train/run_folder.h"
#include "pecann/train/trials.h"
#include "pecann/verdict/run_report.h"

namespace pecann {
namespace {

using ProblemPointer = std::shared_ptr<const problem::Problem>;

/// A new folder, or with resume one whose trial goes on.
train::RunFolder chosen_folder(const problem::Problem& problem, const TrainOptions& options) {
  if (options.resume) {
    const train::RunFolder folder = train::RunFolder::open(options.folder);
    if (!folder.trial(1).has_checkpoint())
      throw InputError({.key = "folder", .value = options.folder, .rule = "holds no checkpoint to go on from"});
    return folder;
  }
  return train::RunFolder::create(options.folder, problem.title, {.key = "folder", .go_on = "set resume"});
}

void check_start(const problem::Problem& problem, const std::vector<double>& start) {
  if (start.empty()) return;
  const evaluate::Model model(problem, train::normalisation_box(problem, {0, problem.windows.count}), problem.seed);
  if (start.size() != model.num_parameters())
    throw InputError({.key = "start",
                      .value = std::to_string(start.size()) + " numbers",
                      .rule = "the problem has " + std::to_string(model.num_parameters()) + " parameters"});
  for (const double number : start)
    if (!std::isfinite(number)) throw InputError({.key = "start", .rule = "start parameters are finite numbers"});
}

Result result_of(const ProblemPointer& problem, Summary summary, train::Solution solution) {
  auto data = std::make_shared<const api::SolutionData>(api::SolutionData{problem, std::move(solution)});
  return {std::move(summary), Solution(std::move(data))};
}

/// The result of the run in a folder, whose report may be of several trials.
Result result_in_folder(const verdict::RunReport& report, int trial) {
  const auto problem = std::make_shared<const problem::Problem>(report.run.problem);
  std::size_t shown = 0;
  while (shown + 1 < report.trials.size() && report.trials[shown].trial != trial) ++shown;
  Summary summary = api::public_summary(report.trials[shown], *problem);
  for (std::size_t i = 0; i < report.run.trials.size(); ++i)
    if (report.run.trials[i] == trial) summary.history = api::public_history(report.histories[i]);
  summary.verdict = api::public_verdict(report.verdict);
  if (report.estimate && report.estimate->trial == trial) summary.estimate = api::public_estimate(*report.estimate);
  if (report.run.summary && report.run.summary->accuracy)
    summary.accuracy = api::public_accuracy(*report.run.summary->accuracy);
  const std::string file = report.run.folder.summary_file();
  if (train::run_file_exists(file)) summary.json = train::read_run_file(file, train::kLongestSummary);
  return result_of(problem, std::move(summary), train::load_solution(*problem, report.run.folder, trial));
}

/// What the trainer has found, and what a report would say of it.
Result result_in_memory(const ProblemPointer& problem, train::Trainer& trainer, const train::Outcome& outcome,
                        const std::string& history_text, bool estimated) {
  const train::TrialSummary trial = train::summarise(trainer, 1, outcome);
  const results::HistoryTable history = results::parse_history(history_text, "history");
  train::Solution solution = trainer.solution();
  results::Assessment found;
  if (estimated && !results::failed(trial) && !results::untrained(trial))
    found.estimate = estimate::estimate_error(*problem, solution, trial.seed).summary();
  verdict::RunReport report;  // as of a folder
  if (trial.epochs > 0) {
    StateWriter writer;
    trainer.save(writer);
    results::TrainedState state = results::state_of(*problem, writer.bytes(), trainer.seed(), "the trained state");
    report.residuals = results::term_residuals(*problem, state);
  }
  report.verdict = verdict::verdict_of(*problem, {.trials = {&trial, 1},
                                                  .residuals = report.residuals,
                                                  .histories = {&history, 1},
                                                  .estimate = found.estimate ? &*found.estimate : nullptr});
  found.conclusion = verdict::conclusion_of(report);
  Summary summary = api::public_summary(trial, *problem);
  summary.verdict = api::public_verdict(report.verdict);
  summary.history = api::public_history(history);
  if (found.estimate) summary.estimate = api::public_estimate(*found.estimate);
  summary.json = results::summary_json(*problem, {&trial, 1}, api::facts_of_a_training(), found);
  return result_of(problem, std::move(summary), std::move(solution));
}

/// Tries means until the estimate of one is small enough, in the folder or in one that is removed afterwards.
Result search_for_accuracy(const problem::Problem& asked, const TrainOptions& options) {
  if (!options.start.empty() || options.penalty_strategy || options.optimizer || options.change_points)
    throw InputError({.key = "accuracy",
                      .rule = "the search for an accuracy begins by itself and chooses its own methods",
                      .hint = "leave out start, penalty_strategy, optimizer and change_points, or the accuracy"});
  std::optional<api::TemporaryFolder> temporary;
  TrainOptions in_folder = options;
  if (options.folder.empty()) in_folder.folder = temporary.emplace().path() + "/run";
  const train::RunFolder folder =
      options.resume ? train::RunFolder::open(options.folder) : chosen_folder(asked, in_folder);
  const FileLock lock = folder.lock();
  std::exception_ptr failure;
  api::search_in_folder(asked, folder, in_folder, failure);
  if (failure) std::rethrow_exception(failure);
  return result_in_folder(verdict::gather_report(folder.path()), 1);
}

}  // namespace

Result Problem::train(const TrainOptions& options) const {
  const ThreadShare share(options.threads);
  problem::Problem asked = data_->finished();
  train::check_training(asked, api::extensions_of(options));
  if (asked.accuracy) return search_for_accuracy(asked, options);
  // Start parameters are those of the networks, and a solve has no epochs between which points could change.
  std::shared_ptr<const train::HeadStart> head_start;
  if (options.start.empty() && !options.change_points) {
    train::ChosenTraining chosen = train::choose_training(asked);
    asked = std::move(chosen.problem);
    head_start = std::move(chosen.head_start);
  }
  const auto problem = std::make_shared<const problem::Problem>(std::move(asked));
  check_start(*problem, options.start);

  std::exception_ptr failure;  // of observer or interrupt
  if (!options.folder.empty()) {
    const train::RunFolder folder = chosen_folder(*problem, options);
    const FileLock lock = folder.lock();
    api::train_in_folder(*problem, folder, options, head_start, failure);
    if (failure) std::rethrow_exception(failure);
    return result_in_folder(verdict::gather_report(folder.path()), 1);
  }
  train::Extensions extensions = api::extensions_of(options, &failure);
  extensions.head_start = std::move(head_start);
  train::Trainer trainer(*problem, train::trial_seed(*problem, 1), std::move(extensions));
  if (!options.start.empty()) trainer.start_from(options.start);
  train::HistoryText history(*problem);
  trainer.add_observer(history);
  api::Watcher watcher(options, *problem, failure);
  trainer.add_observer(watcher);
  const train::Outcome outcome = trainer.run();
  if (failure) std::rethrow_exception(failure);
  return result_in_memory(problem, trainer, outcome, history.text(), options.estimate);
}

Result Result::open(const std::string& folder, int trial) {
  const verdict::RunReport report = verdict::gather_report(folder);
  return result_in_folder(report, results::chosen_trial(report.run, trial));
}

}  // namespace pecann
