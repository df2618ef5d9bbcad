// How multipliers and penalties change after an epoch. A strategy sees constraint values, L and the dual
// state, nothing else.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "pecann/base/state_archive.h"
#include "pecann/penalty/dual_state.h"

namespace pecann::penalty {

/// The options of [penalty] in a problem. Their names, defaults, ranges and meanings for users are in registry.h.
struct StrategyOptions {
  std::string strategy = "capu";   // a row of registry.h
  std::optional<double> eta;       // η of constraints without their own; default: by the optimisers
  double beta = 2;                 // mpu, cpu: μ ← min(β μ, μ_max)
  double penalty_max = 1e4;        // mpu, cpu: μ_max
  double zeta = 0.99;              // capu, rmsprop: v̄ ← ζ v̄ + (1−ζ) C²
  double omega = 0.999;            // capu: dual update when L ≥ ω L_prev
  double epsilon = 1e-16;          // capu, rmsprop: μ = η/√(v̄+ε)
  double multiplier = 1;           // start value of λ; the constant weight of `fixed`
  double penalty = 1;              // start value of μ (`fixed` and `sa` have none)
  bool rebase = false;             // capu: L_prev := L with the new duals after an update
  double sa_scale = 1;             // sa: mask m(ω) = c ω^q
  double sa_power = 2;             // sa: q
  double sa_learning_rate = 1e-3;  // sa: gradient ascent on ω (Adam)
};

class Strategy {
 public:
  virtual ~Strategy() = default;
  /// The duals that every run begins with, for `count` constraint entries.
  virtual DualState start(std::size_t count) const = 0;
  /// Updates the duals after an epoch: `constraints` are those at the new parameters, `loss` is L there with the old
  /// duals, and `eta` has one entry per constraint entry. True when λ or μ changed.
  virtual bool update(std::span<const double> constraints, double loss, std::span<const double> eta,
                      DualState& duals) = 0;
  /// State beyond DualState (most strategies have none).
  virtual void save(StateWriter&) const {}
  virtual void load(const StateReader&) {}
};

}  // namespace pecann::penalty
