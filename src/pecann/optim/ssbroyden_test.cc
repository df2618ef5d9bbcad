#include "pecann/optim/ssbroyden.h"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <limits>
#include <string>
#include <vector>

#include "pecann/base/input_error.h"
#include "pecann/base/parallel.h"
#include "pecann/optim/registry.h"
#include "pecann/optim/vector_algebra.h"

namespace pecann::optim {
namespace {

class FunctionObjective final : public Objective {
 public:
  using Function = std::function<double(std::span<const double> x, std::span<double> gradient)>;
  FunctionObjective(std::size_t size, Function function) : size_(size), function_(std::move(function)) {}
  std::size_t size() const override { return size_; }
  double value_and_gradient(std::span<const double> x, std::span<double> gradient) override {
    return function_(x, gradient);
  }
  double value(std::span<const double> x) override {
    std::vector<double> gradient(size_);
    return function_(x, gradient);
  }

 private:
  std::size_t size_;
  Function function_;
};

/// ½ Σ k x_k² + ½ (Σ x_k)², minimum 0 at 0, Hessian diag(1..n) + 1 1ᵀ.
FunctionObjective quadratic(std::size_t n) {
  return {n, [n](std::span<const double> x, std::span<double> g) {
            double sum = 0, value = 0;
            for (const double entry : x) sum += entry;
            for (std::size_t k = 0; k < n; ++k) {
              const double weight = static_cast<double>(k + 1);
              value += 0.5 * weight * x[k] * x[k];
              g[k] = weight * x[k] + sum;
            }
            return value + 0.5 * sum * sum;
          }};
}

FunctionObjective rosenbrock(std::size_t n) {  // chained, minimum 0 at (1, …, 1)
  return {n, [n](std::span<const double> x, std::span<double> g) {
            double value = 0;
            for (double& entry : g) entry = 0;
            for (std::size_t k = 0; k + 1 < n; ++k) {
              const double a = x[k + 1] - x[k] * x[k], b = 1 - x[k];
              value += 100 * a * a + b * b;
              g[k] += -400 * x[k] * a - 2 * b;
              g[k + 1] += 200 * a;
            }
            return value;
          }};
}

// H y = s of the last step, through the deferred update and after recurrences over a whole epoch.
TEST(SsBroydenTest, LearnedMatrixMeetsTheSecantEquationOfTheLastStep) {
  for (const BroydenUpdate update : {BroydenUpdate::SelfScaled, BroydenUpdate::Bfgs}) {
    FunctionObjective objective = rosenbrock(8);
    SsBroyden optimizer(8, {.update = update, .iterations = 9});
    std::vector<double> x(8, -0.7);
    optimizer.step(objective, x);
    std::vector<double> before = x, g_before(8), g_after(8), y(8), hy(8);
    objective.value_and_gradient(before, g_before);
    SsBroyden once(8, {.update = update, .iterations = 1});
    StateWriter writer;
    optimizer.save(writer);
    once.load(StateReader(writer.bytes()));
    ASSERT_EQ(once.step(objective, x).iterations, 1);
    objective.value_and_gradient(x, g_after);
    for (std::size_t i = 0; i < 8; ++i) y[i] = g_after[i] - g_before[i];
    once.multiply(y, hy);
    double moved = 0;
    for (std::size_t i = 0; i < 8; ++i) moved = std::max(moved, std::abs(x[i] - before[i]));
    for (std::size_t i = 0; i < 8; ++i) EXPECT_NEAR(hy[i], x[i] - before[i], 1e-10 * moved);
  }
}

TEST(SsBroydenTest, QuadraticIsSolvedToRounding) {
  for (const BroydenUpdate update : {BroydenUpdate::SelfScaled, BroydenUpdate::Bfgs}) {
    FunctionObjective objective = quadratic(6);
    SsBroyden optimizer(6, {.update = update, .iterations = 25});
    std::vector<double> x = {1, -2, 3, 0.5, -1, 2};
    const double start = objective.value(x);
    optimizer.step(objective, x);
    EXPECT_LT(objective.value(x), 1e-20 * start);
  }
}

TEST(SsBroydenTest, BothUpdatesSolveRosenbrock) {
  for (const BroydenUpdate update : {BroydenUpdate::SelfScaled, BroydenUpdate::Bfgs}) {
    for (const std::size_t n : {2u, 20u}) {
      FunctionObjective objective = rosenbrock(n);
      SsBroyden optimizer(n, {.update = update});
      std::vector<double> x(n);
      for (std::size_t k = 0; k < n; ++k) x[k] = k % 2 == 0 ? -1.2 : 1.0;
      int iterations = 0;
      while (iterations < 1000) {
        const StepSummary summary = optimizer.step(objective, x);
        iterations += summary.iterations;
        if (summary.outcome != StepOutcome::Moved || objective.value(x) < 1e-20) break;
      }
      EXPECT_LT(iterations, n == 2 ? 60 : 300);
      EXPECT_LT(objective.value(x), 1e-18);
      for (const double entry : x) EXPECT_NEAR(entry, 1, 1e-8);
    }
  }
}

TEST(SsBroydenTest, CurvatureLearnedBeforeAChangeOfTheObjectiveServesAfterIt) {
  FunctionObjective objective = quadratic(6);
  // The same Hessian around another minimum, as after a change of multipliers.
  FunctionObjective shifted(6, [&](std::span<const double> z, std::span<double> g) {
    std::vector<double> moved(z.begin(), z.end());
    for (double& entry : moved) entry -= 0.5;
    return objective.value_and_gradient(moved, g);
  });
  SsBroyden experienced(6, {.update = BroydenUpdate::Bfgs, .iterations = 12}), fresh(6, {.iterations = 12});
  std::vector<double> x = {1, -2, 3, 0.5, -1, 2};
  experienced.step(objective, x);
  std::vector<double> y = x;
  experienced.step(shifted, x);
  fresh.step(shifted, y);
  EXPECT_LT(shifted.value(x), 1e-3 * shifted.value(y));
}

TEST(SsBroydenTest, ResumedRunHasTheSameBits) {
  FunctionObjective objective = rosenbrock(20);
  SsBroyden through(20, {.iterations = 7});
  std::vector<double> x(20, -0.5);
  for (int k = 0; k < 3; ++k) through.step(objective, x);
  StateWriter writer;
  through.save(writer);
  std::vector<double> resumed_x = x;
  SsBroyden resumed(20, {.iterations = 7});
  resumed.load(StateReader(writer.bytes()));
  for (int k = 0; k < 3; ++k) {
    through.step(objective, x);
    resumed.step(objective, resumed_x);
  }
  EXPECT_EQ(x, resumed_x);
  StateWriter end, resumed_end;
  through.save(end);
  resumed.save(resumed_end);
  EXPECT_EQ(end.bytes(), resumed_end.bytes());
}

TEST(SsBroydenTest, BitsDoNotDependOnThreads) {
  const int threads_before = thread_count();
  std::vector<double> ends[3];
  for (const int threads : {1, 2, 3}) {
    set_thread_count(threads);
    FunctionObjective objective = rosenbrock(300);
    SsBroyden optimizer(300);
    ends[threads - 1].assign(300, -0.5);
    for (int k = 0; k < 3; ++k) optimizer.step(objective, ends[threads - 1]);
  }
  set_thread_count(threads_before);
  EXPECT_EQ(ends[0], ends[1]);
  EXPECT_EQ(ends[0], ends[2]);
}

TEST(SsBroydenTest, BadCurvatureIsForgottenAndTheGradientFollowed) {
  FunctionObjective objective = quadratic(4);
  SsBroyden source(4, {.iterations = 1}), optimizer(4, {.iterations = 1});
  std::vector<double> x = {1, 2, 3, 4};
  source.step(objective, x);
  std::vector<double> negative(10, 0.0);  // H = −I: every direction is uphill
  for (const std::size_t diagonal : {0u, 2u, 5u, 9u}) negative[diagonal] = -1;
  const double identity_update[] = {1, 0, 0, 0};
  StateWriter writer;
  source.save(writer);
  writer.put("optimizer.inverse_hessian", negative);
  writer.put("optimizer.pending", identity_update);
  optimizer.load(StateReader(writer.bytes()));
  const double before = objective.value(x);
  EXPECT_EQ(optimizer.step(objective, x).outcome, StepOutcome::Moved);
  EXPECT_LT(objective.value(x), before);
  std::vector<double> v = {1, 1, 1, 1}, hv(4);
  optimizer.multiply(v, hv);
  EXPECT_GT(dot(v, hv), 0);  // learned anew
}

TEST(SsBroydenTest, StallLeavesParametersAndCurvatureUnchanged) {
  FunctionObjective objective = quadratic(4);
  SsBroyden optimizer(4, {.iterations = 3});
  std::vector<double> x = {1, 2, 3, 4}, v = {1, -1, 2, 0.5}, before(4), after(4);
  optimizer.step(objective, x);
  optimizer.multiply(v, before);
  // A gradient of the wrong sign: no direction that it allows is downhill.
  FunctionObjective liar(4, [&](std::span<const double> z, std::span<double> g) {
    const double value = objective.value_and_gradient(z, g);
    for (double& entry : g) entry = -entry;
    return value;
  });
  x = {1, 2, 3, 4};
  EXPECT_EQ(optimizer.step(liar, x).outcome, StepOutcome::Stalled);
  EXPECT_EQ(x, (std::vector<double>{1, 2, 3, 4}));
  optimizer.multiply(v, after);
  EXPECT_EQ(before, after);
}

// Far from the minimum value 0 nothing is stationary; on top of a large constant the rounding of the value
// ends the descent.
TEST(SsBroydenTest, DescentEndsAtTheRoundingOfTheValue) {
  FunctionObjective plain = quadratic(4);
  FunctionObjective raised(
      4, [&](std::span<const double> z, std::span<double> g) { return 1e6 + plain.value_and_gradient(z, g); });
  SsBroyden optimizer(4);
  std::vector<double> x = {1, 2, 3, 4};
  StepSummary summary;
  for (int k = 0; k < 10 && (k == 0 || summary.outcome == StepOutcome::Moved); ++k) summary = optimizer.step(raised, x);
  EXPECT_EQ(summary.outcome, StepOutcome::Stationary) << summary.reason;
  EXPECT_TRUE(optimizer.has_curvature());
  EXPECT_LT(plain.value(x), 1e-8);
}

TEST(SsBroydenTest, StationaryAndNotFiniteStartsAreReportedAsSuch) {
  FunctionObjective objective = quadratic(2);
  SsBroyden optimizer(2);
  std::vector<double> x = {0, 0};
  EXPECT_EQ(optimizer.step(objective, x).outcome, StepOutcome::Stationary);
  x = {std::numeric_limits<double>::quiet_NaN(), 0};
  EXPECT_EQ(optimizer.step(objective, x).outcome, StepOutcome::NotFinite);
}

TEST(SsBroydenTest, RegistryMakesBothUpdates) {
  std::vector<double> ends[2];
  for (const bool self_scaled : {false, true}) {
    const auto by_name = make_optimizer(
        {.name = self_scaled ? "ssbroyden" : "bfgs", .learning_rate = 1, .options = {{"iterations", 9}}}, 8);
    SsBroyden direct(8, {.update = self_scaled ? BroydenUpdate::SelfScaled : BroydenUpdate::Bfgs, .iterations = 9});
    FunctionObjective objective = rosenbrock(8);
    std::vector<double> x(8, -0.7), y(8, -0.7);
    by_name->step(objective, x);
    direct.step(objective, y);
    EXPECT_EQ(x, y);
    ends[self_scaled ? 1 : 0] = x;
  }
  EXPECT_NE(ends[0], ends[1]);
}

TEST(SsBroydenTest, RefusalSaysHowManyBytesAreNeeded) {
  try {
    SsBroyden optimizer(83073);
    FAIL() << "no refusal";
  } catch (const InputError& error) {
    EXPECT_NE(std::string(error.what()).find("27604825608 bytes"), std::string::npos) << error.what();
  }
}

}  // namespace
}  // namespace pecann::optim
