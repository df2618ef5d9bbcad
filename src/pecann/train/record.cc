#include "pecann/train/record.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>

namespace pecann::train {

double WindowReport::excess() const {
  double largest = not_finite.empty() ? 0 : std::numeric_limits<double>::infinity();
  for (const CheckValue& check : checks)
    largest = std::max(
        largest, std::isfinite(check.value) ? check.value / check.limit : std::numeric_limits<double>::infinity());
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

}  // namespace pecann::train
