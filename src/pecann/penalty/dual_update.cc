#include "pecann/penalty/dual_update.h"

#include <algorithm>

#include "pecann/base/require.h"

namespace pecann::penalty {

double bounded(double value) { return std::clamp(value, -kLargestDual, kLargestDual); }

DualState constant_start(std::size_t count, double multiplier, double penalty) {
  DualState duals(count);
  std::ranges::fill(duals.multiplier, multiplier);
  std::ranges::fill(duals.penalty, penalty);
  return duals;
}

bool ascend_multipliers(std::span<const double> constraints, DualState& duals) {
  require(constraints.size() == duals.size(), "one dual entry per constraint");
  bool changed = false;
  for (std::size_t i = 0; i < constraints.size(); ++i) {
    const double raised = bounded(duals.multiplier[i] + duals.penalty[i] * constraints[i]);
    changed |= raised != duals.multiplier[i];
    duals.multiplier[i] = raised;
  }
  return changed;
}

bool grow_penalties(double beta, double penalty_max, DualState& duals) {
  bool changed = false;
  for (double& penalty : duals.penalty) {
    const double grown = bounded(std::min(beta * penalty, penalty_max));
    changed |= grown != penalty;
    penalty = grown;
  }
  return changed;
}

void average_violations(double zeta, std::span<const double> constraints, DualState& duals) {
  require(constraints.size() == duals.size(), "one dual entry per constraint");
  for (std::size_t i = 0; i < constraints.size(); ++i)
    duals.violation_average[i] = zeta * duals.violation_average[i] + (1 - zeta) * constraints[i] * constraints[i];
}

}  // namespace pecann::penalty
