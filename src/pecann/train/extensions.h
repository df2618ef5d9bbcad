// What a program that embeds the trainer may put in the place of built-in parts.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>

#include "pecann/optim/optimizer.h"
#include "pecann/penalty/strategy.h"
#include "pecann/problem/problem.h"

namespace pecann::train {

struct Extensions {
  /// Instead of the strategy that [penalty] names; called at the beginning of every time window.
  std::function<std::unique_ptr<penalty::Strategy>()> make_strategy;
  /// Instead of the optimiser that the phase names, for so many parameters; null from it: that one.
  std::function<std::unique_ptr<optim::Optimizer>(const problem::PhaseSpec&, std::size_t)> make_optimizer;
};

}  // namespace pecann::train
