// Problem::train: a trainer in memory, or a trial in a folder; and results that a folder holds.
#include <cmath>

#include "pecann/api/extension_adapters.h"
#include "pecann/api/problem_data.h"
#include "pecann/api/public_results.h"
#include "pecann/api/solution_data.h"
#include "pecann/base/input_error.h"
#include "pecann/base/parallel.h"
#include "pecann/base/state_archive.h"
#include "pecann/kernel/simd_target.h"
#include "pecann/optim/dense_gram.h"
#include "pecann/problem.h"
#include "pecann/problem/problem_file.h"
#include "pecann/results/dependencies.h"
#include "pecann/results/run_facts.h"
#include "pecann/results/summary_json.h"
#include "pecann/results/table_text.h"
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

/// The observer and the interrupt of a program. What they throw is kept until the training has ended in order.
class Watcher final : public train::EpochObserver {
 public:
  Watcher(const TrainOptions& options, const problem::Problem& problem, std::exception_ptr& failure)
      : options_(options), problem_(problem), failure_(failure) {}

  train::Directive on_epoch(const train::EpochRecord& record) override {
    try {
      return stops(record) ? train::Directive::Stop : train::Directive::Continue;
    } catch (...) {
      failure_ = std::current_exception();
      return train::Directive::Stop;
    }
  }

 private:
  bool stops(const train::EpochRecord& record) const {
    if (options_.interrupt && options_.interrupt()) return true;
    return options_.observer && options_.observer(api::public_epoch(record, problem_)) == Directive::Stop;
  }

  const TrainOptions& options_;
  const problem::Problem& problem_;
  std::exception_ptr& failure_;
};

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

results::RunFacts facts_here() {
  results::RunFacts facts = results::facts_of_this_machine();
  facts.simd = kernel::simd_target();
  facts.blas = optim::blas_description();
  facts.threads = thread_count();
  return facts;
}

/// The problem with the tables of the program beside it, where its text looks for them.
void write_problem_and_tables(const train::RunFolder& folder, const problem::Problem& problem) {
  for (const auto& [name, table] : problem.tables)
    train::write_run_file(folder.path() + "/" + name, results::csv_text(table->names, table->columns));
  std::vector<train::RunInput> inputs = train::keep_inputs(folder, problem);
  folder.write_problem(problem::write_problem(problem, train::input_names(folder, problem)));
  results::record_dependencies(folder, facts_here(), std::move(inputs));
}

train::TrialSummary train_in_folder(const problem::Problem& problem, const train::RunFolder& folder,
                                    const TrainOptions& options, std::exception_ptr& failure) {
  if (!options.resume) write_problem_and_tables(folder, problem);
  train::TrialsOptions trials{.trials = {1},
                              .resume = options.resume,
                              .more_time = true,
                              .checkpoint_seconds = options.checkpoint_seconds,
                              .extensions = api::extensions_of(options)};
  if (!options.start.empty()) trials.start = options.start;
  trials.observer = [&](int) { return std::make_unique<Watcher>(options, problem, failure); };
  const std::vector<train::TrialSummary> summaries = train::run_trials(problem, folder, trials);
  const results::RunFacts facts = facts_here();
  results::write_summary(folder, problem, summaries, facts);  // which the report reads
  const results::Conclusion conclusion = verdict::conclusion_of(verdict::gather_report(folder.path()));
  results::write_summary(folder, problem, summaries, facts, {.conclusion = conclusion});
  return summaries.front();
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
Result result_in_folder(const ProblemPointer& problem, const verdict::RunReport& report, int trial) {
  std::size_t shown = 0;
  while (shown + 1 < report.trials.size() && report.trials[shown].trial != trial) ++shown;
  Summary summary = api::public_summary(report.trials[shown], *problem);
  for (std::size_t i = 0; i < report.run.trials.size(); ++i)
    if (report.run.trials[i] == trial) summary.history = api::public_history(report.histories[i]);
  summary.verdict = api::public_verdict(report.verdict);
  return result_of(problem, std::move(summary), train::load_solution(*problem, report.run.folder, trial));
}

/// What the trainer has found, and what a report would say of it.
Result result_in_memory(const ProblemPointer& problem, train::Trainer& trainer, const train::Outcome& outcome,
                        const std::string& history_text) {
  const train::TrialSummary trial = train::summarise(trainer, 1, outcome);
  const results::HistoryTable history = results::parse_history(history_text, "history");
  std::vector<results::TermResidual> residuals;
  if (trial.epochs > 0) {
    StateWriter writer;
    trainer.save(writer);
    results::TrainedState state = results::state_of(*problem, writer.bytes(), trainer.seed(), "the trained state");
    residuals = results::term_residuals(*problem, state);
  }
  Summary summary = api::public_summary(trial, *problem);
  summary.verdict = api::public_verdict(
      verdict::verdict_of(*problem, {.trials = {&trial, 1}, .residuals = residuals, .histories = {&history, 1}}));
  summary.history = api::public_history(history);
  return result_of(problem, std::move(summary), trainer.solution());
}

}  // namespace

Result Problem::train(const TrainOptions& options) const {
  const ThreadShare share(options.threads);
  problem::Problem asked = data_->finished();
  if (asked.accuracy)
    throw InputError({.key = "accuracy",
                      .rule = "train() trains once; the search for an accuracy is the command `pecann run`",
                      .hint = "leave accuracy out, and look at estimate()"});
  train::check_training(asked, api::extensions_of(options));
  if (options.start.empty()) asked = train::choose_training(asked);  // start parameters are those of the networks
  const auto problem = std::make_shared<const problem::Problem>(std::move(asked));
  check_start(*problem, options.start);

  std::exception_ptr failure;  // of observer or interrupt
  if (!options.folder.empty()) {
    const train::RunFolder folder = chosen_folder(*problem, options);
    const FileLock lock = folder.lock();
    train_in_folder(*problem, folder, options, failure);
    if (failure) std::rethrow_exception(failure);
    return result_in_folder(problem, verdict::gather_report(folder.path()), 1);
  }
  train::Trainer trainer(*problem, train::trial_seed(*problem, 1), api::extensions_of(options));
  if (!options.start.empty()) trainer.start_from(options.start);
  train::HistoryText history(*problem);
  trainer.add_observer(history);
  Watcher watcher(options, *problem, failure);
  trainer.add_observer(watcher);
  const train::Outcome outcome = trainer.run();
  if (failure) std::rethrow_exception(failure);
  return result_in_memory(problem, trainer, outcome, history.text());
}

Result Result::open(const std::string& folder, int trial) {
  const verdict::RunReport report = verdict::gather_report(folder);
  return result_in_folder(std::make_shared<const problem::Problem>(report.run.problem), report,
                          results::chosen_trial(report.run, trial));
}

}  // namespace pecann
