// What a program that embeds the trainer may put in the place of built-in parts, and what it knows already.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include "pecann/optim/optimizer.h"
#include "pecann/penalty/strategy.h"
#include "pecann/problem/problem.h"
#include "pecann/train/head_start.h"

namespace pecann::train {

class PointChanges;  // train/point_changes.h
class Solution;      // train/solution.h

/// Standard errors of the problem's trainable scalars at a state of the training.
struct StandardErrors {
  /// In the order of the scalars; NaN: not known. Empty: the history has none.
  std::function<std::vector<double>(const problem::Problem&, const Solution&, std::uint64_t seed)> at;
  /// About how many multiplications and additions that takes; 0: there are none.
  std::function<double(const problem::Problem&, const Solution&)> flops;
};

struct Extensions {
  /// Makes a strategy that replaces the one that [penalty] names; called at the beginning of every time window.
  std::function<std::unique_ptr<penalty::Strategy>()> make_strategy;
  /// Makes an optimiser for so many parameters that replaces the one that the phase names. Where it returns null,
  /// the phase keeps its own.
  std::function<std::unique_ptr<optim::Optimizer>(const problem::PhaseSpec&, std::size_t)> make_optimizer;
  /// Called after every epoch, before observers and checkpoints; it may change points.
  std::function<void(PointChanges&)> change_points;
  /// What the choice of the training has of it already; may be null.
  std::shared_ptr<const HeadStart> head_start;
  /// Taken now and then (scalar_watch.h); the training does the same with and without.
  StandardErrors standard_errors;
};

}  // namespace pecann::train
