#include "pecann/train/record.h"

#include <algorithm>
#include <limits>
#include <utility>

#include <fmt/format.h>

#include "pecann/base/not_finite.h"

namespace pecann::train {

double WindowReport::excess() const {
  double largest = not_finite.empty() ? 0 : std::numeric_limits<double>::infinity();
  for (const CheckValue& check : checks) largest = std::max(largest, not_finite_last(check.value / check.limit));
  return largest;
}

std::string check_text(const WindowReport& report) {
  if (!report.not_finite.empty()) return report.not_finite;
  std::string text;
  for (const CheckValue& check : report.checks)
    text += fmt::format("{}{} {:.1e} (limit {:.1e})", text.empty() ? "" : ", ", check.term, check.value, check.limit);
  return text;
}

const char* name_of(Termination termination) {
  switch (termination) {
    case Termination::EpochsDone:
      return "epochs done";
    case Termination::TargetReached:
      return "target reached";
    case Termination::TimeUp:
      return "time up";
    case Termination::Stalled:
      return "stalled";
    case Termination::NotFinite:
      return "not finite";
    case Termination::Interrupted:
      return "interrupted";
    case Termination::CheckFailed:
      return "check failed";
  }
  return "";
}

namespace {

constexpr std::pair<Cause::Kind, const char*> kCauseNames[] = {
    {Cause::Kind::Unknown, "unknown"},
    {Cause::Kind::PhasesDone, "phases done"},
    {Cause::Kind::StopEpochs, "stop.epochs"},
    {Cause::Kind::StopLoss, "stop.loss"},
    {Cause::Kind::StopViolation, "stop.violation"},
    {Cause::Kind::StopError, "stop.error"},
    {Cause::Kind::StopSeconds, "stop.seconds"},
    {Cause::Kind::StopStall, "stop.stall"},
    {Cause::Kind::NothingChanges, "nothing changes"},
    {Cause::Kind::Observer, "asked to stop"},
    {Cause::Kind::WindowCheck, "window check"},
    {Cause::Kind::EquationFails, "equation fails"},
    {Cause::Kind::StepFails, "step fails"},
    {Cause::Kind::TooLarge, "too large"},
};

}  // namespace

const char* name_of(Cause::Kind kind) {
  for (const auto& [known, name] : kCauseNames)
    if (known == kind) return name;
  return "";
}

Cause::Kind cause_kind(const std::string& name) {
  for (const auto& [kind, known] : kCauseNames)
    if (name == known) return kind;
  return Cause::Kind::Unknown;
}

}  // namespace pecann::train
