#include "pecann/optim/lm.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

#include "pecann/base/input_error.h"
#include "pecann/base/parallel.h"
#include "pecann/base/random_stream.h"
#include "pecann/optim/lm_test_problem.h"
#include "pecann/optim/registry.h"

namespace pecann::optim {
namespace {

TestBlock rosenbrock() {
  return {2, [](std::span<const double> x, std::span<double> r, std::span<double> j) {
            r[0] = 10 * (x[1] - x[0] * x[0]);
            r[1] = 1 - x[0];
            j[0] = -20 * x[0], j[1] = 10;
            j[2] = -1, j[3] = 0;
          }};
}

/// y = x₀ exp(−x₁ t) at t = 0, 0.1, …; the data are those of (2, 1.5), so the best residual is zero.
TestBlock decay(std::size_t rows) {
  return {rows, [rows](std::span<const double> x, std::span<double> r, std::span<double> j) {
            for (std::size_t k = 0; k < rows; ++k) {
              const double t = 0.1 * static_cast<double>(k);
              r[k] = x[0] * std::exp(-x[1] * t) - 2 * std::exp(-1.5 * t);
              j[2 * k] = std::exp(-x[1] * t);
              j[2 * k + 1] = -t * x[0] * std::exp(-x[1] * t);
            }
          }};
}

/// r_k = tanh of random linear forms minus random data: smooth, nonlinear, of any shape.
TestBlock random_tanh(std::size_t size, std::size_t rows, const char* name) {
  RandomStream stream(3, name);
  std::vector<double> a(rows * size), data(rows);
  for (double& entry : a) entry = stream.normal() / std::sqrt(static_cast<double>(size));
  for (double& entry : data) entry = stream.normal();
  return {rows, [=](std::span<const double> x, std::span<double> r, std::span<double> j) {
            for (std::size_t k = 0; k < rows; ++k) {
              double z = 0.3;
              for (std::size_t p = 0; p < size; ++p) z += a[k * size + p] * x[p];
              const double t = std::tanh(z);
              r[k] = t - data[k];
              for (std::size_t p = 0; p < size; ++p) j[k * size + p] = (1 - t * t) * a[k * size + p];
            }
          }};
}

double distance(std::span<const double> a, std::span<const double> b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += (a[i] - b[i]) * (a[i] - b[i]);
  return std::sqrt(sum);
}

TEST(LmTest, SolvesRosenbrockFromTheUsualStart) {
  for (const double acceleration_limit : {0.0, 0.75}) {
    TestProblem problem(2, {rosenbrock()});
    LevenbergMarquardt lm({.acceleration_limit = acceleration_limit});
    std::vector<double> x = {-1.2, 1};
    int steps = 0;
    while (steps < 60 && lm.step(problem, x).outcome == StepOutcome::Moved) ++steps;
    EXPECT_LT(steps, 40);
    EXPECT_NEAR(x[0], 1, 1e-12);
    EXPECT_NEAR(x[1], 1, 1e-12);
  }
}

// Misra1a of the NIST reference data sets for nonlinear regression: y = b₁ (1 − exp(−b₂ x)), second
// start, certified values.
TEST(LmTest, ReachesTheCertifiedValuesOfMisra1a) {
  const std::vector<double> y = {10.07, 14.73, 17.94, 23.93, 29.61, 35.18, 40.02,
                                 44.82, 50.76, 55.05, 61.01, 66.40, 75.47, 81.78};
  const std::vector<double> t = {77.6,  114.9, 141.1, 190.8, 239.9, 289.0, 332.8,
                                 378.4, 434.8, 477.3, 536.8, 593.1, 689.1, 760.0};
  TestBlock misra{14, [&](std::span<const double> x, std::span<double> r, std::span<double> j) {
                    for (std::size_t k = 0; k < 14; ++k) {
                      const double e = std::exp(-x[1] * 1e-4 * t[k]);  // b₂ in units of 1e-4
                      r[k] = x[0] * 1e2 * (1 - e) - y[k];              // b₁ in units of 1e2
                      j[2 * k] = 1e2 * (1 - e);
                      j[2 * k + 1] = x[0] * 1e2 * t[k] * 1e-4 * e;
                    }
                  }};
  TestProblem problem(2, {misra});
  LevenbergMarquardt lm;
  std::vector<double> x = {2.5, 5};
  for (int k = 0; k < 40 && lm.step(problem, x).outcome == StepOutcome::Moved; ++k) {
  }
  EXPECT_NEAR(x[0] * 1e2, 2.3894212918e+02, 1e-6);
  EXPECT_NEAR(x[1] * 1e-4, 5.5015643181e-04, 1e-12);
  EXPECT_NEAR(problem.value(x) * 14, 1.2455138894e-01, 1e-10);
}

TEST(LmTest, ConvergesQuadraticallyWhereTheResidualVanishes) {
  TestProblem problem(2, {decay(12)});
  LevenbergMarquardt lm({.initial_damping = 1e-14, .acceleration_limit = 0});
  const std::vector<double> solution = {2, 1.5};
  std::vector<double> x = {2.2, 1.3};
  double error = distance(x, solution);
  int quadratic = 0;
  while (error > 1e-7) {
    ASSERT_EQ(lm.step(problem, x).outcome, StepOutcome::Moved);
    const double next = distance(x, solution);
    EXPECT_LT(next, 2 * error * error);
    error = next;
    ++quadratic;
  }
  EXPECT_GE(quadratic, 3);
  EXPECT_LE(quadratic, 5);
}

TEST(LmTest, DampingFollowsNielsensRule) {
  // A linear residual: the model is exact, the gain ratio is 1 and the damping falls to a third.
  TestBlock linear{3, [](std::span<const double> x, std::span<double> r, std::span<double> j) {
                     const double a[] = {1, 2, 0, 1, 1, -1};
                     for (std::size_t k = 0; k < 3; ++k) {
                       r[k] = a[2 * k] * x[0] + a[2 * k + 1] * x[1] - 1;
                       j[2 * k] = a[2 * k], j[2 * k + 1] = a[2 * k + 1];
                     }
                   }};
  TestProblem problem(2, {linear});
  LevenbergMarquardt lm({.initial_damping = 0.25});
  std::vector<double> x = {3, 4};
  const StepSummary summary = lm.step(problem, x);
  EXPECT_EQ(summary.outcome, StepOutcome::Moved);
  EXPECT_EQ(summary.iterations, 1);
  const double trace = 2.0 / 3.0 * (1 + 4 + 1 + 1 + 1);  // rows are scaled by √(2/N)
  EXPECT_NEAR(*lm.damping(), 0.25 * trace / 2 / 3, 1e-13);
}

TEST(LmTest, TrialsThatAreNotFiniteOrTooLongRaiseTheDamping) {
  // log x from 5: the undamped step ends at 5 − 5 log 5 < 0, where log is not a number.
  TestBlock logarithm{1, [](std::span<const double> x, std::span<double> r, std::span<double> j) {
                        r[0] = std::log(x[0]);
                        j[0] = 1 / x[0];
                      }};
  TestProblem problem(1, {logarithm});
  LevenbergMarquardt lm({.initial_damping = 1e-6});
  std::vector<double> x = {5};
  const StepSummary first = lm.step(problem, x);
  EXPECT_EQ(first.outcome, StepOutcome::Moved);
  EXPECT_GT(first.iterations, 3);
  EXPECT_GT(*lm.damping(), 1e-6 * 2 / 25);
  for (int k = 0; k < 30 && lm.step(problem, x).outcome == StepOutcome::Moved; ++k) {
  }
  EXPECT_NEAR(x[0], 1, 1e-12);
}

// One unknown, r = x + c x²: with j = 1 + 2cx and rows scaled by √2, d = −2jr/(2j² + ν), ρ'' = √2·2c d²,
// a = −2j·2c d²/(2j² + ν), and the step is d + a/2.
TEST(LmTest, AccelerationIsExactForQuadraticResiduals) {
  const double c = 0.05, start = 1.0;
  TestBlock quadratic{1, [&](std::span<const double> x, std::span<double> r, std::span<double> j) {
                        r[0] = x[0] + c * x[0] * x[0];
                        j[0] = 1 + 2 * c * x[0];
                      }};
  TestProblem problem(1, {quadratic});
  LevenbergMarquardt lm({.initial_damping = 1e-2});
  std::vector<double> x = {start};
  ASSERT_EQ(lm.step(problem, x).outcome, StepOutcome::Moved);
  const double r = start + c * start * start, j = 1 + 2 * c * start, nu = 1e-2 * 2 * j * j;
  const double d = -2 * j * r / (2 * j * j + nu);
  const double a = -2 * j * 2 * c * d * d / (2 * j * j + nu);
  ASSERT_LT(2 * std::abs(a), 0.75 * std::abs(d));
  EXPECT_NEAR(x[0], start + d + a / 2, 1e-13);

  LevenbergMarquardt plain({.initial_damping = 1e-2, .acceleration_limit = 0});
  std::vector<double> x_plain = {start};
  ASSERT_EQ(plain.step(problem, x_plain).outcome, StepOutcome::Moved);
  EXPECT_NEAR(x_plain[0], start + d, 1e-14);
  EXPECT_LT(std::abs(x[0]), std::abs(x_plain[0]));  // nearer to the root 0
}

TEST(LmTest, LongAccelerationIsLeftOut) {
  TestBlock curved{1, [](std::span<const double> x, std::span<double> r, std::span<double> j) {
                     r[0] = x[0] + 2 * x[0] * x[0];
                     j[0] = 1 + 4 * x[0];
                   }};
  TestProblem problem(1, {curved});
  LevenbergMarquardt lm({.initial_damping = 1e-2, .acceleration_limit = 0.05});
  std::vector<double> x = {1};
  ASSERT_EQ(lm.step(problem, x).outcome, StepOutcome::Moved);
  EXPECT_NEAR(x[0], 1 - 2 * 5 * 3 / (2 * 25 * 1.01), 1e-14);
}

TEST(LmTest, PrimalAndDualStepsAreEqual) {
  for (const std::size_t rows : {20u, 70u}) {  // fewer and more rows than parameters
    const std::size_t size = 40;
    std::vector<double> ends[2];
    for (const NormalForm form : {NormalForm::Primal, NormalForm::Dual}) {
      TestBlock constraint = random_tanh(size, rows / 4, "constraint");
      constraint.multiplier = 3, constraint.penalty = 2;
      TestProblem problem(size, {random_tanh(size, rows, "objective"), constraint});
      LevenbergMarquardt lm({.form = form});
      std::vector<double>& x = ends[static_cast<int>(form)];
      x.assign(size, 0.1);
      for (int k = 0; k < 3; ++k) ASSERT_EQ(lm.step(problem, x).outcome, StepOutcome::Moved);
    }
    const std::vector<double> start(size, 0.1);
    ASSERT_GT(distance(ends[0], start), 0.1);
    EXPECT_LT(distance(ends[0], ends[1]), 1e-10 * distance(ends[0], start));
  }
}

TEST(LmTest, StationaryPointIsReportedAsSuch) {
  TestBlock bowl{1, [](std::span<const double> x, std::span<double> r, std::span<double> j) {
                   r[0] = x[0] * x[0] + 1;
                   j[0] = 2 * x[0];
                 }};
  TestProblem problem(1, {bowl});
  LevenbergMarquardt lm;
  std::vector<double> x = {0};
  EXPECT_EQ(lm.step(problem, x).outcome, StepOutcome::Stationary);
  EXPECT_EQ(x[0], 0);
}

TEST(LmTest, StallLeavesParametersAndDampingUnchanged) {
  TestBlock wrong_slope{1, [](std::span<const double> x, std::span<double> r, std::span<double> j) {
                          r[0] = x[0];
                          j[0] = -1;
                        }};
  TestProblem problem(1, {wrong_slope});
  LevenbergMarquardt lm({.max_trials = 6});
  std::vector<double> x = {2};
  const StepSummary summary = lm.step(problem, x);
  EXPECT_EQ(summary.outcome, StepOutcome::Stalled);
  EXPECT_EQ(summary.iterations, 6);
  EXPECT_EQ(x[0], 2);
  EXPECT_DOUBLE_EQ(*lm.damping(), 2e-3);
}

TEST(LmTest, StartThatIsNotFiniteIsReportedAsSuch) {
  TestProblem problem(2, {rosenbrock()});
  LevenbergMarquardt lm;
  std::vector<double> x = {std::numeric_limits<double>::quiet_NaN(), 1};
  EXPECT_EQ(lm.step(problem, x).outcome, StepOutcome::NotFinite);
}

TEST(LmTest, ResumedRunHasTheSameBits) {
  TestProblem problem(2, {decay(12)});
  LevenbergMarquardt through;
  std::vector<double> x = {1, 0.2};
  for (int k = 0; k < 3; ++k) through.step(problem, x);
  StateWriter writer;
  through.save(writer);
  std::vector<double> resumed_x = x;
  LevenbergMarquardt resumed;
  resumed.load(StateReader(writer.bytes()));
  for (int k = 0; k < 3; ++k) {
    through.step(problem, x);
    resumed.step(problem, resumed_x);
  }
  EXPECT_EQ(x, resumed_x);
  EXPECT_EQ(through.damping(), resumed.damping());
}

TEST(LmTest, BitsDoNotDependOnThreads) {
  const int threads_before = thread_count();
  for (const std::size_t rows : {120u, 400u}) {  // dual, primal; both with more than one tile of the matrix
    std::vector<double> ends[3];
    for (const int threads : {1, 2, 3}) {
      set_thread_count(threads);
      TestProblem problem(150, {random_tanh(150, rows, "objective"), random_tanh(150, 25, "constraint")}, 16);
      LevenbergMarquardt lm;
      std::vector<double>& x = ends[threads - 1];
      x.assign(150, 0.1);
      for (int k = 0; k < 2; ++k) ASSERT_EQ(lm.step(problem, x).outcome, StepOutcome::Moved);
    }
    EXPECT_EQ(ends[0], ends[1]);
    EXPECT_EQ(ends[0], ends[2]);
  }
  set_thread_count(threads_before);
}

/// A function that has squares, as an optimiser meets it.
class SquaredObjective final : public Objective {
 public:
  explicit SquaredObjective(LeastSquares& squares) : squares_(squares) {}
  std::size_t size() const override { return squares_.size(); }
  double value(std::span<const double> x) override { return squares_.value(x); }
  double value_and_gradient(std::span<const double> x, std::span<double> gradient) override {
    std::vector<double> right_side(squares_.num_rows());
    return squares_.linearise(x, gradient, right_side);
  }
  LeastSquares* least_squares() override { return &squares_; }

