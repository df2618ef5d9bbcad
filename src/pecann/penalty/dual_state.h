// Multipliers and penalties of all constraints in one flat list: an aggregated constraint has one entry, a point-wise
// one has an entry per point. Everything here is K (or tens of thousands of) numbers; no PDE, no network.
#pragma once

#include <algorithm>
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

// What one constraint adds to L, and how L changes with it. Everything that needs a part of L or its slope asks here.

/// λC + ½μC²
inline double lagrangian_part(double multiplier, double penalty, double constraint) {
  return multiplier * constraint + 0.5 * penalty * constraint * constraint;
}

/// The mean of λC + ½μC² over points of which the means of C and of C² are known.
inline double lagrangian_part_of_means(double multiplier, double penalty, double mean, double mean_square) {
  return multiplier * mean + 0.5 * penalty * mean_square;
}

/// ∂L/∂C = λ + μC: the weight of a constraint's gradient in ∇L.
inline double lagrangian_weight(double multiplier, double penalty, double constraint) {
  return multiplier + penalty * constraint;
}

// A point-wise inequality g ≤ 0 with the multiplier λ ≥ 0 adds, after Powell, Hestenes and Rockafellar,
//
//     (max(0, λ + μ g)² − λ²)/(2μ) = λ c + ½ μ c²,   c = max(g, −λ/μ),
//
// so that everything above, and every dual update, holds for it with c in place of C: ∂L/∂g = λ + μ c =
// max(0, λ + μ g), and λ + μ c, the next λ, is never negative.

/// c = max(g, −λ/μ); for μ = 0, which only weights without multipliers have, the violation max(g, 0).
inline double multiplied_inequality(double multiplier, double penalty, double g) {
  return std::max(g, penalty > 0 ? -multiplier / penalty : 0.0);
}

/// Names begin with "duals."; the number of entries must be the same when loading.
void save_duals(const DualState& duals, StateWriter& writer);
void load_duals(const StateReader& reader, DualState& duals);

}  // namespace pecann::penalty
