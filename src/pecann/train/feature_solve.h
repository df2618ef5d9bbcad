// A problem whose fields are random features, and what one solve of it is worth on points that it has not seen.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "pecann/optim/solve.h"
#include "pecann/problem/parts.h"
#include "pecann/problem/problem.h"

namespace pecann::train {

struct FeatureChoice {
  problem::Activation activation = problem::Activation::Sin;
  std::vector<double> scale;  // one per coordinate of the problem (network::Features)
  double graded = 0;          // of features and of points
  int count = 0;              // features of every network, in every part
  problem::Planes planes;     // between parts; none: one part
  auto operator<=>(const FeatureChoice&) const = default;
};

/// The problem with features for networks, and on Sobol points: three a feature where a term fills the box, and on its
/// faces as many as keep about the same distance from each other (a fourth of it), since conditions carry the data of
/// a problem. Terms on measured data, on points from files and at single points keep theirs. The phases are one solve
/// of `epochs` epochs.
problem::Problem with_features(const problem::Problem& problem, const FeatureChoice& choice, int epochs);

int number_of_fields(const problem::Problem& problem);

/// True where the solve measures every row by itself, since features are graded: then all that judges it does.
bool measured_by_row(const problem::Problem& problem);

/// Weights by equation in which residuals of one problem are measured.
using EquationWeights = std::vector<double>;

/// What every equation of a problem with features is measured in, the more the steeper they are.
EquationWeights weights_of(const problem::Problem& problem, std::uint64_t seed);

/// True when the residuals are linear in the coefficients of the features.
bool is_linear(const problem::Problem& problem, std::uint64_t seed);

/// Residuals on fresh points over those of the zero solution there, √(Σ ω_e² ‖r_e(x)‖² / Σ ω_e² ‖r_e(0)‖²). Infinite
/// where the solve fails, and where an equation with a residual does not depend on the coefficients.
struct HeldOutRatio {
  double common;  // with the weights given, for comparisons
  double own;     // with those of the features themselves at the solution
  double worse() const { return common > own ? common : own; }
};

/// The coefficients of a solve by at most `steps` Gauss–Newton steps, in the time window after those given; nothing
/// where a number was not finite.
/// `kept`, where given, has the steps then, for a trial that does the same (head_start.h).
std::optional<std::vector<double>> solved_coefficients(const problem::Problem& problem, std::uint64_t seed, int steps,
                                                       std::span<const std::vector<double>> before = {},
                                                       optim::KnownSteps* kept = nullptr);

/// What such coefficients leave. Without weights `common` is infinite.
HeldOutRatio left_by(const problem::Problem& problem, std::uint64_t seed, std::span<const double> coefficients,
                     const EquationWeights& weights, std::span<const std::vector<double>> before = {});

/// Where the equations fail inside: the root mean square of their residuals on fresh points, each in its own unit, in
/// every layer of parts across each coordinate that is cut: [coordinate][layer].
std::vector<std::vector<double>> left_by_layers(const problem::Problem& problem, std::uint64_t seed,
                                                std::span<const double> coefficients,
                                                std::span<const std::vector<double>> before = {});

/// Solves, by at most `steps` Gauss–Newton steps, in the first time window.
HeldOutRatio held_out_ratio(const problem::Problem& problem, std::uint64_t seed, int steps,
                            const EquationWeights& weights);

}  // namespace pecann::train
