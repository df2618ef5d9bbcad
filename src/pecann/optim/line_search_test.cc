#include "pecann/optim/line_search.h"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <limits>
#include <numbers>

#include "pecann/optim/test_objectives.h"

namespace pecann::optim {
namespace {

using Function = std::function<double(double)>;
using Line = testing::OneVariable<Function, Function>;
const std::vector<double> kStart = {0}, kDirection = {1};

LineSearchResult search(Line& line, LineSearch& search, double first_step) {
  std::vector<double> gradient(1);
  const double value = line.value_and_gradient(kStart, gradient);
  line.evaluations = 0;
  return search.search(line, kStart, value, gradient[0], kDirection, first_step);
}

void expect_strong_wolfe(Line line, double first_step) {
  LineSearch wolfe(1);
  std::vector<double> gradient(1);
  const double value = line.value_and_gradient(kStart, gradient), slope = gradient[0];
  const LineSearchResult found = search(line, wolfe, first_step);
  ASSERT_EQ(found.outcome, LineSearchOutcome::Wolfe) << "first step " << first_step;
  EXPECT_EQ(found.evaluations, line.evaluations);
  EXPECT_LE(found.evaluations, 25);
  EXPECT_EQ(wolfe.point()[0], found.step);
  EXPECT_EQ(found.value, line.value_and_gradient(wolfe.point(), gradient));
  EXPECT_EQ(found.slope, gradient[0]);
  EXPECT_EQ(wolfe.gradient()[0], gradient[0]);
  EXPECT_LE(found.value, value + 1e-4 * found.step * slope) << "first step " << first_step;
  EXPECT_LE(std::abs(found.slope), 0.9 * std::abs(slope)) << "first step " << first_step;
}

// Functions 1 to 3 of Moré & Thuente 1994, from first steps of six orders of magnitude on either side.
TEST(LineSearchTest, FindsStrongWolfeStepsOnTheClassicalFunctions) {
  const double beta = 2, small = 0.004, knee = 0.01, waves = 39;
  for (double first_step = 1e-3; first_step < 2e3; first_step *= 10) {
    expect_strong_wolfe({[=](double a) { return -a / (a * a + beta); },
                         [=](double a) { return (a * a - beta) / ((a * a + beta) * (a * a + beta)); }},
                        first_step);
    expect_strong_wolfe({[=](double a) { return std::pow(a + small, 5) - 2 * std::pow(a + small, 4); },
                         [=](double a) { return 5 * std::pow(a + small, 4) - 8 * std::pow(a + small, 3); }},
                        first_step);
    const double pi = std::numbers::pi;
    const auto base = [=](double a) {
      return a <= 1 - knee ? 1 - a : a >= 1 + knee ? a - 1 : (a - 1) * (a - 1) / (2 * knee) + knee / 2;
    };
    const auto base_slope = [=](double a) { return a <= 1 - knee ? -1 : a >= 1 + knee ? 1 : (a - 1) / knee; };
    expect_strong_wolfe(
        {[=](double a) { return base(a) + 2 * (1 - knee) / (waves * pi) * std::sin(waves * pi / 2 * a); },
         [=](double a) { return base_slope(a) + (1 - knee) * std::cos(waves * pi / 2 * a); }},
        first_step);
  }
}

TEST(LineSearchTest, AGoodFirstStepCostsOneEvaluation) {
  Line parabola([](double t) { return (t - 1) * (t - 1); }, [](double t) { return 2 * (t - 1); });
  LineSearch wolfe(1);
  const LineSearchResult found = search(parabola, wolfe, 1);
  EXPECT_EQ(found.outcome, LineSearchOutcome::Wolfe);
  EXPECT_EQ(found.evaluations, 1);
  EXPECT_EQ(found.step, 1);
}

TEST(LineSearchTest, StepsBackFromWhereTheFunctionEnds) {
  // −log barrier: not finite from 1 on; minimum at 0.9
  Line barrier([](double t) { return t < 1 ? -10 * t - std::log(1 - t) : std::nan(""); },
               [](double t) { return -10 + 1 / (1 - t); });
  for (const double first_step : {1.0, 50.0, 1e8}) {
    LineSearch wolfe(1);
    const LineSearchResult found = search(barrier, wolfe, first_step);
    EXPECT_EQ(found.outcome, LineSearchOutcome::Wolfe);
    EXPECT_LT(found.step, 1);
    EXPECT_LE(std::abs(found.slope), 0.9 * 9);
  }
}

TEST(LineSearchTest, SaysWhenNothingIsFinite) {
  Line hole([](double t) { return t == 0 ? 1.0 : std::nan(""); }, [](double) { return -1.0; });
  LineSearch wolfe(1);
  const LineSearchResult found = search(hole, wolfe, 1);
  EXPECT_EQ(found.outcome, LineSearchOutcome::NotFinite);
  EXPECT_FALSE(found.found());
  EXPECT_LE(found.evaluations, 25);
}

TEST(LineSearchTest, SaysWhenTheSlopeLies) {
  Line rising([](double t) { return 1 + t; }, [](double) { return -1.0; });
  LineSearch wolfe(1);
  const LineSearchResult found = search(rising, wolfe, 1);
  EXPECT_EQ(found.outcome, LineSearchOutcome::Failed);
  EXPECT_EQ(found.step, 0);
  EXPECT_EQ(found.value, 1);
}

TEST(LineSearchTest, AnUnboundedFunctionEndsWithItsLowestPoint) {
  Line falling([](double t) { return -t; }, [](double) { return -1.0; });
  LineSearch wolfe(1);
  const LineSearchResult found = search(falling, wolfe, 1);
  EXPECT_EQ(found.outcome, LineSearchOutcome::Decrease);
  EXPECT_EQ(found.evaluations, 25);
  EXPECT_EQ(found.value, -found.step);
  EXPECT_GT(found.step, 1e6);
}

// 1 + 1e-18 (t − 1)² with a rounding noise of 1e-14: values say nothing, the slopes lead to the minimum.
TEST(LineSearchTest, SlopesDecideInTheRoundingNoise) {
  int approximate = 0;
  for (const double first_step : {0.01, 0.5, 1.0, 1.5, 3.0, 30.0, 1e4}) {
    Line flat([](double t) { return 1 + 1e-18 * (t - 1) * (t - 1) + 1e-14 * std::sin(1e6 * t); },
              [](double t) { return 2e-18 * (t - 1); });
    LineSearch wolfe(1);
    const LineSearchResult found = search(flat, wolfe, first_step);
    EXPECT_TRUE(found.found()) << first_step;
    EXPECT_LE(std::abs(found.slope), 0.9 * 2e-18) << first_step;
    approximate += found.outcome == LineSearchOutcome::ApproximateWolfe;
  }
  EXPECT_GT(approximate, 0);
}

// Every test is relative: scaling f by a power of two changes no decision, hence no bit of the step.
TEST(LineSearchTest, ScaleOfTheFunctionDoesNotMatter) {
  std::vector<double> steps;
  for (const int power : {0, -200, 200}) {
    const double scale = std::ldexp(1.0, power);
    Line line([=](double t) { return scale * (2 + std::cos(5 * t) + 0.1 * t * t - t); },
              [=](double t) { return scale * (-5 * std::sin(5 * t) + 0.2 * t - 1); });
    LineSearch wolfe(1);
    const LineSearchResult found = search(line, wolfe, 7);
    EXPECT_EQ(found.outcome, LineSearchOutcome::Wolfe);
    steps.push_back(found.step);
  }
  EXPECT_EQ(steps[1], steps[0]);
  EXPECT_EQ(steps[2], steps[0]);
}

TEST(LineSearchTest, CubicMinimizerIsExactForCubicsAndClamped) {
  // f = t³ − 3t has its minimum at 1
  const auto at = [](double t) { return LinePoint{t, t * t * t - 3 * t, 3 * t * t - 3}; };
  EXPECT_NEAR(cubic_minimizer(at(0), at(2), 0, 2), 1, 1e-15);
  EXPECT_NEAR(cubic_minimizer(at(2), at(0.5), 0, 2), 1, 1e-15);
  EXPECT_EQ(cubic_minimizer(at(0), at(2), 1.25, 2), 1.25);
  EXPECT_EQ(cubic_minimizer({0, 0, 1}, {1, 2, 3}, 0, 1), 0.0)
      << "rising all the way: its minimum is left of the interval";
  EXPECT_EQ(cubic_minimizer({0, 0, 1}, {1, 1, 1}, 0.25, 0.75), 0.5) << "a straight line has none";
}

}  // namespace
}  // namespace pecann::optim
