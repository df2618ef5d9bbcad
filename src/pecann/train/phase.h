// One phase of training: an optimiser with its learning-rate schedule on a Lagrangian with frozen multipliers.
#pragma once

#include <memory>
#include <optional>
#include <span>

#include "pecann/base/state_archive.h"
#include "pecann/optim/optimizer.h"
#include "pecann/optim/registry.h"
#include "pecann/optim/schedule.h"
#include "pecann/optim/solve.h"
#include "pecann/problem/problem.h"
#include "pecann/train/extensions.h"
#include "pecann/train/lagrangian.h"
#include "pecann/train/record.h"

namespace pecann::train {

class Phase {
 public:
  /// Throws InputError for an optimiser or option that does not exist or does not fit the problem.
  Phase(const problem::PhaseSpec& spec, evaluate::Evaluator& evaluator, const penalty::DualState& duals,
        const Extensions& extensions = {});

  /// Steps of a solve that need not be made again; may be null, and other optimisers than the solve heed none.
  void know(std::shared_ptr<const optim::KnownSteps> steps);
  /// Goes on with the memory of an earlier phase (curvature, damping, moments) when it is of the same optimiser with
  /// the same options and as many parameters; otherwise nothing happens. The earlier phase, whose evaluator may be
  /// gone, is of no use afterwards.
  void take_memory(Phase& earlier);

  const problem::PhaseSpec& spec() const { return spec_; }
  /// What the optimiser that the phase names says about itself.
  const optim::OptimizerRow& method() const { return *method_; }
  /// True when the optimiser comes from the program that embeds the trainer.
  bool extended() const { return extended_; }
  /// Takes the step of one epoch at the present learning rate.
  optim::StepSummary step(std::span<double> parameters);
  /// Counts the epoch of the last step.
  void count_epoch() { ++epochs_; }
  /// Tells the optimiser that the weights in its objective have changed by up to this factor relative to each other.
  void objective_changed(double factor) { optimizer_->objective_changed(factor); }
  /// Shows the loss after the epoch to the schedule.
  void advance(double loss);
  /// Finds out whether the phase ends before its planned epochs: because its `until` is reached, or because
  /// nothing can change any more.
  void look_for_early_end(double loss, bool something_may_change);
  bool ends_as_planned() const { return epochs_ == spec_.epochs; }
  bool ends_early() const { return stalled_ || reached_; }
  bool stalled() const { return stalled_; }
  bool over() const { return epochs_ >= spec_.epochs || ends_early(); }
  /// The learning rate of the schedule; nothing for an optimiser that needs none.
  std::optional<double> learning_rate() const;
  std::optional<double> damping() const { return optimizer_->damping(); }
  double evaluation_seconds() const { return objective_.seconds(); }

  void save(StateWriter& writer) const;
  void load(const StateReader& reader);

 private:
  /// True when an epoch that neither moved θ nor changed a multiplier means that no later one will.
  bool deterministic_stall() const;

  problem::PhaseSpec spec_;
  const optim::OptimizerRow* method_;
  std::size_t size_;  // number of parameters
  bool extended_ = false;
  LagrangianObjective objective_;
  std::unique_ptr<optim::Optimizer> optimizer_;
  std::unique_ptr<optim::Schedule> schedule_;
  long epochs_ = 0;       // epochs that counted
  double start_loss_;     // L of the first epoch, NaN before its end
  bool reached_ = false;  // L fell below PhaseSpec::until times start_loss_
  bool stalled_ = false;  // nothing can change any more
};

}  // namespace pecann::train
