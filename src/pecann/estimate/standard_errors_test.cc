// Standard errors against the spread of the scalar over draws of noise.
#include "pecann/estimate/standard_errors.h"

#include <gtest/gtest.h>

#include <cmath>

#include "pecann/problem/problem_file.h"
#include "pecann/train/trainer.h"

namespace pecann::estimate {
namespace {

const std::string kDecay = R"toml(
title = "decay rate from noisy data"
coordinates = { x = [0, 2] }
[parameters]
k = { initial = 0.7, exact = 1.3 }
[exact]
u = "exp(-exact.k*x)"
[[network]]
fields = ["u"]
hidden = [8]
[[term]]
name = "data"
role = "objective"
region = "interior"
equation = "u = data.u"
points = { sobol = 40 }
data = { exact = ["u"], noise = 0.05 }
[[term]]
name = "ode"
role = "constraint"
region = "interior"
equation = "u_x = -k*u"
points = { sobol = 40 }
[[term]]
name = "start"
role = "constraint"
region = "x = 0"
equation = "u = 1"
points = { grid = [2] }
[[phase]]
optimizer = "lm"
epochs = 30
)toml";

TEST(StandardErrors, AreTheSpreadOverDrawsOfNoise) {
  constexpr int kDraws = 24;
  double mean = 0, squares = 0, expected = 0;
  int within_two = 0;
  for (int draw = 0; draw < kDraws; ++draw) {
    const problem::Problem problem =
        problem::read_problem(kDecay, "decay.toml", std::vector<std::string>{"seed=" + std::to_string(11 + draw)});
    train::Trainer trainer(problem, problem.seed);
    trainer.run();
    const train::Solution solution = trainer.solution();
    const std::vector<results::ScalarEstimate> scalars = scalar_estimates(problem, solution, problem.seed);
    ASSERT_EQ(scalars.size(), 1u);
    EXPECT_EQ(scalars[0].name, "k");
    ASSERT_GT(scalars[0].standard_error, 0);
    mean += scalars[0].value / kDraws;
    squares += scalars[0].value * scalars[0].value / kDraws;
    expected += scalars[0].standard_error / kDraws;
    within_two += std::abs(scalars[0].value - 1.3) <= 2 * scalars[0].standard_error;
  }
  const double spread = std::sqrt((squares - mean * mean) * kDraws / (kDraws - 1));
  EXPECT_NEAR(mean, 1.3, 3 * spread / std::sqrt(kDraws));
  EXPECT_LT(expected, 1.5 * spread);
  EXPECT_GT(expected, spread / 1.5);
  EXPECT_GE(within_two, 0.8 * kDraws);
}

TEST(StandardErrors, CoverWhatTrainingHasLeft) {
  const auto trained = [](int epochs) {
    const problem::Problem problem = problem::read_problem(
        kDecay, "decay.toml",
        std::vector<std::string>{"seed=11", "term.data.data.noise=0.001", "phase.1.epochs=" + std::to_string(epochs)});
    train::Trainer trainer(problem, problem.seed);
    trainer.run();
    return scalar_estimates(problem, trainer.solution(), problem.seed)[0];
  };
  const results::ScalarEstimate end = trained(60), early = trained(3);
  const double missing = std::abs(early.value - end.value);
  ASSERT_GT(missing, 2 * end.standard_error) << "three epochs are too few";
  EXPECT_GT(early.standard_error, missing / 3);
}

TEST(StandardErrors, AreUnknownWithoutData) {
  std::string text = kDecay;
  text.replace(text.find("data = {"), std::string("data = { exact = [\"u\"], noise = 0.05 }").size(), "");
  text.replace(text.find("u = data.u"), 10, "u = exact.u");
  const problem::Problem problem =
      problem::read_problem(text, "decay.toml", std::vector<std::string>{"phase.1.epochs=1"});
  train::Trainer trainer(problem, problem.seed);
  trainer.run();
  const train::Solution solution = trainer.solution();
  EXPECT_TRUE(std::isnan(scalar_estimates(problem, solution, problem.seed)[0].standard_error));
}

}  // namespace
}  // namespace pecann::estimate
