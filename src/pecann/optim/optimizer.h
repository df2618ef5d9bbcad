// An optimiser does one epoch at a time on a frozen objective. Its memory (moments, curvature pairs) lives from step to
// step; between steps the objective may change (multipliers, points), so an optimiser asks for the gradient at x anew
// at the start of a step: evaluators answer that from their cache when only multipliers changed.
#pragma once

#include <optional>
#include <span>
#include <string>

#include "pecann/base/state_archive.h"
#include "pecann/optim/objective.h"

namespace pecann::optim {

enum class StepOutcome {
  Moved,       // x changed
  Stationary,  // the gradient is zero to the optimiser's tolerance; x unchanged
  Stalled,     // no step lowered the value; x unchanged
  NotFinite    // value or gradient not finite at every trial; x unchanged
};

struct StepSummary {
  StepOutcome outcome = StepOutcome::Moved;
  int evaluations = 0;       // calls of value_and_gradient or value, the first one included
  int jacobians = 0;         // Jacobians of the rows, each with its Gram matrix
  int iterations = 0;        // inner iterations done
  double gradient_norm = 0;  // ‖g‖∞ at the start of the step
  bool known = false;        // taken over from a solve that was made before (Solve::know)
  std::string reason;        // why the step ended, in words
};

/// Weights that change by more than this factor make another function, whose curvature has to be learned anew.
inline constexpr double kOtherFunction = 3;

/// The sizes of a problem's matrices.
struct MatrixSizes {
  std::size_t parameters = 0, rows = 0;
  std::size_t front = 0;  // parameters of the widest front (frontal_qr.h); 0 where rows depend on all parameters
};

class Optimizer {
 public:
  virtual ~Optimizer() = default;
  virtual StepSummary step(Objective& objective, std::span<double> x) = 0;
  /// True for an optimiser that works on Objective::least_squares() and on nothing else.
  virtual bool needs_squares() const { return false; }
  /// Throws InputError when the memory does not suffice for such matrices, so that this is known before training and
  /// not in its first step.
  virtual void check_sizes(const MatrixSizes&) const {}
  /// Tells that weights in the objective have changed by up to `factor` relative to each other since the last step, so
  /// that what was learned of its curvature may be out of date. Small changes, such as those of multipliers, are not
  /// told.
  virtual void objective_changed(double /*factor*/) {}
  /// The learning rate; nothing for an optimiser that needs none, where setting it changes nothing.
  virtual std::optional<double> learning_rate() const = 0;
  virtual void set_learning_rate(double rate) = 0;
  /// What the next step adds to the curvature; nothing for an optimiser that adds nothing, and before the first step.
  virtual std::optional<double> damping() const { return std::nullopt; }
  virtual void save(StateWriter& writer) const = 0;  // names begin with "optimizer."
  virtual void load(const StateReader& reader) = 0;
};

}  // namespace pecann::optim
