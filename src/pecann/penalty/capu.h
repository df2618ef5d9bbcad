// Penalties that adapt to the size of each constraint's violation.
//
// v̄ is a moving average of C², so η/√(v̄+ε) is a step size for λ that makes one dual step change λ by about η,
// whatever the size of C (RMSProp on the dual problem). `rmsprop` uses it as the penalty directly, in every epoch; then
// λ grows at the same rate η however large the violation is, and μ falls when a violation rises. `capu`
// [paper, algorithm 3] cures both: it waits until the primal problem has settled, L ≥ ω L_prev, and lets μ only grow.
// Bounds [paper, appendix C]: μ ≤ max(μ₀, η/√ε); when |C| < √ε a dual step changes λ by less than max(η, μ₀√ε).
#pragma once

#include "pecann/penalty/strategy.h"

namespace pecann::penalty {

/// `capu`: v̄ every epoch; when L ≥ ω L_prev: λ += μ C with the old μ, then μ = max(μ, η/√(v̄+ε)).
class ConditionallyAdaptiveUpdate final : public Strategy {
 public:
  explicit ConditionallyAdaptiveUpdate(const StrategyOptions& options) : options_(options) {}
  DualState start(std::size_t count) const override;
  bool update(std::span<const double> constraints, double loss, std::span<const double> eta, DualState& duals) override;

 private:
  StrategyOptions options_;
};

/// `rmsprop`: v̄ and μ = η/√(v̄+ε), then λ += μ C with the new μ, every epoch.
class RmspropUpdate final : public Strategy {
 public:
  explicit RmspropUpdate(const StrategyOptions& options) : options_(options) {}
  DualState start(std::size_t count) const override;
  bool update(std::span<const double> constraints, double loss, std::span<const double> eta, DualState& duals) override;

 private:
  StrategyOptions options_;
};

}  // namespace pecann::penalty
