// The two classical rules with a common growth μ ← min(β μ, μ_max) of all penalties [paper, algorithms 1 and 2].
#pragma once

#include "pecann/penalty/strategy.h"

namespace pecann::penalty {

/// `mpu`: after every epoch λ += μ C with the old μ, then μ grows.
class MonotonicUpdate final : public Strategy {
 public:
  explicit MonotonicUpdate(const StrategyOptions& options) : options_(options) {}
  DualState start(std::size_t count) const override;
  bool update(std::span<const double> constraints, double loss, std::span<const double> eta, DualState& duals) override;

 private:
  StrategyOptions options_;
};

/// `cpu`: λ += μ C when ‖C‖₂ fell since the last epoch, otherwise μ grows.
class ConditionalUpdate final : public Strategy {
 public:
  explicit ConditionalUpdate(const StrategyOptions& options) : options_(options) {}
  DualState start(std::size_t count) const override;
  bool update(std::span<const double> constraints, double loss, std::span<const double> eta, DualState& duals) override;

 private:
  StrategyOptions options_;
};

}  // namespace pecann::penalty
