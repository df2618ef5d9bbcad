// The pieces that dual updates are made of; each works on all entries, says whether a number changed, and vectorises.
#pragma once

#include <span>

#include "pecann/penalty/dual_state.h"

namespace pecann::penalty {

/// Multipliers and penalties stay within ± this bound, so that they never become infinite; where their products do,
/// training says so.
inline constexpr double kLargestDual = 1e150;
double bounded(double value);

DualState constant_start(std::size_t count, double multiplier, double penalty);

/// λ += μ C
bool ascend_multipliers(std::span<const double> constraints, DualState& duals);

/// μ = min(β μ, μ_max)
bool grow_penalties(double beta, double penalty_max, DualState& duals);

/// v̄ = ζ v̄ + (1−ζ) C²
void average_violations(double zeta, std::span<const double> constraints, DualState& duals);

}  // namespace pecann::penalty
