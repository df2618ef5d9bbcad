// When the standard errors of trainable scalars are taken while training, for the history: at most kMostTimes times,
// evenly over the planned epochs, and less often where they would cost more than kShare of the training and more than
// kFree in all.
//
// Where no time is asked for, that is a function of the problem alone, so that a resumed trial takes them at the same
// epochs. They take a matrix of all parameters: on large networks beside cheap epochs there may be none before the end.
#pragma once

#include <functional>
#include <optional>

#include "pecann/evaluate/evaluator.h"
#include "pecann/problem/problem.h"
#include "pecann/train/record.h"

namespace pecann::train {

class ScalarWatch {
 public:
  static constexpr double kMostTimes = 50, kShare = 0.05;
  static constexpr double kFree = 6e9;  // operations: some tenths of a second

  /// `flops` is about what taking them once costs; 0: there are none.
  ScalarWatch(const problem::Problem& problem, const evaluate::Evaluator& evaluator, double flops);

  /// The epochs from one time to the next; nothing where the clock decides or there are none.
  std::optional<long> interval() const { return interval_; }
  bool due(const EpochRecord& record, long total_epochs) const;
  /// Remembers when they were taken, and the seconds that this took.
  void taken(const EpochRecord& record, double cost) { at_ = record.seconds, cost_ = cost; }

 private:
  std::optional<long> interval_;
  std::optional<double> seconds_;  // at least, from one time to the next; where the clock decides
  double at_ = 0, cost_ = 0;
};

}  // namespace pecann::train
