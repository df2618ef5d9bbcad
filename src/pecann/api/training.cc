// Problem::train: a trainer in memory, or a trial in a folder.
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
#include "pecann/train/check_training.h"
#include "pecann/train/choose_training.h"
#include "pecann/train/run_folder.h"
#include "pecann/train/trials.h"
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

train::TrialSummary train_in_folder(const problem::Problem& problem, const train::RunFolder& folder,
                                    const TrainOptions& options) {
  if (!options.resume) folder.write_problem(problem::write_problem(problem));
  train::TrialsOptions trials{.trials = {1},
                              .resume = options.resume,
                              .checkpoint_seconds = options.checkpoint_seconds,
                              .extensions = api::extensions_of(options)};
  if (!options.start.empty()) trials.start = options.start;
  if (options.observer) trials.observer = [&](int) { return std::make_unique<Watcher>(options.observer, problem); };
  const std::vector<train::TrialSummary> summaries = train::run_trials(problem, folder, trials);
  results::RunFacts facts = results::facts_of_this_machine();
  facts.simd = kernel::simd_target();
  results::write_summary(folder, problem, summaries, facts);
  return summaries.front();
}

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
  problem::Problem asked = data_->finished();
  train::check_training(asked, api::extensions_of(options));
  if (options.start.empty()) asked = train::choose_training(asked);  // start parameters are those of the networks
  const auto problem = std::make_shared<const problem::Problem>(std::move(asked));
  check_start(*problem, options.start);

  const auto result = [&](const train::TrialSummary& summary, train::Solution solution) {
    auto data = std::make_shared<const api::SolutionData>(api::SolutionData{problem, std::move(solution)});
    return Result{public_summary(summary, *problem), Solution(std::move(data))};
  };
  if (!options.folder.empty()) {
    const train::RunFolder folder = chosen_folder(*problem, options);
    const FileLock lock = folder.lock();
    const train::TrialSummary summary = train_in_folder(*problem, folder, options);
    return result(summary, train::load_solution(*problem, folder, 1));
  }
  train::Trainer trainer(*problem, train::trial_seed(*problem, 1), api::extensions_of(options));
  if (!options.start.empty()) trainer.start_from(options.start);
  Watcher watcher(options.observer, *problem);
  if (options.observer) trainer.add_observer(watcher);
  const train::TrialSummary summary = train::summarise(trainer, 1, trainer.run());
  return result(summary, trainer.solution());
}

}  // namespace pecann
