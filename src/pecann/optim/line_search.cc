#include "pecann/optim/line_search.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

#include "pecann/base/require.h"
#include "pecann/optim/vector_algebra.h"

namespace pecann::optim {
namespace {

constexpr double kApproximateDecrease = 0.1;  // δ of the approximate Wolfe conditions
constexpr double kMargin = 0.1;               // a trial keeps this share of the interval from both its ends
constexpr double kShrink = 0.66;              // two trials must shrink the interval to this share, else it is halved
constexpr double kStretch = 9;                // an extrapolation adds at most this many times the last advance

struct Interval {
  LinePoint low;                                                  // starts at step 0
  LinePoint before_low;                                           // the low point before that one, for extrapolation
  std::optional<LinePoint> high;                                  // value and slope are meaningless when not finite
  double width_before = std::numeric_limits<double>::infinity();  // two trials ago, and one trial ago
  double width_last = std::numeric_limits<double>::infinity();

  double width() const { return high ? high->step - low.step : std::numeric_limits<double>::infinity(); }
};

double extrapolated(const Interval& interval) {
  const double step = interval.low.step, advance = step - interval.before_low.step;
  return cubic_minimizer(interval.before_low, interval.low, step + advance, step + kStretch * advance);
}

double interpolated(Interval& interval, double noise) {
  const LinePoint &low = interval.low, &high = *interval.high;
  const double width = interval.width();
  const bool shrinks_slowly = width > kShrink * interval.width_before;
  interval.width_before = interval.width_last;
  interval.width_last = width;
  if (!std::isfinite(high.value)) return low.step + (low.step > 0 ? 0.5 : kMargin) * width;
  if (shrinks_slowly) return low.step + 0.5 * width;
  const double lowest = low.step + kMargin * width, highest = high.step - kMargin * width;
  // Values that differ by noise only would steer the cubic; the slopes still know where the minimum is.
  if (std::abs(high.value - low.value) <= noise && high.slope > 0)
    return std::clamp(low.step + width * low.slope / (low.slope - high.slope), lowest, highest);
  return cubic_minimizer(low, high, lowest, highest);
}

}  // namespace

double cubic_minimizer(const LinePoint& a, const LinePoint& b, double lowest, double highest) {
  const LinePoint &left = a.step <= b.step ? a : b, &right = a.step <= b.step ? b : a;
  const double d1 = left.slope + right.slope - 3 * (left.value - right.value) / (left.step - right.step);
  const double discriminant = d1 * d1 - left.slope * right.slope;
  if (!(discriminant >= 0)) return (lowest + highest) / 2;
  const double d2 = std::sqrt(discriminant);
  const double minimizer =
      right.step - (right.step - left.step) * ((right.slope + d2 - d1) / (right.slope - left.slope + 2 * d2));
  return std::isfinite(minimizer) ? std::clamp(minimizer, lowest, highest) : (lowest + highest) / 2;
}

LineSearch::LineSearch(std::size_t size, const LineSearchOptions& options)
    : options_(options), trial_point_(size), trial_gradient_(size), best_point_(size), best_gradient_(size) {
  require(0 < options.decrease && options.decrease < options.curvature && options.curvature < 1, "0 < c1 < c2 < 1");
  require(options.max_evaluations >= 1, "a line search needs an evaluation");
}

LineSearchResult LineSearch::search(Objective& objective, std::span<const double> x, double value, double slope,
                                    std::span<const double> direction, double first_step) {
  require(slope < 0 && first_step > 0, "a line search needs a descent direction and a positive step");
  const double noise = options_.value_noise * std::abs(value);
  const double steepest = options_.curvature * -slope;
  // Below this step x + step·d rounds to x.
  const double least_step = std::numeric_limits<double>::epsilon() * max_abs(x) / max_abs(direction);
  Interval interval;
  interval.low = interval.before_low = {0, value, slope};

  LineSearchResult best{.outcome = LineSearchOutcome::NotFinite, .value = value, .slope = slope};
  const auto keep_trial = [&](LineSearchOutcome outcome, const LinePoint& trial) {
    best = {outcome, trial.step, trial.value, trial.slope, best.evaluations};
    std::swap(trial_point_, best_point_);
    std::swap(trial_gradient_, best_gradient_);
  };

  double step = first_step;
  while (best.evaluations < options_.max_evaluations) {
    along(x, step, direction, trial_point_);
    LinePoint trial{.step = step};
    trial.value = objective.value_and_gradient(trial_point_, trial_gradient_);
    trial.slope = dot(trial_gradient_, direction);
    ++best.evaluations;

    if (!std::isfinite(trial.value) || !std::isfinite(trial.slope)) {
      trial.value = std::numeric_limits<double>::infinity();
      interval.high = trial;
    } else {
      if (best.outcome == LineSearchOutcome::NotFinite) best.outcome = LineSearchOutcome::Failed;
      const bool decreases = trial.value <= value + options_.decrease * step * slope;
      if (decreases && std::abs(trial.slope) <= steepest) {
        keep_trial(LineSearchOutcome::Wolfe, trial);
        return best;
      }
      const bool within_noise = std::abs(trial.value - value) <= noise;
      if (within_noise && trial.slope >= -steepest && trial.slope <= (1 - 2 * kApproximateDecrease) * -slope) {
        keep_trial(LineSearchOutcome::ApproximateWolfe, trial);
        return best;
      }
      if (decreases && trial.value < best.value) keep_trial(LineSearchOutcome::Decrease, trial);
      // Within the noise only the slope means something.
      if ((!decreases && !within_noise) || trial.slope >= 0) {
        interval.high = trial;
      } else {
        interval.before_low = interval.low;
        interval.low = trial;
      }
    }
    step = interval.high ? interpolated(interval, noise) : extrapolated(interval);
    const bool inside = step > interval.low.step && (!interval.high || step < interval.high->step);
    if (!inside || !std::isfinite(step) || step <= least_step) break;
  }
  return best;
}

}  // namespace pecann::optim
