#include "pecann/check/lint_gradient.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "pecann/base/random_stream.h"
#include "pecann/train/lagrangian.h"

namespace pecann::check {

GradientCheck taylor_test(optim::Objective& objective, std::span<const double> parameters, std::uint64_t seed) {
  RandomStream stream(seed, "lint.direction");
  const std::size_t size = parameters.size();
  std::vector<double> direction(size), gradient(size), moved(size);
  double norm = 0;
  for (double& entry : direction) {
    entry = stream.normal();
    norm += entry * entry;
  }
  for (double& entry : direction) entry /= std::sqrt(norm);
  const double value = objective.value_and_gradient(parameters, gradient);
  double slope = 0;
  for (std::size_t i = 0; i < size; ++i) slope += gradient[i] * direction[i];

  std::vector<double> orders;
  double before = 0;
  for (int k = 3; k <= 16; ++k) {
    const double h = std::ldexp(1.0, -k);
    for (std::size_t i = 0; i < size; ++i) moved[i] = parameters[i] + h * direction[i];
    const double there = objective.value(moved);
    const double rest = std::abs(there - value - h * slope);
    // The rounding of a sum over thousands of points: a remainder below it says nothing.
    const double rounding = 1e3 * std::numeric_limits<double>::epsilon() * (std::abs(value) + std::abs(there));
    if (!std::isfinite(rest)) return {.order = 0, .halvings = 1};  // no gradient describes that
    if (rest <= rounding) break;
    if (before > 0) orders.push_back(std::log2(before / rest));
    before = rest;
  }
  // The first halvings may lie where higher derivatives still count.
  GradientCheck result;
  result.halvings = static_cast<int>(orders.size());
  if (orders.empty()) return result;
  std::vector<double> last(orders.end() - std::min<std::ptrdiff_t>(3, std::ssize(orders)), orders.end());
  std::sort(last.begin(), last.end());
  result.order = last[last.size() / 2];
  return result;
}

GradientCheck check_gradient(evaluate::Evaluator& evaluator, std::span<const double> parameters, std::uint64_t seed) {
  penalty::DualState duals(evaluator.num_constraint_entries());
  RandomStream stream(seed, "lint.multipliers");
  for (double& multiplier : duals.multiplier) multiplier = 0.5 + stream.uniform();
  for (double& penalty : duals.penalty) penalty = 0.5 + stream.uniform();
  train::LagrangianObjective objective(evaluator, duals);
  return taylor_test(objective, parameters, seed);
}

}  // namespace pecann::check
