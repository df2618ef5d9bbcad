#include "pecann/api/public_results.h"

#include <algorithm>

#include "pecann/base/input_error.h"
#include "pecann/verdict/summary_text.h"

namespace pecann {

const std::vector<double>& History::column(const std::string& name) const {
  const auto found = std::ranges::find(names, name);
  if (found == names.end())
    throw InputError({.key = "history", .value = name, .rule = "no such column", .hint = hint_for(name, names)});
  return columns[static_cast<std::size_t>(found - names.begin())];
}

const char* name_of(Termination termination) { return train::name_of(static_cast<train::Termination>(termination)); }

namespace api {
namespace {

std::vector<FieldError> public_errors(const std::vector<train::FieldError>& errors) {
  std::vector<FieldError> all;
  for (const train::FieldError& error : errors) all.push_back({error.field, error.relative_l2, error.linf});
  return all;
}

}  // namespace

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
  for (std::size_t i = 0; i < std::min(record.scalars.size(), problem.parameters.size()); ++i)
    epoch.parameters.push_back({problem.parameters[i].name, record.scalars[i], problem.parameters[i].exact});
  return epoch;
}

Summary public_summary(const train::TrialSummary& trial, const problem::Problem& problem) {
  static_assert(static_cast<int>(train::Termination::Interrupted) == static_cast<int>(Termination::Interrupted) &&
                static_cast<int>(train::Termination::Stalled) == static_cast<int>(Termination::Stalled));
  Summary summary{.trial = trial.trial,
                  .seed = trial.seed,
                  .seconds = trial.seconds,
                  .termination = static_cast<Termination>(trial.outcome.termination),
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

History public_history(results::HistoryTable table) { return {std::move(table.names), std::move(table.columns)}; }

Verdict public_verdict(const verdict::Verdict& verdict) {
  Verdict shown{.level = verdict::name_of(verdict.grade), .headline = verdict.headline, .advice = verdict.advice};
  for (const verdict::Finding& finding : verdict.findings)
    shown.findings.push_back({verdict::name_of(finding.level), finding.text});
  return shown;
}

Estimate public_estimate(const results::RunEstimate& estimate) {
  Estimate shown{.decided = estimate.decided, .seconds = estimate.seconds};
  for (const results::FieldEstimate& field : estimate.fields)
    shown.fields.push_back(
        {field.field, field.relative_l2, field.low, field.high, field.trusted, field.good, field.decided});
  for (const results::ScalarEstimate& scalar : estimate.scalars)
    shown.scalars.push_back({scalar.name, scalar.value, scalar.standard_error});
  return shown;
}

AccuracyAnswer public_accuracy(const results::AccuracyAnswer& answer) {
  return {answer.asked, answer.reached, answer.ending, static_cast<int>(answer.attempts.size()), answer.best};
}

}  // namespace api
}  // namespace pecann
