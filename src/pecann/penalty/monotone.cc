#include "pecann/penalty/monotone.h"

#include <cmath>

#include "pecann/penalty/dual_update.h"

namespace pecann::penalty {

DualState MonotonicUpdate::start(std::size_t count) const {
  return constant_start(count, options_.multiplier, options_.penalty);
}

bool MonotonicUpdate::update(std::span<const double> constraints, double, std::span<const double>, DualState& duals) {
  const bool multipliers = ascend_multipliers(constraints, duals);
  const bool penalties = grow_penalties(options_.beta, options_.penalty_max, duals);
  return multipliers || penalties;
}

DualState ConditionalUpdate::start(std::size_t count) const {
  return constant_start(count, options_.multiplier, options_.penalty);
}

bool ConditionalUpdate::update(std::span<const double> constraints, double, std::span<const double>, DualState& duals) {
  double square = 0;
  for (const double c : constraints) square += c * c;
  const double norm = std::sqrt(square);
  const bool fell = norm < duals.previous_norm;
  duals.previous_norm = norm;
  return fell ? ascend_multipliers(constraints, duals) : grow_penalties(options_.beta, options_.penalty_max, duals);
}

}  // namespace pecann::penalty
