/// \file
/// The interface for an optimiser of one's own (docs/extensions.md).
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "pecann/export.h"

namespace pecann {

/// The augmented Lagrangian L as a function of all trainable numbers, with frozen multipliers.
class PECANN_API Objective {
 public:
  virtual ~Objective();
  virtual std::size_t size() const = 0;  ///< trainable numbers
  /// Returns L(x) and fills in ∇L.
  virtual double value_and_gradient(std::span<const double> x, std::span<double> gradient) = 0;
  /// Returns L(x); this is cheaper.
  virtual double value(std::span<const double> x) = 0;
};

/// How an epoch's step ended.
enum class StepOutcome {
  Moved,       ///< x changed
  Stationary,  ///< the gradient is zero to the optimiser's tolerance; x unchanged
  Stalled,     ///< no step lowered the value; x unchanged
  NotFinite    ///< value or gradient not finite at every trial; x unchanged
};

/// An optimiser, called once per epoch. Between epochs L changes with its multipliers and points: ask for the gradient
/// anew at the start of a step (it comes from a cache when only multipliers changed).
class PECANN_API Optimizer {
 public:
  virtual ~Optimizer();
  /// Moves x by one step. Evaluations are counted by the library.
  virtual StepOutcome step(Objective& objective, std::span<double> x) = 0;
  /// Called before every step with the learning rate of the phase and its schedule.
  virtual void set_learning_rate(double rate);
  /// Returns everything that later steps depend on, which is what a resumed training needs.
  virtual std::vector<double> state() const;
  /// The inverse of state().
  virtual void restore(std::span<const double> state);
};

}  // namespace pecann
