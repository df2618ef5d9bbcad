#include "pecann/optim/lbfgs.h"

#include <gtest/gtest.h>

#include <cmath>
#include <memory>

#include "pecann/optim/resume_check.h"
#include "pecann/optim/test_objectives.h"
#include "pecann/optim/vector_algebra.h"

namespace pecann::optim {
namespace {

/// Keeps the points where it was asked.
class Recorded : public testing::CountedObjective {
 public:
  using CountedObjective::CountedObjective;
  std::vector<std::vector<double>> points;

 protected:
  double evaluate(std::span<const double> x, std::span<double> gradient) final {
    points.emplace_back(x.begin(), x.end());
    return record(x, gradient);
  }
  virtual double record(std::span<const double> x, std::span<double> gradient) = 0;
};

/// ½ weight Σ x²
class Bowl : public Recorded {
 public:
  using Recorded::Recorded;

 protected:
  double record(std::span<const double> x, std::span<double> gradient) override {
    for (std::size_t i = 0; i < x.size(); ++i) gradient[i] = weight * x[i];
    return 0.5 * weight * dot(x, x);
  }
};

TEST(LbfgsTest, SolvesRosenbrockToRounding) {
  testing::Rosenbrock objective(10);
  Lbfgs lbfgs(10);
  std::vector<double> x = testing::rosenbrock_start(10);
  for (int k = 0; k < 12; ++k) lbfgs.step(objective, x);
  for (const double entry : x) EXPECT_NEAR(entry, 1, 1e-12);
}

TEST(LbfgsTest, SolvesAnIllConditionedQuadraticFarBelowAnyAbsoluteTest) {
  testing::Quadratic objective(12);
  Lbfgs lbfgs(12);
  std::vector<double> x(12, 0.0);
  for (int k = 0; k < 12; ++k) {
    objective.weight = 1 + 0.5 * k;
    lbfgs.step(objective, x);
  }
  EXPECT_LT(objective.value(x), 1e-22) << "the compatible mode stops at 1e-10 here";
}

TEST(LbfgsTest, SmallFunctionsAreNoDifferent) {
  testing::OneVariable tiny([](double x) { return 1e-30 * (x - 3) * (x - 3); },
                            [](double x) { return 2e-30 * (x - 3); });
  Lbfgs lbfgs(1);
  std::vector<double> x = {0};
  for (int k = 0; k < 10; ++k) lbfgs.step(tiny, x);
  EXPECT_NEAR(x[0], 3, 1e-12);
}

TEST(LbfgsTest, StepHasItsLengthInIterationsOrEvaluations) {
  testing::Rosenbrock objective(10);
  std::vector<double> x = testing::rosenbrock_start(10);
  Lbfgs short_steps(10, {.iterations = 3});
  StepSummary summary = short_steps.step(objective, x);
  EXPECT_EQ(summary.iterations, 3);
  EXPECT_EQ(summary.evaluations, objective.evaluations);
  EXPECT_EQ(summary.outcome, StepOutcome::Moved);
  EXPECT_EQ(summary.reason, "iterations of the step done");
  EXPECT_EQ(short_steps.num_pairs(), 3u);

  Lbfgs few_evaluations(10, {.evaluations = 6});
  x = testing::rosenbrock_start(10);
  objective.evaluations = 0;
  summary = few_evaluations.step(objective, x);
  EXPECT_EQ(summary.reason, "evaluations of the step done");
  EXPECT_GE(objective.evaluations, 6);
  EXPECT_LT(summary.iterations, 6);
}

// ½ w x² from x = 8 with w = 1: first trial 8 − 8/8 = 7 is accepted (slope −56 ≥ −0.9·64), giving the pair s
// = y = −1. With w = 4 the next step begins at g = 28; its first trial is 7 − 1·28 with the clean curvature 1
// of the first epoch. A pair across the change would be s = −1, y = 28 − 8.
TEST(LbfgsTest, PairsNeverCrossAChangeOfTheObjective) {
  Bowl objective(1);
  Lbfgs lbfgs(1, {.iterations = 1});
  std::vector<double> x = {8};
  lbfgs.step(objective, x);
  EXPECT_EQ(x[0], 7);
  ASSERT_EQ(lbfgs.num_pairs(), 1u);
  objective.weight = 4;
  objective.points.clear();
  lbfgs.step(objective, x);
  ASSERT_GE(objective.points.size(), 2u);
  EXPECT_EQ(objective.points[0][0], 7) << "the gradient is asked anew";
  EXPECT_EQ(objective.points[1][0], 7 - 28);
}

TEST(LbfgsTest, MemoryIsLimited) {
  testing::Rosenbrock objective(10);
  Lbfgs lbfgs(10, {.history = 5});
  std::vector<double> x = testing::rosenbrock_start(10);
  lbfgs.step(objective, x);
  EXPECT_EQ(lbfgs.num_pairs(), 5u);
}

/// First a quadratic with curvatures 1 and 100, later ½ (x₀ + x₁)² between walls that rise from a line along
/// its gradient and that its gradient does not tell of.
class Slit : public testing::CountedObjective {
 public:
  Slit() : CountedObjective(2) {}
  bool narrow = false;
  double difference = 0;

