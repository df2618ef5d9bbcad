// The search for a step length along a descent direction: φ(t) = f(x + t d), φ'(0) < 0.
//
// A step is accepted with the strong Wolfe conditions [Nocedal & Wright 2006, eq. 3.7]
//
//   φ(t) ≤ φ(0) + c₁ t φ'(0),   |φ'(t)| ≤ c₂ |φ'(0)|
//
// or, where the values can no longer tell (φ(t) within the rounding noise of φ(0)), with the approximate ones, which
// read the decrease off the slopes alone [Hager & Zhang 2005, eq. 4.1]:
//
//   |φ(t) − φ(0)| ≤ noise |φ(0)|,   −c₂ |φ'(0)| ≤ φ'(t) ≤ (1 − 2δ) |φ'(0)|,   δ = 0.1
//
// The search keeps an interval (low, high). low has an acceptable value and a slope still too steep downhill; high is a
// wall: its value is too high, its slope points uphill, or it is not finite. In all three cases
//
//   ψ(t) = φ(t) − φ(0) − c₁ t φ'(0)
//
// has a minimiser between them, and near it both conditions hold, so shrinking the interval finds a step. The
// rule compares no two values with each other but each with φ(0), which keeps it sound in the rounding noise. Every
// tolerance is relative to φ(0) or to the step, so scaling f or x changes nothing.
#pragma once

#include <span>
#include <vector>

#include "pecann/optim/objective.h"

namespace pecann::optim {

struct LineSearchOptions {
  double decrease = 1e-4;      // c₁, in (0, ½)
  double curvature = 0.9;      // c₂, in (c₁, 1)
  double value_noise = 1e-13;  // relative rounding noise of f: sums of 1e3..1e6 squares carry 1e-15..1e-14
  int max_evaluations = 25;
};

enum class LineSearchOutcome {
  Wolfe,             // both strong Wolfe conditions hold
  ApproximateWolfe,  // the slopes say so; the value is within its rounding noise
  Decrease,          // evaluations spent: the lowest point with sufficient decrease, curvature condition not met
  Failed,            // no trial had a sufficient decrease
  NotFinite          // no trial had a finite value and gradient
};

struct LineSearchResult {
  LineSearchOutcome outcome = LineSearchOutcome::Failed;
  double step = 0;
  double value = 0;  // φ(step)
  double slope = 0;  // φ'(step)
  int evaluations = 0;

  bool found() const {
    return outcome == LineSearchOutcome::Wolfe || outcome == LineSearchOutcome::ApproximateWolfe ||
           outcome == LineSearchOutcome::Decrease;
  }
};

class LineSearch {
 public:
  explicit LineSearch(std::size_t size, const LineSearchOptions& options = {});

  /// value = φ(0), slope = φ'(0) < 0, first_step > 0. x is not changed: point() and gradient() hold the new values.
  [[nodiscard]] LineSearchResult search(Objective& objective, std::span<const double> x, double value, double slope,
                                        std::span<const double> direction, double first_step);

  /// x + step·d of the last search that found a step, and the gradient there; valid until the next search.
  std::span<const double> point() const { return best_point_; }
  std::span<const double> gradient() const { return best_gradient_; }

 private:
  LineSearchOptions options_;
  std::vector<double> trial_point_, trial_gradient_, best_point_, best_gradient_;
};

/// One point of φ: what an interpolation needs.
struct LinePoint {
  double step = 0;
  double value = 0;
  double slope = 0;
};

/// The minimiser of the cubic through values and slopes of two points [Nocedal & Wright 2006, eq. 3.59], clamped to
/// [lowest, highest]; the middle of that range when the cubic has none.
double cubic_minimizer(const LinePoint& a, const LinePoint& b, double lowest, double highest);

}  // namespace pecann::optim
