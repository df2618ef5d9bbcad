// One phase of training: an optimiser with its learning-rate schedule on a Lagrangian with frozen multipliers.
#pragma once

#include <memory>
#include <optional>
#include <span>

#include "pecann/base/state_archive.h"
#include "pecann/optim/lm.h"
#include "pecann/optim/optimizer.h"
#include "pecann/optim/registry.h"
#include "pecann/optim/schedule.h"
#include "pecann/problem/problem.h"
#include "pecann/train/extensions.h"
#include "pecann/train/lagrangian.h"

namespace pecann::train {

class Phase {
 public:
  /// Throws InputError for an optimiser or option that does not exist or does not fit the problem.
  Phase(const problem::PhaseSpec& spec, evaluate::Evaluator& evaluator, const penalty::DualState& duals,
        const Extensions& extensions = {});

  /// Goes on with the memory of an earlier phase (curvature, damping, moments) when it is of the same optimiser with
  /// the same options and as many parameters; otherwise nothing happens. The earlier phase, whose evaluator may be
  /// gone, is of no use afterwards.
  void take_memory(Phase& earlier);

  const problem::PhaseSpec& spec() const { return spec_; }
  /// What the optimiser that the phase names says about itself.
  const optim::OptimizerRow& method() const { return *method_; }
  /// True when the optimiser comes from the program that embeds the trainer.
  bool extended() const { return extended_; }
  /// One epoch at the present learning rate.
  optim::StepSummary step(std::span<double> parameters);
  /// The schedule sees the loss after the epoch.
  void advance(double loss);
  double learning_rate() const;
  double evaluation_seconds() const { return least_squares_ ? least_squares_->seconds() : objective_.seconds(); }
  /// True when an epoch that neither moved θ nor changed a multiplier means that no later one will.
  bool deterministic_stall() const;

  void save(StateWriter& writer) const;
  void load(const StateReader& reader);

 private:
  problem::PhaseSpec spec_;
  const optim::OptimizerRow* method_;
  std::size_t size_;  // parameters
  bool extended_ = false;
  LagrangianObjective objective_;
  std::unique_ptr<optim::Optimizer> optimizer_;  // null: least squares
  std::unique_ptr<LagrangianLeastSquares> least_squares_;
  std::unique_ptr<optim::LevenbergMarquardt> lm_;
  std::unique_ptr<optim::Schedule> schedule_;
};

}  // namespace pecann::train
