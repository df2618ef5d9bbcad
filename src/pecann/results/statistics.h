// Mean, spread and extremes over trials.
#pragma once

#include <cmath>
#include <limits>
#include <span>

namespace pecann::results {

struct Spread {
  double mean, std, best, worst;  // std with n − 1; NaN for a single value
};

/// The spread of errors, of which the smallest is the best. Trials that failed are left out before (over_trials.h). A
/// value that is not finite makes mean, std and worst NaN; best is that of the finite values.
inline Spread spread_of(std::span<const double> values) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  Spread spread{0, 0, nan, nan};
  bool all_finite = true;
  for (const double value : values) {
    spread.mean += value;
    all_finite = all_finite && std::isfinite(value);
    if (!std::isfinite(value)) continue;
    if (!(spread.best <= value)) spread.best = value;
    if (!(spread.worst >= value)) spread.worst = value;
  }
  if (values.empty() || !all_finite) return {nan, nan, spread.best, nan};
  spread.mean /= static_cast<double>(values.size());
  for (const double value : values) spread.std += (value - spread.mean) * (value - spread.mean);
  spread.std = values.size() > 1 ? std::sqrt(spread.std / static_cast<double>(values.size() - 1)) : nan;
  return spread;
}

}  // namespace pecann::results
