#include "pecann/optim/compatible_line_search.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "pecann/optim/vector_algebra.h"

namespace pecann::optim {
namespace {

constexpr double kDecrease = 1e-4, kCurvature = 0.9, kTolerance = 1e-9;
constexpr int kMaxIterations = 25;

// The order of the two points decides between two forms of the same number, and comparisons with NaN fall to
// the side they fall to there; both are kept, for the decisions that follow can hang on the last bit.
double cubic(double x1, double f1, double g1, double x2, double f2, double g2, double lowest, double highest) {
  const double d1 = g1 + g2 - 3 * (f1 - f2) / (x1 - x2);
  const double discriminant = d1 * d1 - g1 * g2;
  if (!(discriminant >= 0)) return (lowest + highest) / 2;
  const double d2 = std::sqrt(discriminant);
  const double minimizer = x1 <= x2 ? x2 - (x2 - x1) * ((g2 + d2 - d1) / (g2 - g1 + 2 * d2))
                                    : x1 - (x1 - x2) * ((g1 + d2 - d1) / (g1 - g2 + 2 * d2));
  return std::min(std::max(minimizer, lowest), highest);
}

}  // namespace

void CompatibleLineSearch::evaluate(Objective& objective, std::span<const double> x, std::span<const double> direction,
                                    double step, Trial& trial) {
  along(x, step, direction, point_);
  trial.gradient.resize(x.size());
  trial.step = step;
  trial.value = objective.value_and_gradient(point_, trial.gradient);
  trial.slope = dot(trial.gradient, direction);
}

CompatibleSearchResult CompatibleLineSearch::search(Objective& objective, std::span<const double> x, double first_step,
                                                    std::span<const double> direction, double value, double slope,
                                                    std::span<double> gradient) {
  const double longest = max_abs(direction);
  const auto too_high = [&](const Trial& t) { return t.value > value + kDecrease * t.step * slope; };
  const auto flat = [&](const Trial& t) { return std::abs(t.slope) <= -kCurvature * slope; };

  // Bracketing. `first` and `second` are the two places of the interval in the order of their making (second
  // the later one); which of them is the lower is a separate question.
  previous_.step = 0;
  previous_.value = value;
  previous_.slope = slope;
  previous_.gradient.assign(gradient.begin(), gradient.end());
  evaluate(objective, x, direction, first_step, trial_);
  int evaluations = 1, iteration = 0;
  bool done = false;
  while (iteration < kMaxIterations) {
    if (too_high(trial_) || (iteration > 1 && trial_.value >= previous_.value)) break;
    if (flat(trial_)) {
      done = true;
      break;
    }
    if (trial_.slope >= 0) break;
    const double next = cubic(previous_.step, previous_.value, previous_.slope, trial_.step, trial_.value, trial_.slope,
                              trial_.step + 0.01 * (trial_.step - previous_.step), trial_.step * 10);
    std::swap(previous_, trial_);
    evaluate(objective, x, direction, next, trial_);
    ++evaluations;
    ++iteration;
  }
  if (iteration == kMaxIterations) {  // never bracketed: the interval is everything from the start
    previous_.step = 0;
    previous_.value = value;
    previous_.gradient.assign(gradient.begin(), gradient.end());
  }

  Trial& first = low_;
  Trial& second = high_;
  std::swap(first, previous_);
  std::swap(second, trial_);
  bool first_is_low = !done && first.value <= second.value;
  bool little_progress = false;
  while (!done && iteration < kMaxIterations) {
    if (std::abs(second.step - first.step) * longest < kTolerance) break;
    const double left = std::min(first.step, second.step), right = std::max(first.step, second.step);
    double step = cubic(first.step, first.value, first.slope, second.step, second.value, second.slope, left, right);

    // A trial too near an end is let pass once, then moved a tenth of the interval inside.
    const double margin = 0.1 * (right - left);
    if (std::min(right - step, step - left) < margin) {
      if (little_progress || step >= right || step <= left) {
        step = std::abs(step - right) < std::abs(step - left) ? right - margin : left + margin;
        little_progress = false;
      } else {
        little_progress = true;
      }
    } else {
      little_progress = false;
    }

    evaluate(objective, x, direction, step, trial_);
    ++evaluations;
    ++iteration;
    Trial& low = first_is_low ? first : second;
    Trial& high = first_is_low ? second : first;
    if (too_high(trial_) || trial_.value >= low.value) {
      std::swap(high, trial_);
      first_is_low = first.value <= second.value;
    } else {
      if (flat(trial_)) {
        done = true;
      } else if (trial_.slope * (high.step - low.step) >= 0) {
        std::swap(high, low);  // the old low becomes the high; its place takes the new point
      }
      std::swap(low, trial_);
    }
  }

  const Trial& result = first_is_low ? first : second;
  std::ranges::copy(result.gradient, gradient.begin());
  return {result.step, result.value, evaluations};
}

}  // namespace pecann::optim
