#include "pecann/train/stop_rules.h"

#include <fmt/format.h>

#include "pecann/base/not_finite.h"
#include "pecann/problem/constraint_terms.h"

namespace pecann::train {

void LowestLoss::see(const EpochRecord& record) {
  if (!(record.loss < loss)) return;
  loss = record.loss;
  epoch = record.epoch;
}

bool has_own_constants(const problem::Problem& problem, const EpochRecord& record) {
  return static_cast<std::size_t>(record.phase) >= problem.phases.size() ||
         problem.phases[record.phase].constants.empty();
}

std::optional<Outcome> target_reached(const problem::Problem& problem, const EpochRecord& record) {
  const problem::StopSpec& stop = problem.stop;
  const auto reached = [](std::string message, Cause::Kind kind) {
    return Outcome{Termination::TargetReached, std::move(message), {kind, "", {}}};
  };
  const bool own = has_own_constants(problem, record);
  if (own && stop.loss && record.loss <= *stop.loss)
    return reached(fmt::format("the loss reached {:.3g}", *stop.loss), Cause::Kind::StopLoss);
  const std::vector<const problem::TermSpec*> terms = problem::constraint_terms(problem);
  if (own && stop.violation && !terms.empty() && record.constraints.size() == terms.size()) {
    double largest = 0;
    for (std::size_t c = 0; c < terms.size(); ++c)
      largest = larger_or_nan(largest, problem::violation_of(*terms[c], record.constraints[c].value));
    if (largest <= *stop.violation)
      return reached(fmt::format("every violation is {:.3g} or less", *stop.violation), Cause::Kind::StopViolation);
  }
  if (stop.error && !record.errors.empty()) {
    double largest = 0;
    for (const FieldError& error : record.errors) largest = larger_or_nan(largest, error.relative_l2);
    if (largest <= *stop.error)
      return reached(fmt::format("the relative l2 error reached {:.3g}", *stop.error), Cause::Kind::StopError);
  }
  return std::nullopt;
}

std::optional<Outcome> limit_reached(const problem::StopSpec& stop, const EpochRecord& record, const LowestLoss& lowest,
                                     long attempt_begin, double spent) {
  if (stop.stall && record.epoch - lowest.epoch >= *stop.stall)
    return Outcome{
        Termination::Stalled, fmt::format("no lower loss in {} epochs", *stop.stall), {Cause::Kind::StopStall, "", {}}};
  if (stop.seconds && record.seconds - spent >= *stop.seconds)
    return Outcome{
        Termination::TimeUp, fmt::format("{:g} seconds are over", *stop.seconds), {Cause::Kind::StopSeconds, "", {}}};
  if (stop.epochs && record.epoch - attempt_begin >= *stop.epochs)
    return Outcome{
        Termination::EpochsDone, fmt::format("{} epochs done", record.epoch), {Cause::Kind::StopEpochs, "", {}}};
  return std::nullopt;
}

double spent_seconds(const problem::StopSpec& stop, const EpochRecord& last) {
  return stop.seconds && last.seconds >= *stop.seconds ? last.seconds : 0;
}

bool ends_part_only(const Outcome& outcome) {
  return outcome.termination == Termination::TargetReached || outcome.termination == Termination::Stalled ||
         outcome.termination == Termination::EpochsDone;
}

}  // namespace pecann::train
