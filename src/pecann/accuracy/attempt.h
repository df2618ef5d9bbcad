// One way to solve a problem, and what came of it: what the search for an accuracy is made of.
#pragma once

#include <limits>
#include <memory>
#include <optional>
#include <string>

#include "pecann/accuracy/evidence.h"
#include "pecann/problem/problem.h"
#include "pecann/train/feature_solve.h"
#include "pecann/train/head_start.h"

namespace pecann::accuracy {

enum class Means {
  Features,         // one solve of random features over the whole domain
  PartsFeatures,    // solves of features in parts of the domain, and time windows
  WindowsFeatures,  // solves of features in one time window after the other
  Network,          // training of networks
  Continuation,     // the same, through easier values of a constant
  FreshPoints,      // the network of an attempt before, trained further on more points, where the residual is
  LargerNetwork,    // training of wider networks, which begin as an attempt before
  WindowsNetwork,   // training of networks in time windows
  OtherStart        // training of networks from other random numbers
};
const char* name_of(Means means);

struct Attempt {
  Means means = Means::Network;
  problem::Problem problem;         // as it is trained: networks, points, phases and windows are named
  std::string what, why;            // for people: what is tried and for which reason, without a full stop
  std::optional<int> begins_with;   // the attempt, counted from 0, whose parameters are the start of this one
  train::FeatureChoice features{};  // of those that are solved
  std::shared_ptr<const train::HeadStart> head_start = nullptr;  // what the choice has of the solve already
};

/// What is known of an attempt that has ended.
struct Outcome {
  bool failed = false;                                     // no solution came of it
  std::string of_another;                                  // constants it ended with instead of the problem's own
  bool trusted = false;                                    // the estimate below
  double error = std::numeric_limits<double>::infinity();  // estimated relative l² error, of the worst field
  double most = std::numeric_limits<double>::infinity();   // what the error is at most, where it is trusted
  std::string scalar;                                      // the trainable scalar that is known worst
  double scalar_error = 0;                                 // its standard error over its value
  double seconds = 0;                                      // of choice, training and estimate
  Evidence evidence{};                                     // on fresh points
};

/// An attempt that has ended, as later choices look at it.
struct Tried {
  Attempt attempt;
  Outcome outcome;
};

/// True when `a` is the better answer: one of the problem itself before one of another problem, trusted before not
/// trusted, then the smaller estimate; of two that are not trusted, the smaller residual.
bool better(const Outcome& a, const Outcome& b);

}  // namespace pecann::accuracy
