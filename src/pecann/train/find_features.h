// Looks for random features that suit a problem: their kind, their scales and their number.
//
// The probe solves small problems for kinds tanh and sin and scales 2, 4, 8, …, the same along every coordinate, then
// along each coordinate by itself, and takes the one whose residuals on fresh points are least, measured for all in the
// same units (feature_solve.h). On a line, where that leaves much, features graded towards the ends are probed too.
//
// Then the solve grows: twice the features, again and again, while that at least halves what is left. Where a step is
// not enough and does not gain clearly, features twice as steep are tried as well, for the probe with its few features
// prefers flat ones. The limits are numbers of products and not seconds by the clock: the choice is a function of the
// problem and its seed, the same on every machine.
#pragma once

#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <string>

#include "pecann/problem/problem.h"
#include "pecann/train/feature_solve.h"

namespace pecann::train {

/// A linear problem is accepted where its residuals on fresh points are at most this share of those of the zero
/// solution: of all problems tried, the one above it that was wrong (heat in two materials, error 8e-2) left 8.7e-3,
/// and the worst below it has an error of 3e-3.
inline constexpr double kAccepted = 3e-3;
/// Residuals of nonlinear problems that more features would not cure.
inline constexpr double kHopeless = 0.3;

/// The features that were found for a problem.
struct FeatureSearch {
  std::optional<FeatureChoice> choice;                    // nothing where none has a use
  double left = std::numeric_limits<double>::infinity();  // residual on fresh points over that of the zero solution
  bool linear = false;                                    // one step of the solve is the solution
  int steps = 1;                                          // else at most so many
  EquationWeights weights;                                // common units of the equations
  std::shared_ptr<const optim::KnownSteps> steps_made;    // of the solve
};

/// Features as people read them: "800 sin features of scale 8, 16".
std::string words(const FeatureChoice& choice);

/// Products of the QR of a problem with features: rows times the square of the columns.
double feature_products(const problem::Problem& problem);

/// Is told of every solve that was tried, in words, so that a person can follow a long search.
using Tell = std::function<void(const std::string& what)>;

/// How far the number of features grows.
struct GrowthLimits {
  double enough = 0;       // no further once this or less is left
  double products = 1e12;  // of the QR (feature_products) of a linear solve; a tenth for each step of a nonlinear one
};

/// Products that go with the budget of a problem (stop.seconds): about a tenth of what one thread does in that time,
/// for several solves come before the last. Without a budget those of GrowthLimits.
double affordable_products(const problem::Problem& problem);

/// Probes and solves, in the first time window where there are several, without a look at whether the training is open
/// or features are good enough.
FeatureSearch find_features(const problem::Problem& problem, const GrowthLimits& limits = {}, const Tell& tell = {});

}  // namespace pecann::train
