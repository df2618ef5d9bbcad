#include "pecann/estimate/finer_parts.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "pecann/problem/parts.h"
#include "pecann/problem/recommended.h"

namespace pecann::estimate {
namespace {

/// The problem with more features in the same parts and windows.
problem::Problem with_more_features(const problem::Problem& problem, int steps, double more) {
  train::FeatureChoice choice = *features_of(problem);
  choice.count = static_cast<int>(more * choice.count);
  choice.planes = problem.decompose.planes;
  return train::with_features(problem, choice, steps);
}

double left_in_window(const problem::Problem& problem, const train::Solution& solution, std::uint64_t seed,
                      std::span<const std::vector<double>> before, int window) {
  return train::left_by(problem, seed, solution.parameters(window), {}, before).own;
}

}  // namespace

std::shared_ptr<const Reference> solve_finer_parts(const problem::Problem& problem, std::uint64_t seed, int steps,
                                                   double more) {
  auto reference = std::make_shared<Reference>();
  reference->problem = with_more_features(problem, steps, more);
  reference->seed = seed;
  std::vector<std::vector<double>> windows;
  for (int w = 0; w < problem.windows.count; ++w) {
    std::optional<std::vector<double>> next = train::solved_coefficients(reference->problem, seed, steps, windows);
    if (!next) return nullptr;
    windows.push_back(std::move(*next));
  }
  reference->solution = std::make_unique<train::Solution>(reference->problem, seed);
  for (std::vector<double>& window : windows) reference->solution->add_window(std::move(window));
  return reference;
}

double residual_in_parts(const problem::Problem& problem, const train::Solution& solution, std::uint64_t seed,
                         const Reference& reference) {
  std::vector<std::vector<double>> own, other;
  double worst = 0;
  for (int w = 0; w < solution.num_windows(); ++w) {
    const double trained = left_in_window(problem, solution, seed, own, w);
    const double finer = left_in_window(reference.problem, *reference.solution, reference.seed, other, w);
    worst = std::max(worst,
                     trained > 0 && std::isfinite(finer) ? finer / trained : std::numeric_limits<double>::infinity());
    own.emplace_back(solution.parameters(w).begin(), solution.parameters(w).end());
    other.emplace_back(reference.solution->parameters(w).begin(), reference.solution->parameters(w).end());
  }
  return worst;
}

double finer_parts_flops(const problem::Problem& problem, int steps) {
  const problem::Problem finer = with_more_features(problem, steps, kMoreInParts);
  double own = 0;
  for (const problem::NetworkSpec& network : finer.networks) own += problem::count_parameters(network);
  constexpr double kSmallFront = 300;  // columns: narrower fronts take as long a step as if they had these more
  const double front = own * problem::Parts(finer.box, finer.decompose.planes).widest_front() + kSmallFront;
  constexpr double kBoth = 1.6;  // the second has fewer features
  return kBoth * 2.0 * problem.windows.count * std::min(steps, 3) * problem::count_residuals(finer) * front * front;
}

}  // namespace pecann::estimate
