// torch.optim.LBFGS(line_search_fn="strong_wolfe") to the letter, for repeating published trainings: it takes the same
// directions, the same trial steps and the same number of evaluations per step() as PyTorch 1.13 to 2.x.
//
// What sets it apart from lbfgs.h:
// - The pair of an iteration is formed at the beginning of the next one, also when that is in the next step() and the
//   multipliers have changed in between: its y then mixes two Lagrangians.
// - Tests are absolute:
//     max|g| ≤ 1e-7
//     g·d > −1e-9            ends the step with d, t and the old gradient already replaced, so that the next pair
//                            belongs to a step never taken
//     max|t d| ≤ 1e-9
//     |f − f_before| < 1e-9
//     y·s > 1e-10            is what a pair needs
//   Where the loss is below about 1e-8 an epoch is therefore one or two iterations.
#pragma once

#include <cstdint>
#include <vector>

#include "pecann/optim/compatible_line_search.h"
#include "pecann/optim/curvature_memory.h"
#include "pecann/optim/optimizer_row.h"

namespace pecann::optim {

struct LbfgsCompatibleOptions {
  int iterations = 20;             // max_iter
  int evaluations = 25;            // max_eval; PyTorch's default is iterations·5/4
  int history = 100;               // history_size
  double learning_rate = 1;        // lr: first trial of a line search
  double tolerance_grad = 1e-7;    // on max|g|
  double tolerance_change = 1e-9;  // on g·d, max|t d| and the change of f
};

class LbfgsCompatible final : public Optimizer {
 public:
  explicit LbfgsCompatible(std::size_t size, const LbfgsCompatibleOptions& options = {});

  StepSummary step(Objective& objective, std::span<double> x) override;
  std::optional<double> learning_rate() const override { return options_.learning_rate; }
  void set_learning_rate(double rate) override { options_.learning_rate = rate; }
  void save(StateWriter& writer) const override;
  void load(const StateReader& reader) override;

 private:
  void form_pair();

  LbfgsCompatibleOptions options_;
  CurvatureMemory memory_;
  CompatibleLineSearch line_search_;
  std::uint64_t iteration_ = 0;                    // over all steps; the first one is a steepest descent
  double last_step_ = 0;                           // t
  std::vector<double> direction_, last_gradient_;  // d and the gradient it was made from
  std::vector<double> gradient_, s_, y_;           // no state between steps
};

OptimizerRow lbfgs_compatible_row();

}  // namespace pecann::optim
