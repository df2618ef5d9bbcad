// Window boxes, and the solution over windows.
#include "pecann/train/window.h"

#include <gtest/gtest.h>

#include <cmath>

#include "pecann/train/solution.h"
#include "pecann/train/test_support.h"

namespace pecann::train {
namespace {

using testing::heat;

TEST(Window, OneWindowIsTheWholeBox) {
  const problem::Problem problem = heat();
  EXPECT_EQ(window_box(problem, {0, 1}).upper, problem.box.upper);
  EXPECT_EQ(window_box(problem, {0, 1}).lower, problem.box.lower);
}

TEST(Window, WindowsCutTimeOnlyAndMeetExactly) {
  const problem::Problem problem = heat({"windows.count=7", "coordinates.t=[-1, 2.5]"});
  double end = -1;
  for (int w = 0; w < 7; ++w) {
    const sampling::Box box = window_box(problem, {w, 7});
    EXPECT_EQ(box.lower[0], 0);
    EXPECT_EQ(box.upper[0], 1);
    EXPECT_EQ(box.lower[1], end) << "to the bit, so that nodes of both sides agree";
    EXPECT_NEAR(box.upper[1] - box.lower[1], 0.5, 1e-15);
    end = box.upper[1];
  }
  EXPECT_EQ(end, 2.5);
}

TEST(Window, InputsAreNormalisedAsAsked) {
  const problem::Problem whole = heat({"windows.count=4"}), own = heat({"windows.count=4", "windows.normalise=window"});
  EXPECT_EQ(normalisation_box(whole, {2, 4}).lower[1], 0);
  EXPECT_EQ(normalisation_box(whole, {2, 4}).upper[1], 1);
  EXPECT_EQ(normalisation_box(own, {2, 4}).lower[1], 0.5);
  EXPECT_EQ(normalisation_box(own, {2, 4}).upper[1], 0.75);
}

TEST(Window, EpochsOfATryAreThoseOfItsPhasesOnEveryPart) {
  const std::vector<std::string> phases = {"phase=[{optimizer=\"adam\", epochs=7}, {optimizer=\"lbfgs\", epochs=3}]"};
  const problem::Problem problem = heat(phases);
  EXPECT_EQ(planned_epochs(problem, {}), 10);
  EXPECT_EQ(planned_epochs(problem, {.grow = 2, .epochs = 1.5}), 2 * (11 + 5)) << "7 × 1.5 and 3 × 1.5 are rounded up";
  problem::Problem stopped = problem;
  stopped.stop.epochs = 12;
  EXPECT_EQ(planned_epochs(stopped, {}), 10);
  EXPECT_EQ(planned_epochs(stopped, {.grow = 2, .epochs = 1.5}), 12);
}

/// A solution whose field is the constant w + 1 in window w: all weights zero, the last bias is the value.
Solution constants(const problem::Problem& problem, int windows) {
  Solution solution(problem, 1);
  for (int w = 0; w < windows; ++w) {
    const evaluate::Model model(problem, normalisation_box(problem, {w, problem.windows.count}), 1);
    std::vector<double> parameters(model.num_parameters(), 0.0);
    parameters.back() = w + 1;
    solution.add_window(parameters);
  }
  return solution;
}

std::vector<double> at_times(const Solution& solution, const std::vector<double>& times) {
  sampling::PointSet points;
  points.count = times.size();
  points.coordinates.assign(2, AlignedVector<double>(points.padded(), 0.5));
  for (std::size_t i = 0; i < times.size(); ++i) points.coordinates[1][i] = times[i];
  const std::vector<expr::Expr> u = {expr::field("u")};
  std::vector<std::vector<double>> values;
  solution.evaluate(u, points, values);
  return values.at(0);
}

TEST(Solution, ThePointsTimeChoosesTheWindow) {
  const problem::Problem problem = heat({"windows.count=3"});
  const Solution solution = constants(problem, 3);
  EXPECT_EQ(at_times(solution, {0, 0.1, 0.33, 0.34, 0.66, 0.67, 1}), (std::vector<double>{1, 1, 1, 2, 2, 3, 3}));
  const double first = window_box(problem, {1, 3}).lower[1], second = window_box(problem, {2, 3}).lower[1];
  EXPECT_EQ(at_times(solution, {first, second}), (std::vector<double>{1, 2})) << "the earlier one where two meet";
}

TEST(Solution, BeyondTheTrainedWindowsNothingIsKnown) {
  const problem::Problem problem = heat({"windows.count=3"});
  const std::vector<double> two = at_times(constants(problem, 2), {0.1, 0.5, 0.9});
  EXPECT_EQ(two[0], 1);
  EXPECT_EQ(two[1], 2);
  EXPECT_TRUE(std::isnan(two[2]));
  EXPECT_TRUE(std::isnan(at_times(constants(problem, 1), {0.5})[0]));
}

TEST(Solution, KeepsTheOrderOfMixedPoints) {
  const problem::Problem problem = heat({"windows.count=2"});
  EXPECT_EQ(at_times(constants(problem, 2), {0.9, 0.1, 0.8, 0.2, 0.7}), (std::vector<double>{2, 1, 2, 1, 2}));
}

}  // namespace
}  // namespace pecann::train
