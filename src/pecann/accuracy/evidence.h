// What residuals on fresh points say of a trained attempt, beside the estimate of its error: which means is likely to
// help next.
#pragma once

#include <limits>

#include "pecann/problem/problem.h"
#include "pecann/results/trained_state.h"

namespace pecann::accuracy {

/// Of terms that hold over the domain, at points that training has not seen.
struct Evidence {
  /// Residual (rms) over that on the points of training, of the worst term. Much above one: the network fits its points
  /// and not the equation between them.
  double fresh_over_trained = 1;
  /// The share of the squared residual in the last quarter of time. Much above a quarter: late times fail.
  double late_share = 0;
  /// The residual over the size of the equation's parts, of the worst term: what attempts without a trusted estimate
  /// are compared by. NaN: not known; infinite where it is no number somewhere.
  double residual = std::numeric_limits<double>::quiet_NaN();
  /// Of problems with measured data: how many there are, by what share of their size they are missed, and the same
  /// residual of all other terms.
  double data = 0, misfit = 0, physics = 0;
};

/// More points help, or more of them where the residual is.
inline constexpr double kHidden = 3;
inline bool hides_between_points(const Evidence& evidence) { return evidence.fresh_over_trained > kHidden; }
/// The whole of time is too much for one network.
inline constexpr double kLate = 0.6;
inline bool fails_late(const Evidence& evidence) { return evidence.late_share > kLate; }

/// Of a trial in one time window; in several, nothing is said of time.
Evidence evidence_of(const problem::Problem& problem, results::TrainedState& state);

}  // namespace pecann::accuracy
