#include "pecann/penalty/capu.h"

#include <algorithm>
#include <cmath>

#include "pecann/base/require.h"
#include "pecann/penalty/dual_update.h"

namespace pecann::penalty {

DualState ConditionallyAdaptiveUpdate::start(std::size_t count) const {
  return constant_start(count, options_.multiplier, options_.penalty);
}

bool ConditionallyAdaptiveUpdate::update(std::span<const double> constraints, double loss, std::span<const double> eta,
                                         DualState& duals) {
  require(eta.size() == duals.size(), "one eta per dual entry");
  average_violations(options_.zeta, constraints, duals);
  const bool settled = loss >= options_.omega * duals.previous_loss;
  duals.previous_loss = loss;
  if (!settled) return false;
  const double before = options_.rebase ? augmented_lagrangian(0, constraints, duals) : 0;
  bool changed = ascend_multipliers(constraints, duals);
  for (std::size_t i = 0; i < duals.size(); ++i) {
    const double adapted = bounded(eta[i] / std::sqrt(duals.violation_average[i] + options_.epsilon));
    const double raised = std::max(duals.penalty[i], adapted);
    changed |= raised != duals.penalty[i];
    duals.penalty[i] = raised;
  }
  if (options_.rebase) duals.previous_loss += augmented_lagrangian(0, constraints, duals) - before;
  return changed;
}

DualState RmspropUpdate::start(std::size_t count) const {
  return constant_start(count, options_.multiplier, options_.penalty);
}

bool RmspropUpdate::update(std::span<const double> constraints, double, std::span<const double> eta, DualState& duals) {
  require(eta.size() == duals.size(), "one eta per dual entry");
  average_violations(options_.zeta, constraints, duals);
  bool changed = false;
  for (std::size_t i = 0; i < duals.size(); ++i) {
    const double adapted = bounded(eta[i] / std::sqrt(duals.violation_average[i] + options_.epsilon));
    changed |= adapted != duals.penalty[i];
    duals.penalty[i] = adapted;
  }
  const bool multipliers = ascend_multipliers(constraints, duals);
  return multipliers || changed;
}

}  // namespace pecann::penalty
