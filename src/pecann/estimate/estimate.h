// How large the error of a trained solution is, without the exact one (docs/estimate.md): a cascade.
//
//   1. the linearised error equation, solved twice: new features, new points, another weight of the conditions
//      (tangent_solve.h). Trusted where both leave at most kTrustedLeft of the residual and agree to kTrustedAgree.
//   2. where that is not good: an independent solve of features (reference_solve.h), trusted where its residuals on
//      fresh points are at most kReferenceLeft of the trained solution's.
//   3. otherwise not trusted, with what decided.
//
// A solution that features solved is compared with two other solves instead (three_solutions.h).
//
// The estimate is a function of the run and of what it may cost, with the same bits for any number of threads.
#pragma once

#include <cstdint>
#include <limits>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "pecann/estimate/reference_solve.h"
#include "pecann/estimate/tangent_solve.h"
#include "pecann/results/estimate.h"

namespace pecann::estimate {

inline constexpr double kTrustedLeft = 0.25, kTrustedAgree = 0.5;  // of a trusted estimate
inline constexpr double kGoodLeft = 0.1, kGoodAgree = 0.2;         // of a good one
inline constexpr double kReferenceLeft = 0.1;
inline constexpr double kPartsLeft =
    0.3;  // the same of a solution in parts, which is trusted then, and good below the other
inline constexpr double kMostUnseen = 0.3;  // of the change that the equations see least

struct EstimateOptions {
  int trial = 1;                                                  // whose solution it is; the estimate carries it
  double most_seconds = std::numeric_limits<double>::infinity();  // about; what would take longer is left out
};

class ErrorEstimate {
 public:
  const results::RunEstimate& summary() const { return summary_; }
  /// True when every field's estimate is good, so that the corrected solution is better than the trained one.
  bool good() const;
  /// True when there is an error to add, trusted or not: its shape is known, and not its size alone.
  bool has_error() const { return reference_ != nullptr || !windows_.empty(); }

  /// Expressions [e][point] of the solution with the estimated error added, at any points of the domain.
  std::vector<std::vector<double>> corrected(std::span<const expr::Expr> expressions,
                                             const sampling::PointSet& points) const;

 private:
  friend class Cascade;
  results::RunEstimate summary_;
  const problem::Problem* problem_ = nullptr;
  std::vector<WindowError> windows_;            // where the error equation decided
  std::shared_ptr<const Reference> reference_;  // where the other solution did
};

/// Estimates the error of a trained solution of all windows. `seed` is that of its trial. Problem and solution must
/// outlive the result.
ErrorEstimate estimate_error(const problem::Problem& problem, const train::Solution& solution, std::uint64_t seed,
                             const EstimateOptions& options = {});

/// About how many seconds the first look of the cascade takes on the threads of the caller; 0 where it is none, since
/// nothing can be estimated.
double likely_seconds(const problem::Problem& problem, const train::Solution& solution);

}  // namespace pecann::estimate
