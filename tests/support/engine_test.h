// A fixture: the engine of a small problem at parameters and multipliers that nothing is special about.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "support/engine_problem.h"

namespace pecann::test {

class EngineTest : public ::testing::Test {
 protected:
  explicit EngineTest(const std::string& toml) : engine(toml) {}

  SmallEngine engine;
  evaluate::Evaluator& evaluator = *engine.evaluator;
  std::vector<double> theta = random_parameters(engine.model, 2);
  RandomDuals duals{evaluator.num_constraint_entries(), 4};

  std::vector<double> gradient_at(const std::vector<double>& parameters) {
    std::vector<double> gradient(parameters.size());
    evaluator.gradient(parameters, duals.view(), gradient);
    return gradient;
  }

  /// Compares every third entry of ∇L with (L(θ + h e) − L(θ − h e))/(2h).
  void expect_gradient_of_differences() {
    const std::vector<double> gradient = gradient_at(theta);
    double scale = 0;
    for (const double entry : gradient) scale = std::max(scale, std::abs(entry));
    for (std::size_t p = 0; p < theta.size(); p += p + 3 < theta.size() ? 3 : 1) {
      const double h = 1e-5, at = theta[p];
      theta[p] = at + h;
      const double above = lagrangian(evaluator.values(theta), duals);
      theta[p] = at - h;
      const double below = lagrangian(evaluator.values(theta), duals);
      theta[p] = at;
      EXPECT_NEAR(gradient[p], (above - below) / (2 * h), 3e-8 * scale) << "parameter " << p;
    }
  }
};

}  // namespace pecann::test
