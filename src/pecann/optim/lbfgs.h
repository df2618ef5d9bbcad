// Our own form of L-BFGS: one step() is an epoch of up to `iterations` iterations or `evaluations` evaluations.
//
// A curvature pair needs two gradients of the same function. Multipliers change between epochs, so a pair is formed at
// the end of its own iteration, inside the epoch, and never across two of them; pairs of earlier epochs are kept, since
// a change of multipliers changes the curvature only a little. (PyTorch's way, which stores one mixed pair per epoch,
// is lbfgs_compatible.h.) No test is absolute: how small L has become never ends an epoch.
#pragma once

#include <vector>

#include "pecann/optim/curvature_memory.h"
#include "pecann/optim/line_search.h"
#include "pecann/optim/optimizer_row.h"

namespace pecann::optim {

struct LbfgsOptions {
  int iterations = 20;       // per step(), at most
  int evaluations = 25;      // the iteration that reaches it is the last one of its step()
  int history = 100;         // pairs kept
  double learning_rate = 1;  // first trial of every line search
};

class Lbfgs final : public Optimizer {
 public:
  explicit Lbfgs(std::size_t size, const LbfgsOptions& options = {});

  StepSummary step(Objective& objective, std::span<double> x) override;
  std::optional<double> learning_rate() const override { return options_.learning_rate; }
  void set_learning_rate(double rate) override { options_.learning_rate = rate; }
  /// Curvature of another function misleads.
  void objective_changed(double factor) override {
    if (factor > kOtherFunction) memory_.clear();
  }
  void save(StateWriter& writer) const override;
  void load(const StateReader& reader) override;

  std::size_t num_pairs() const { return memory_.size(); }

 private:
  double set_direction();  // returns its slope
  LineSearchResult search_along(Objective& objective, std::span<const double> x, double value, double slope);
  void remember(std::span<const double> x);

  LbfgsOptions options_;
  CurvatureMemory memory_;
  LineSearch line_search_;
  double last_length_ = 1;  // ‖s‖₁ of the last iteration; 1 before the first
  std::vector<double> gradient_, direction_, s_, y_;
};

OptimizerRow lbfgs_row();

/// The cost of an epoch of L-BFGS, in either form: a line search takes 1.1 evaluations on average (measured).
EpochCost lbfgs_cost(const OptionValues& options, const TrainingSize& size);
OptimizerNumbers lbfgs_numbers(const OptionValues& options, const TrainingSize& size);

}  // namespace pecann::optim
