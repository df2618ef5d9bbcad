// An independent solution to compare with: one solve of random features (train/feature_solve.h) that knows nothing of
// the trained one, and how much smaller its residuals are on common fresh points.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>

#include "pecann/problem/problem.h"
#include "pecann/train/feature_solve.h"
#include "pecann/train/solution.h"

namespace pecann::estimate {

struct Reference {
  problem::Problem problem;  // with features for networks; the solution reads it
  std::unique_ptr<train::Solution> solution;
  std::uint64_t seed = 0;
};

/// What the features of a problem that was itself solved by features are; nothing for other problems.
std::optional<train::FeatureChoice> features_of(const problem::Problem& problem);

/// The problem as a solve of features takes it: without points near a density and point-wise multipliers.
problem::Problem for_reference(const problem::Problem& problem);

/// Solves; null where that fails.
std::shared_ptr<const Reference> solve_reference(const problem::Problem& problem, const train::FeatureChoice& choice,
                                                 int steps, std::uint64_t seed);

/// Residuals of the reference over those of the trained solution on fresh points of one window, the larger number of
/// two sets of weights: units of the trained networks, and those of the reference's features. `of_zero`: the trained
/// solution's residuals over those of the zero solution, in the same way.
struct ResidualRatio {
  double of_trained, of_zero;
};
ResidualRatio compare_residuals(const problem::Problem& problem, const train::Solution& solution, std::uint64_t seed,
                                const Reference& reference);

}  // namespace pecann::estimate
