#include "pecann/accuracy/outcome.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "pecann/base/not_finite.h"
#include "pecann/problem/scope.h"
#include "pecann/results/over_trials.h"
#include "pecann/train/checkpoint.h"

namespace pecann::accuracy {

bool has_failed(const problem::Problem& problem, const train::TrialSummary& trial) {
  const bool incomplete = problem.windows.count > 1 && trial.windows_done < problem.windows.count;
  return results::failed(trial) || incomplete;
}

Outcome outcome_of(const problem::Problem& problem, const train::TrialSummary& trial,
                   const results::RunEstimate& estimate) {
  Outcome outcome;
  outcome.failed = has_failed(problem, trial);
  outcome.of_another = train::other_constants_text(problem, trial);
  outcome.trusted = !estimate.fields.empty();
  outcome.error = estimate.fields.empty() ? std::numeric_limits<double>::infinity() : 0;
  double most = 0;
  for (const results::FieldEstimate& field : estimate.fields) {
    outcome.trusted = outcome.trusted && field.trusted;
    outcome.error = std::max(outcome.error, not_finite_last(field.relative_l2));
    most = std::max(most, not_finite_last(field.high));
  }
  if (outcome.trusted) outcome.most = most;
  for (const results::ScalarEstimate& scalar : estimate.scalars)
    if (const double relative = scalar.standard_error / std::abs(scalar.value); relative > outcome.scalar_error) {
      outcome.scalar = scalar.name;
      outcome.scalar_error = relative;
    }
  outcome.seconds = trial.seconds + estimate.seconds;
  return outcome;
}

std::optional<results::RunSummary> ended_before(const train::RunFolder& own, const problem::Problem& problem) {
  std::optional<results::RunSummary> known = results::read_sound_summary(own, problem);
  if (!known || !known->estimate || known->trials.size() != 1) return std::nullopt;
  const results::RunEstimate& estimate = *known->estimate;
  if (known->trials[0].trial != 1 || estimate.trial != 1) return std::nullopt;
  if (!train::last_checkpoint_is_whole(own.trial(1))) return std::nullopt;  // it is trained to its end once more
  for (const double seconds : {known->trials[0].seconds, estimate.seconds})
    if (!std::isfinite(seconds) || seconds < 0) return std::nullopt;
  const bool whole =
      std::ranges::equal(estimate.fields, problem::field_names(problem), {}, &results::FieldEstimate::field);
  return whole || estimate.fields.empty() ? known : std::nullopt;
}

std::string error_text(const Outcome& outcome) {
  if (outcome.failed) return "failed";
  if (!outcome.of_another.empty()) return "it ended on the way, with an answer of " + outcome.of_another;
  if (!std::isfinite(outcome.error)) return "no estimate";
  return fmt::format("estimated error {:.1e}{}", outcome.error, outcome.trusted ? "" : " (not trusted)");
}

}  // namespace pecann::accuracy
