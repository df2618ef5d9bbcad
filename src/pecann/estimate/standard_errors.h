// Standard errors of trainable scalars, from the Gauss–Newton matrix of the trained state: what noise in data causes,
// and what training has left.
#pragma once

#include <cstdint>
#include <vector>

#include "pecann/problem/problem.h"
#include "pecann/results/estimate.h"
#include "pecann/train/extensions.h"
#include "pecann/train/solution.h"

namespace pecann::estimate {

/// The trainable scalars of the last window. All equations count as exact (a large weight), those of data terms with
/// the variance σ² of their residuals; with A = JᵀJ over rows divided by their σ, the covariance of the parameters is
/// A⁻¹, and that of a scalar ν(ξ) is (dν/dξ)² times its diagonal entry. To this the square of the scalar's part of the
/// Gauss–Newton step −A⁻¹Jᵀr is added: as far as it would still move if the equations were met. NaN where no term has
/// data.
std::vector<results::ScalarEstimate> scalar_estimates(const problem::Problem& problem, const train::Solution& solution,
                                                      std::uint64_t seed);

/// About how many multiplications and additions they take; 0 where there are none to compute.
double scalar_flops(const problem::Problem& problem, const train::Solution& solution);

/// Both for a trainer, which takes them now and then for its history.
train::StandardErrors watched_scalars();

}  // namespace pecann::estimate
