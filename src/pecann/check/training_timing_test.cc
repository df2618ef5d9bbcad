#include "pecann/check/training_timing.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "pecann/problem/catalogue.h"

namespace pecann::check {
namespace {

problem::Problem small_problem(const std::string& distance) {
  const std::vector<std::string> overrides = {"network.1.hidden=[6]", "term.pde.points.grid=[20]",
                                              "term.pde.distance=" + distance};
  return problem::load_problem("poisson", overrides);
}

TEST(TrainingTiming, PartsAddUpToTheEpochAndLmHasItsDenseOnes) {
  const problem::Problem problem = small_problem("square");
  for (const char* optimizer : {"adam", "lbfgs", "lm"}) {
    const TrainingTiming timing = time_training(problem, optimizer, "", 1e-3);
    EXPECT_EQ(timing.refusal, "");
    EXPECT_GE(timing.epochs, 1);
    double sum = 0;
    for (const PartTiming& part : timing.parts) sum += part.ms;
    EXPECT_NEAR(sum, timing.ms, 1e-9 * timing.ms + 1e-9) << optimizer;
    const auto has = [&](const char* name) {
      return std::ranges::any_of(timing.parts, [&](const PartTiming& part) { return part.name == name; });
    };
    EXPECT_TRUE(has("gradient")) << optimizer;
    for (const char* dense : {"Jacobian", "Gram", "factor", "solves"})
      EXPECT_EQ(has(dense), std::string(optimizer) == "lm") << optimizer << " " << dense;
  }
}

TEST(TrainingTiming, AnOptimiserThatDoesNotFitSaysWhy) {
  EXPECT_NE(time_training(small_problem("absolute"), "lm", "", 1e-3).refusal, "");
}

}  // namespace
}  // namespace pecann::check
