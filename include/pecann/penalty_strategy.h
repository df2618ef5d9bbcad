/// \file
/// The interface for a rule of one's own for multipliers and penalties (examples/04_own_strategy.cc).
#pragma once

#include <span>
#include <vector>

#include "pecann/export.h"

namespace pecann {

/// Multipliers λ and penalties μ, one entry per constraint (per point of a point-wise one).
struct Duals {
  std::span<double> multiplier;  ///< λ
  std::span<double> penalty;     ///< μ
};

/// What a strategy sees after an epoch.
struct DualInput {
  std::span<const double> constraints;  ///< C at the new parameters
  double loss = 0;                      ///< L there, with the old λ and μ
  std::span<const double> eta;          ///< η of every entry
};

/// How λ and μ change after an epoch. One object serves one time window.
class PECANN_API PenaltyStrategy {
 public:
  virtual ~PenaltyStrategy();
  /// Called before the first epoch, with λ = μ = 1.
  virtual void start(Duals duals);
  /// Called after every epoch; returns true when λ or μ changed.
  virtual bool update(const DualInput& input, Duals duals) = 0;
  /// Returns everything beyond λ and μ that later updates depend on, which is what a resumed training needs.
  virtual std::vector<double> state() const;
  /// The inverse of state().
  virtual void restore(std::span<const double> state);
};

}  // namespace pecann
