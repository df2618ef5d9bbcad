// Problem::train: a trainer in memory, or a trial in a folder.
#include <filesystem>

#include "pecann/api/extension_adapters.h"
#include "pecann/api/problem_data.h"
#include "pecann/api/solution_data.h"
#include "pecann/base/input_error.h"
#include "pecann/base/parallel.h"
#include "pecann/kernel/fma_peak.h"
#include "pecann/problem.h"
#include "pecann/problem/problem_file.h"
#include "pecann/results/run_facts.h"
#include "pecann/results/summary_json.h"
#include "pecann/results/text_file.h"
#include "pecann/train/check_training.h"
#include "pecann/train/trial.h"
#include "pecann/verdict/summary_text.h"

namespace pecann {
namespace {

std::vector<FieldError> public_errors(const std::vector<train::FieldError>& errors) {
  std::vector<FieldError> all;
  for (const train::FieldError& error : errors) all.push_back({error.field, error.relative_l2, error.linf});
  return all;
}

Epoch public_epoch(const train::EpochRecord& record, const problem::Problem& problem) {
  Epoch epoch{.window = record.window,
              .phase = record.phase,
              .number = record.epoch,
              .seconds = record.seconds,
              .loss = record.loss,
              .objective = record.objective,
              .learning_rate = record.learning_rate.value_or(0.0),
              .damping = record.damping,
              .evaluations = record.evaluations,
              .errors = public_errors(record.errors)};
  auto constraint = record.constraints.begin();
  for (const problem::TermSpec& term : problem.terms) {
    if (term.role != problem::Role::Constraint || constraint == record.constraints.end()) continue;
    epoch.constraints.push_back({term.name, constraint->value, constraint->multiplier, constraint->penalty});
    ++constraint;
  }
  return epoch;
}

class Watcher final : public train::EpochObserver {
 public:
  Watcher(const std::function<Directive(const Epoch&)>& observer, const problem::Problem& problem)
      : observer_(observer), problem_(problem) {}
  train::Directive on_epoch(const train::EpochRecord& record) override {
    return observer_(public_epoch(record, problem_)) == Directive::Stop ? train::Directive::Stop
                                                                        : train::Directive::Continue;
  }

 private:
  const std::function<Directive(const Epoch&)>& observer_;
  const problem::Problem& problem_;
};

Summary public_summary(const train::TrialSummary& trial, const problem::Problem& problem) {
  static_assert(static_cast<int>(train::Termination::Interrupted) == static_cast<int>(Termination::Interrupted) &&
                static_cast<int>(train::Termination::Stalled) == static_cast<int>(Termination::Stalled));
  Summary summary{.termination = static_cast<Termination>(trial.outcome.termination),
                  .message = trial.outcome.message,
                  .last = public_epoch(trial.last, problem),
                  .epochs = trial.epochs,
                  .evaluations = trial.evaluations,
                  .num_parameters = trial.parameters,
                  .num_points = trial.points,
                  .errors = public_errors(trial.errors)};
  for (const train::ScalarResult& scalar : trial.scalars)
    summary.parameters.push_back({scalar.name, scalar.value, scalar.exact});
  const train::TrialSummary trials[] = {trial};
  summary.text = verdict::summary_text(problem, trials, "");
  return summary;
}

void prepare_folder(const problem::Problem& problem, const TrainOptions& options) {
  namespace fs = std::filesystem;
  if (!options.resume && fs::exists(options.folder) &&
      !(fs::is_directory(options.folder) && fs::is_empty(options.folder)))
    throw InputError({.key = "folder",
                      .value = options.folder,
                      .rule = "exists already, and is never overwritten",
                      .hint = "name another folder, or set resume"});
  if (!options.resume) results::write_text_file(options.folder + "/problem.toml", problem::write_problem(problem));
  fs::create_directories(train::trial_folder(options.folder, 1));
}

train::TrialSummary train_in_folder(const problem::Problem& problem, const TrainOptions& options,
                                    std::vector<train::EpochObserver*> observers) {
  prepare_folder(problem, options);
  train::TrialOptions trial;
  trial.folder = train::trial_folder(options.folder, 1);
  trial.resume = options.resume;
  trial.checkpoint_seconds = options.checkpoint_seconds;
  if (!options.start.empty()) trial.start = options.start;
  trial.observers = std::move(observers);
  trial.extensions = api::extensions_of(options);
  const train::TrialSummary summary = train::run_trial(problem, 1, trial);
  results::RunFacts facts = results::facts_of_this_machine();
  facts.simd = kernel::simd_target();
  const train::TrialSummary trials[] = {summary};
  results::write_summary(options.folder, problem, trials, facts);
  return summary;
}

/// Threads of this call; the calling thread's own number comes back at the end.
class ThreadShare {
 public:
  explicit ThreadShare(int threads) : before_(thread_count()), changed_(threads > 0) {
    if (changed_) set_own_thread_count(threads);
  }
  ~ThreadShare() {
    if (changed_) set_own_thread_count(before_);
  }
  ThreadShare(const ThreadShare&) = delete;
  ThreadShare& operator=(const ThreadShare&) = delete;

 private:
  int before_;
  bool changed_;
};

void check_start(const problem::Problem& problem, const std::vector<double>& start) {
  if (start.empty()) return;
  const evaluate::Model model(problem, train::normalisation_box(problem, {0, problem.windows.count}), problem.seed);
  if (start.size() != model.num_parameters())
    throw InputError({.key = "start",
                      .value = std::to_string(start.size()) + " numbers",
                      .rule = "the problem has " + std::to_string(model.num_parameters()) + " parameters"});
}

}  // namespace

Result Problem::train(const TrainOptions& options) const {
  const ThreadShare share(options.threads);
  const auto problem = std::make_shared<const problem::Problem>(data_->finished());
  train::check_training(*problem, api::extensions_of(options));
  check_start(*problem, options.start);
  Watcher watcher(options.observer, *problem);
  std::vector<train::EpochObserver*> observers;
  if (options.observer) observers.push_back(&watcher);

  const auto result = [&](const train::TrialSummary& summary, train::Solution solution) {
    auto data = std::make_shared<const api::SolutionData>(api::SolutionData{problem, std::move(solution)});
    return Result{public_summary(summary, *problem), Solution(std::move(data))};
  };
  if (!options.folder.empty()) {
    const train::TrialSummary summary = train_in_folder(*problem, options, std::move(observers));
    return result(summary, train::load_solution(*problem, options.folder, 1));
  }
  train::Trainer trainer(*problem, train::trial_seed(*problem, 1), api::extensions_of(options));
  if (!options.start.empty()) trainer.start_from(options.start);
  for (train::EpochObserver* observer : observers) trainer.add_observer(*observer);
  const train::TrialSummary summary = train::summarise(trainer, 1, trainer.run());
  return result(summary, trainer.solution());
}

}  // namespace pecann