 protected:
  double evaluate(std::span<const double> x, std::span<double> gradient) override {
    if (!narrow) {
      gradient[0] = x[0];
      gradient[1] = 100 * x[1];
      return 0.5 * (x[0] * x[0] + 100 * x[1] * x[1]);
    }
    const double sum = x[0] + x[1];
    gradient[0] = gradient[1] = sum;
    return 0.5 * sum * sum + 1e4 * std::abs(x[0] - x[1] - difference);
  }
};

TEST(LbfgsTest, FailedDirectionIsTriedAgainFromTheGradient) {
  Slit objective;
  Lbfgs lbfgs(2, {.iterations = 3});
  std::vector<double> x = {4, 1};
  lbfgs.step(objective, x);
  ASSERT_GE(lbfgs.num_pairs(), 2u);
  objective.narrow = true;
  objective.difference = x[0] - x[1];
  const double before = objective.value(x);
  const StepSummary summary = lbfgs.step(objective, x);
  EXPECT_EQ(summary.outcome, StepOutcome::Moved);
  EXPECT_LT(objective.value(x), 1e-3 * before);
}

TEST(LbfgsTest, StallsWhenNoStepLowersTheValue) {
  testing::OneVariable rising([](double x) { return 1 + x; }, [](double) { return -1.0; });
  Lbfgs lbfgs(1);
  std::vector<double> x = {0};
  const StepSummary summary = lbfgs.step(rising, x);
  EXPECT_EQ(summary.outcome, StepOutcome::Stalled);
  EXPECT_EQ(x[0], 0);
  EXPECT_EQ(summary.evaluations, rising.evaluations);
}

TEST(LbfgsTest, SaysStationaryAndNotFinite) {
  Bowl bowl(2);
  Lbfgs lbfgs(2);
  std::vector<double> x = {0, 0};
  EXPECT_EQ(lbfgs.step(bowl, x).outcome, StepOutcome::Stationary);
  testing::OneVariable outside([](double v) { return std::log(v); }, [](double v) { return 1 / v; });
  Lbfgs other(1);
  std::vector<double> y = {-1};
  EXPECT_EQ(other.step(outside, y).outcome, StepOutcome::NotFinite);
  EXPECT_EQ(y[0], -1);
  testing::OneVariable hole([](double v) { return v == 2 ? 1.0 : std::nan(""); }, [](double) { return -1.0; });
  std::vector<double> z = {2};
  EXPECT_EQ(other.step(hole, z).outcome, StepOutcome::NotFinite);
  EXPECT_EQ(z[0], 2);
}

TEST(LbfgsTest, AConvergedStepCostsOneEvaluation) {
  testing::OneVariable offset([](double x) { return 1 + (x - 1) * (x - 1); }, [](double x) { return 2 * (x - 1); });
  Lbfgs lbfgs(1);
  std::vector<double> x = {5};
  for (int k = 0; k < 3; ++k) lbfgs.step(offset, x);
  offset.evaluations = 0;
  EXPECT_EQ(lbfgs.step(offset, x).outcome, StepOutcome::Stationary);
  EXPECT_EQ(offset.evaluations, 1);
}

TEST(LbfgsTest, ResumesBitForBit) {
  testing::expect_bit_exact_resume([] { return std::make_unique<Lbfgs>(10); }, 2);
  testing::expect_bit_exact_resume(
      [] { return std::make_unique<Lbfgs>(10, LbfgsOptions{.iterations = 3, .history = 4}); }, 6);
}

}  // namespace
}  // namespace pecann::optim
