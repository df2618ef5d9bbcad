// What stands for the training of a problem whose file asks for none in particular: one solve over random features
// where that is good on points that it has not seen, else the recommended training of its networks.
//
// The probe solves small problems for kinds tanh and sin and scales 2, 4, 8, …, the same along every coordinate, then
// along each coordinate by itself, and takes the one whose residuals on fresh points are least, measured for all in the
// same units (feature_solve.h). On a line, where that leaves much, features graded towards the ends are probed too. A
// solve with more features is accepted where its residuals on fresh points are at most kAccepted of those of the zero
// solution: of all problems tried, the one above it that was wrong (heat in two materials, error 8e-2) left 8.7e-3, and
// the worst below it has an error of 3e-3.
//
// The choice is a function of the problem and its seed: all trials, threads and ranks have the same. It becomes part of
// the problem before a run has a folder, so that its problem.toml, and all that is made from it, says what was done.
#pragma once

#include <limits>
#include <optional>
#include <string>

#include "pecann/problem/problem.h"
#include "pecann/train/feature_solve.h"

namespace pecann::train {

inline constexpr double kAccepted = 3e-3;

/// The features that were found for a problem.
struct FeatureSearch {
  std::optional<FeatureChoice> choice;                    // nothing where none has a use
  double left = std::numeric_limits<double>::infinity();  // residual on fresh points over that of the zero solution
  bool linear = false;                                    // one step of the solve is the solution
  int steps = 1;                                          // else at most so many
};

/// Features as people read them: "800 sin features of scale 8, 16".
std::string words(const FeatureChoice& choice);

/// Why no solve of features is tried; "" where it is.
std::string obstacle_to_solve(const problem::Problem& problem);

/// Probes and solves, in the first time window where there are several, without a look at whether the training is open
/// or features are good enough.
FeatureSearch find_features(const problem::Problem& problem);

/// The problem whose networks are trained, where its training is chosen and not its file's: points that the file leaves
/// open follow the residual (problem/automatic.h), and the phases are recommended for these.
problem::Problem with_trained_networks(problem::Problem problem);

/// The problem to train: with features, their points and one phase `solve`; or with trained networks. Its
/// `recommendation` says which and why.
problem::Problem choose_training(const problem::Problem& problem);

}  // namespace pecann::train
