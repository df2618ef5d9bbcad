#include "pecann/optim/lbfgs_compatible.h"

#include <gtest/gtest.h>

#include <memory>

#include "pecann/optim/resume_check.h"
#include "pecann/optim/test_objectives.h"

namespace pecann::optim {
namespace {

struct HistoryRow {
  int evaluations;  // closure calls of the step
  double value;     // after the step, with that step's weight
};

// The histories are of torch.optim.LBFGS(line_search_fn="strong_wolfe"), PyTorch 1.13.0, float64, on the
// functions of test_objectives.h with weight 1 + k/2 in step k = 0, 1, …, so that pairs cross a change of the
// function as they do when multipliers change. How far such a history can be followed was measured by moving
// the start by one part in 1e15; `tolerance(k)` is ten times that difference or more, and evaluation counts
// are compared where they did not depend on it.
template <class Tolerance>
void expect_history(testing::CountedObjective& objective, std::vector<double> x, const LbfgsCompatibleOptions& options,
                    const std::vector<HistoryRow>& history, const Tolerance& tolerance) {
  LbfgsCompatible optimizer(x.size(), options);
  for (std::size_t k = 0; k < history.size(); ++k) {
    objective.weight = 1 + 0.5 * static_cast<double>(k);
    objective.evaluations = 0;
    const StepSummary summary = optimizer.step(objective, x);
    EXPECT_EQ(objective.evaluations, history[k].evaluations) << "step " << k;
    EXPECT_EQ(summary.evaluations, history[k].evaluations) << "step " << k;
    EXPECT_FALSE(summary.reason.empty());
    EXPECT_NEAR(objective.value(x), history[k].value, tolerance(k) * std::abs(history[k].value)) << "step " << k;
  }
}

TEST(LbfgsCompatibleTest, FollowsPyTorchOnAnIllConditionedQuadratic) {
  testing::Quadratic objective(12);
  // From step 4 on the absolute tests end most steps at once; step 7 takes up a pair of a step never taken.
  expect_history(objective, std::vector<double>(12, 0.0), {},
                 {{21, 0.2021112659555907},
                  {22, 0.02429923895554431},
                  {24, 0.00034577046405256424},
                  {22, 2.237034572533928e-08},
                  {3, 2.1590990734063498e-10},
                  {1, 2.5248551944252377e-10},
                  {1, 2.8922988227158854e-10},
                  {2, 2.3530558560511314e-10},
                  {1, 2.614963266715358e-10},
                  {1, 2.8769620293779603e-10},
                  {1, 3.139052144038938e-10},
                  {1, 3.4012336106982917e-10}},
                 [](std::size_t k) { return k < 3 ? 1e-9 : 1e-6; });
}

TEST(LbfgsCompatibleTest, FollowsPyTorchWithAShortMemory) {
  testing::Quadratic objective(12);
  expect_history(objective, std::vector<double>(12, 0.0), {.iterations = 7, .evaluations = 8, .history = 3},
                 {{9, 6.369775267400407},
                  {8, 2.744968669960135},
                  {8, 1.5741182507242324},
                  {8, 1.3213005496393813},
                  {8, 1.0797288719985474},
                  {8, 1.080866764662798},
                  {8, 1.0573054758770968},
                  {8, 1.0811882669437516}},
                 [](std::size_t k) { return k < 6 ? 1e-8 : 1e-4; });
}

TEST(LbfgsCompatibleTest, FollowsPyTorchThroughLongLineSearches) {
  testing::Wavy objective(8);
  std::vector<double> x(8);
  for (std::size_t i = 0; i < 8; ++i) x[i] = static_cast<double>(7 * i % 11) / 4 - 1;
  expect_history(objective, x, {},
                 {{25, -149.6926648780639},
                  {10, -144.61760348055054},
                  {9, -139.5468224727508},
                  {7, -134.48228994828332},
                  {4, -129.42399361415713},
                  {3, -124.3688114359731},
                  {3, -119.31362925925471},
                  {3, -114.2584470840002},
                  {3, -109.20326491020681},
                  {3, -104.14808273787158}},
                 [](std::size_t k) { return k < 5 ? 1e-12 : 1e-9; });
}

TEST(LbfgsCompatibleTest, FollowsPyTorchOnRosenbrock) {
  testing::Rosenbrock objective(10);
  expect_history(
      objective, testing::rosenbrock_start(10), {},
      {{23, 8.780847094257123}, {25, 3.9232433950125714}, {25, 0.42726623490752375}, {23, 5.882499510470556e-07}},
      [](std::size_t k) {
        return k == 0 ? 1e-11 : k == 1 ? 1e-6 : k == 2 ? 1e-3 : 0.2;
      });
}

TEST(LbfgsCompatibleTest, SmallGradientReturnsAtOnceWithStateUntouched) {
  testing::OneVariable objective([](double x) { return 1e-8 * x * x; }, [](double x) { return 2e-8 * x; });
  LbfgsCompatible optimizer(1);
  std::vector<double> x = {1};
  StateWriter before, after;
  optimizer.save(before);
  const StepSummary summary = optimizer.step(objective, x);
  optimizer.save(after);
  EXPECT_EQ(summary.outcome, StepOutcome::Stationary);
  EXPECT_EQ(summary.evaluations, 1);
  EXPECT_EQ(x[0], 1);
  EXPECT_EQ(before.bytes(), after.bytes());
}

TEST(LbfgsCompatibleTest, NotFiniteAtTheStartLeavesX) {
  testing::OneVariable objective([](double x) { return std::log(x); }, [](double x) { return 1 / x; });
  LbfgsCompatible optimizer(1);
  std::vector<double> x = {-1};
  EXPECT_EQ(optimizer.step(objective, x).outcome, StepOutcome::NotFinite);
  EXPECT_EQ(x[0], -1);
}

TEST(LbfgsCompatibleTest, ResumesBitForBit) {
  testing::expect_bit_exact_resume([] { return std::make_unique<LbfgsCompatible>(10); }, 2);
  testing::expect_bit_exact_resume(
      [] { return std::make_unique<LbfgsCompatible>(10, LbfgsCompatibleOptions{.iterations = 3, .history = 4}); }, 6);
}

}  // namespace
}  // namespace pecann::optim
