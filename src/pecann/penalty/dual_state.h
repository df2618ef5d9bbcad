// Multipliers and penalties of all constraints in one flat list: an aggregated constraint has one entry, a point-wise
// one has an entry per point. Everything here is K (or tens of thousands of) numbers; no PDE, no network.
#pragma once

#include <cstddef>
#include <limits>
#include <span>
#include <string>
#include <vector>

#include "pecann/base/state_archive.h"

namespace pecann::penalty {

struct DualState {
  std::vector<double> multiplier;         // λ, starts at 1
  std::vector<double> penalty;            // μ, starts at 1
  std::vector<double> violation_average;  // v̄, starts at 0
  double previous_loss = std::numeric_limits<double>::infinity();
  double previous_norm = std::numeric_limits<double>::infinity();

  explicit DualState(std::size_t count = 0)
      : multiplier(count, 1.0), penalty(count, 1.0), violation_average(count, 0.0) {}
  std::size_t size() const { return multiplier.size(); }
};

/// L = J + Σ λ_i C_i + ½ Σ μ_i C_i²
double augmented_lagrangian(double objective, std::span<const double> constraints, const DualState& duals);

/// weights[i] = ∂L/∂C_i = λ_i + μ_i C_i
void lagrangian_weights(std::span<const double> constraints, const DualState& duals, std::span<double> weights);

/// Names begin with "duals."; the number of entries must be the same when loading.
void save_duals(const DualState& duals, StateWriter& writer);
void load_duals(const StateReader& reader, DualState& duals);

}  // namespace pecann::penalty
