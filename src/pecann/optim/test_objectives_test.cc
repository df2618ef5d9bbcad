#include "pecann/optim/test_objectives.h"

#include <gtest/gtest.h>

namespace pecann::optim::testing {
namespace {

void expect_gradient_of_value(CountedObjective& objective) {
  const std::size_t size = objective.size();
  objective.weight = 1.5;
  std::vector<double> x(size), gradient(size);
  for (std::size_t i = 0; i < size; ++i) x[i] = 0.3 + 0.1 * static_cast<double>(i % 4);
  objective.value_and_gradient(x, gradient);
  for (std::size_t i = 0; i < size; ++i) {
    const double at = x[i], h = 1e-6;
    x[i] = at + h;
    const double above = objective.value(x);
    x[i] = at - h;
    const double below = objective.value(x);
    x[i] = at;
    EXPECT_NEAR(gradient[i], (above - below) / (2 * h), 1e-6 * (1 + std::abs(gradient[i]))) << i;
  }
}

TEST(TestObjectivesTest, GradientsAreDerivatives) {
  Rosenbrock rosenbrock(6);
  Quadratic quadratic(6);
  Wavy wavy(6);
  expect_gradient_of_value(rosenbrock);
  expect_gradient_of_value(quadratic);
  expect_gradient_of_value(wavy);
}

}  // namespace
}  // namespace pecann::optim::testing
