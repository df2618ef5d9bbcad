#include "pecann/optim/adam.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <memory>

#include "pecann/base/input_error.h"
#include "pecann/optim/resume_check.h"
#include "pecann/optim/test_objectives.h"

namespace pecann::optim {
namespace {

// torch.optim.Adam (PyTorch 1.13.0, float64) with lr = 0.01 on the Rosenbrock function of test_objectives.h
// in ten variables from (−1.2, 1, −1.2, …), weight 1 + k/2 in step k = 0, 1, …: the value after each step,
// with that step's weight.
TEST(AdamTest, FollowsPyTorch) {
  const double history[] = {1996.8307090009691, 2896.0465273329587, 3740.457757235326, 4531.829306282966,
                            5271.694241986665,  5961.477624560291,  6602.567353295675, 7196.355094467046,
                            7744.259401738574,  8247.737167076099,  8708.286222757068, 9127.439805961612};
  testing::Rosenbrock objective(10);
  Adam adam(10, {.learning_rate = 0.01});
  std::vector<double> x = testing::rosenbrock_start(10);
  int k = 0;
  for (const double expected : history) {
    objective.weight = 1 + 0.5 * k;
    const StepSummary summary = adam.step(objective, x);
    EXPECT_EQ(summary.evaluations, 1);
    EXPECT_EQ(summary.outcome, StepOutcome::Moved);
    EXPECT_NEAR(objective.value(x), expected, 1e-13 * expected) << "step " << k;
    ++k;
  }
}

TEST(AdamTest, FirstStepIsTheLearningRateAgainstTheSign) {
  testing::OneVariable slope([](double x) { return -3 * x; }, [](double) { return -3.0; });
  Adam adam(1, {.learning_rate = 0.125, .epsilon = 1e-300});
  std::vector<double> x = {0};
  adam.step(slope, x);
  EXPECT_NEAR(x[0], 0.125, 1e-15);
}

TEST(AdamTest, ReachesTheMinimumOfAQuadratic) {
  testing::OneVariable parabola([](double x) { return (x - 3) * (x - 3); }, [](double x) { return 2 * (x - 3); });
  Adam adam(1, {.learning_rate = 0.05});
  std::vector<double> x = {0};
  for (int k = 0; k < 2000; ++k) adam.step(parabola, x);
  EXPECT_NEAR(x[0], 3, 1e-6);
}

TEST(AdamTest, NotFiniteLeavesEverythingAsItWas) {
  bool broken = false;
  testing::OneVariable objective([](double x) { return x; },
                                 [&](double) { return broken ? std::numeric_limits<double>::quiet_NaN() : 1.0; });
  Adam adam(1);
  std::vector<double> x = {0};
  adam.step(objective, x);
  StateWriter before, after;
  adam.save(before);
  const double place = x[0];
  broken = true;
  EXPECT_EQ(adam.step(objective, x).outcome, StepOutcome::NotFinite);
  adam.save(after);
  EXPECT_EQ(x[0], place);
  EXPECT_EQ(before.bytes(), after.bytes());
}

TEST(AdamTest, RestsWhereGradientAndMomentumAreZero) {
  testing::OneVariable flat([](double) { return 1.0; }, [](double) { return 0.0; });
  Adam adam(1);
  std::vector<double> x = {2};
  EXPECT_EQ(adam.step(flat, x).outcome, StepOutcome::Stationary);
  EXPECT_EQ(x[0], 2);
}

TEST(AdamTest, ResumesBitForBit) {
  testing::expect_bit_exact_resume([] { return std::make_unique<Adam>(10, AdamOptions{.learning_rate = 0.02}); }, 50);
}

TEST(AdamTest, StateOfAnotherSizeIsRefused) {
  StateWriter writer;
  Adam(3).save(writer);
  Adam other(4);
  EXPECT_THROW(other.load(StateReader(writer.bytes())), InputError);
}

}  // namespace
}  // namespace pecann::optim
