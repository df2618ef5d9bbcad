// Standard errors of trainable scalars that noise in data causes, from the Gauss–Newton matrix of the trained state.
#pragma once

#include <cstdint>
#include <vector>

#include "pecann/problem/problem.h"
#include "pecann/results/estimate.h"
#include "pecann/train/solution.h"

namespace pecann::estimate {

/// The trainable scalars of the last window. All equations count as exact (a large weight), those of data terms with
/// the variance σ² of their residuals; with A = JᵀJ over rows divided by their σ, the covariance of the parameters is
/// A⁻¹, and that of a scalar ν(ξ) is (dν/dξ)² times its diagonal entry. NaN where no term has data.
std::vector<results::ScalarEstimate> scalar_estimates(const problem::Problem& problem, const train::Solution& solution,
                                                      std::uint64_t seed);

}  // namespace pecann::estimate
