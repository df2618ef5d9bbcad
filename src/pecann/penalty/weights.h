// The baselines without a penalty term (μ = 0): L = J + Σ λ_i C_i with weights λ.
#pragma once

#include <cstdint>
#include <vector>

#include "pecann/penalty/strategy.h"

namespace pecann::penalty {

/// `fixed`: λ is constant, as in the classical physics-informed network with loss weights.
class FixedWeights final : public Strategy {
 public:
  explicit FixedWeights(const StrategyOptions& options) : options_(options) {}
  DualState start(std::size_t count) const override;
  bool update(std::span<const double> constraints, double loss, std::span<const double> eta, DualState& duals) override;

 private:
  StrategyOptions options_;
};

/// `sa`: self-adaptive weights [McClenny & Braga-Neto 2023; paper §2]. Here
///   λ_i = m(ω_i) = c ω_i^q,   dL/dω_i = m'(ω_i) C_i,   ω₀ = (λ₀/c)^(1/q),
/// ω climbs L by Adam, and λ₀ is options.multiplier. ω and the moments belong to the object, so that each DualState
/// that start() made needs an object of its own (a new time window, a new object).
class SelfAdaptiveWeights final : public Strategy {
 public:
  explicit SelfAdaptiveWeights(const StrategyOptions& options) : options_(options) {}
  DualState start(std::size_t count) const override;
  bool update(std::span<const double> constraints, double loss, std::span<const double> eta, DualState& duals) override;
  void save(StateWriter& writer) const override;  // names begin with "penalty."
  void load(const StateReader& reader) override;

 private:
  StrategyOptions options_;
  std::uint64_t steps_ = 0;
  // ω and the moments of Adam; empty before the first update.
  std::vector<double> weight_, first_moment_, second_moment_;
};

}  // namespace pecann::penalty
