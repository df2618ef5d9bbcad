// What to try next for an accuracy, as a function of the problem and of what was tried: cheap means first, each one
// repeated while it helps.
//
//   features          one solve; then 1.6 times the features, while that halves the estimate
//   features in parts smaller and smaller parts of the domain and time windows, until two levels agree; once more with
//                     four times the work while that halves the estimate
//   windows, features 4 time windows, 16, 64, while that helps: each has to resolve less
//   network           the file's own training, or the recommended one
//   continuation      where that is poor: the same through easier values of a constant that makes a nonlinear
//                     problem hard
//   fresh points      the best network from where it ended, on twice the points, half of them where its residual is
//                     large
//   larger network    1.5 times the width, from the same function
//   windows, network  5 time windows
//   other start       the best network once more, from other random numbers
//
// Windows come before fresh points where the residual of the best network sits in late times (evidence.h). A new means
// is a function of means.h and a place in the order of next_attempt.cc.
#pragma once

#include <map>
#include <optional>
#include <span>

#include "pecann/accuracy/attempt.h"
#include "pecann/train/choose_training.h"

namespace pecann::accuracy {

class Planner {
 public:
  explicit Planner(const problem::Problem& problem) : problem_(problem) {}

  /// Nothing when no means is left. May take seconds: features are probed here, once for every number of windows.
  std::optional<Attempt> next(std::span<const Tried> tried);

  const problem::Problem& problem() const { return problem_; }
  /// What find_features says of this problem, which differs from problem() by its windows only.
  const train::FeatureSearch& probed(const problem::Problem& cut);

 private:
  problem::Problem problem_;
  std::map<int, train::FeatureSearch> probes_;  // by the number of windows
};

}  // namespace pecann::accuracy
