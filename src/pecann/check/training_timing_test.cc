#include "pecann/check/training_timing.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "pecann/problem/catalogue.h"

namespace pecann::check {
namespace {

TEST(TrainingTiming, PartsAddUpToTheEpochAndLmHasItsDenseOnes) {
  const problem::Problem problem =
      problem::load_problem("poisson", {"network.1.hidden=[6]", "term.pde.points.grid=[20]"});
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
  const problem::Problem problem = problem::load_problem(
      "poisson", {"network.1.hidden=[6]", "term.pde.points.grid=[20]", "term.pde.distance=absolute"});
  EXPECT_NE(time_training(problem, "lm", "", 1e-3).refusal, "");
}

}  // namespace
}  // namespace pecann::check