 private:
  LeastSquares& squares_;
};

TEST(LmTest, IsAnOptimizerLikeTheOthers) {
  TestProblem problem(2, {rosenbrock()}), same(2, {rosenbrock()});
  SquaredObjective objective(problem);
  const std::unique_ptr<Optimizer> optimizer = make_optimizer({.name = "lm", .learning_rate = 1}, 2);
  EXPECT_TRUE(optimizer->needs_squares());
  EXPECT_EQ(optimizer->learning_rate(), std::nullopt);
  EXPECT_EQ(optimizer->damping(), std::nullopt);
  std::vector<double> x = {-1.2, 1}, y = x;
  const StepSummary step = optimizer->step(objective, x);
  EXPECT_EQ(step.outcome, StepOutcome::Moved);
  EXPECT_EQ(step.jacobians, 1);
  LevenbergMarquardt direct;
  direct.step(same, y);
  EXPECT_EQ(x, y);
  EXPECT_EQ(optimizer->damping(), direct.damping());
}

TEST(LmTest, RefusesBeforeItsFirstStepWhatDoesNotFitIntoMemory) {
  const auto optimizer = [&](double limit) {
    return make_optimizer({.name = "lm", .learning_rate = 1, .options = {{"memory_limit", limit}}}, 2);
  };
  EXPECT_THROW(optimizer(8)->check_sizes({2, 12}), InputError);
  EXPECT_NO_THROW(optimizer(1e9)->check_sizes({2, 12}));
}

}  // namespace
}  // namespace pecann::optim
