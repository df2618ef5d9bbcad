#include "pecann/train/error_norms.h"

#include <cmath>

#include <gtest/gtest.h>

#include "pecann/base/input_error.h"
#include "pecann/sampling/test_regions.h"
#include "pecann/train/test_support.h"
#include "pecann/train/window.h"

namespace pecann::train {
namespace {

using testing::heat;

TEST(ErrorNorms, NormsOfKnownNumbers) {
  const std::vector<double> exact = {3, 0, -4, 0}, predicted = {3, 1, -4, -3};
  const FieldError error = error_of("u", predicted, exact, 0.5);
  EXPECT_DOUBLE_EQ(error.relative_l2, std::sqrt(10.0) / 5);
  EXPECT_EQ(error.linf, 3);
  EXPECT_EQ(error.l1, 2);
  EXPECT_EQ(error.integral, 1);
  EXPECT_EQ(measure_of(error, "relative_l2"), error.relative_l2);
  EXPECT_EQ(measure_of(error, "linf"), 3);
  EXPECT_EQ(measure_of(error, "l1"), 2);
  EXPECT_EQ(measure_of(error, "integral"), 1);
}

TEST(ErrorNorms, ANotANumberIsSeenInEveryNorm) {
  const std::vector<double> exact = {1, 2, 3}, predicted = {1, NAN, 4};
  const FieldError error = error_of("u", predicted, exact, 1);
  EXPECT_TRUE(std::isnan(error.relative_l2));
  EXPECT_TRUE(std::isnan(error.linf));
  EXPECT_TRUE(std::isnan(error.l1));
}

TEST(ErrorNorms, NodesIncludeTheEndsFirstCoordinateFastest) {
  const problem::Problem problem = heat({"evaluate.grid=[3, 2]"});
  const sampling::PointSet points = evaluation_points(problem, problem.box);
  ASSERT_EQ(points.count, 6u);
  const double x[] = {0, 0.5, 1, 0, 0.5, 1}, t[] = {0, 0, 0, 1, 1, 1};
  for (int i = 0; i < 6; ++i) {
    EXPECT_EQ(points.coordinates[0][i], x[i]);
    EXPECT_EQ(points.coordinates[1][i], t[i]);
  }
  EXPECT_EQ(evaluation_cell(problem, problem.box), 0.5);
}

TEST(ErrorNorms, OfAModelAgainstTheExactSolutionByHand) {
  const problem::Problem problem = heat();
  const evaluate::Model model(problem, problem.box, 1);
  std::vector<double> parameters(model.num_parameters(), 0.0);
  parameters.back() = 0.25;  // the constant field 1/4
  ErrorNorms norms(problem, model, problem.box);
  ASSERT_FALSE(norms.empty());
  const std::vector<FieldError> errors = norms.measure(parameters);
  ASSERT_EQ(errors.size(), 1u);
  double difference = 0, norm = 0, largest = 0;
  for (int j = 0; j < 9; ++j)
    for (int i = 0; i < 9; ++i) {
      const double exact = std::exp(-j / 8.0) * std::sin(M_PI * i / 8.0);
      difference += (0.25 - exact) * (0.25 - exact);
      norm += exact * exact;
      largest = std::max(largest, std::abs(0.25 - exact));
    }
  EXPECT_EQ(errors[0].field, "u");
  EXPECT_NEAR(errors[0].relative_l2, std::sqrt(difference / norm), 1e-14);
  EXPECT_NEAR(errors[0].linf, largest, 1e-14);
}

TEST(ErrorNorms, FinalOnlyMeasuresTheLastTimeOfTheLastWindow) {
  // Seven windows over a range that binary numbers do not hold exactly: the last window must still end
  // where the problem does.
  const problem::Problem problem = heat({"evaluate.final_only=true", "windows.count=7", "coordinates.t=[0.1, 0.7]"});
  for (int w = 0; w < 7; ++w) {
    const Window window{w, 7};
    const evaluate::Model model(problem, normalisation_box(problem, window), 1);
    EXPECT_EQ(ErrorNorms(problem, model, window_box(problem, window)).empty(), w < 6) << w;
  }
  const sampling::PointSet points = evaluation_points(problem, window_box(problem, {6, 7}));
  for (std::size_t i = 0; i < points.count; ++i) EXPECT_EQ(points.coordinates[1][i], 0.7);
}

TEST(ErrorNorms, OfAllWindowsTogether) {
  const problem::Problem problem = heat({"windows.count=2"});
  Solution solution(problem, 1);
  for (int w = 0; w < 2; ++w) {  // the constant fields 1/4 and 1/2
    std::vector<double> parameters(evaluate::Model(problem, problem.box, 1).num_parameters(), 0.0);
    parameters.back() = 0.25 * (w + 1);
    solution.add_window(parameters);
  }
  double difference = 0, norm = 0;
  for (int j = 0; j < 9; ++j)
    for (int i = 0; i < 9; ++i) {
      const double exact = std::exp(-j / 8.0) * std::sin(M_PI * i / 8.0), own = j <= 4 ? 0.25 : 0.5;
      difference += (own - exact) * (own - exact);
      norm += exact * exact;
    }
  const std::vector<FieldError> errors = solution_errors(problem, solution);
  ASSERT_EQ(errors.size(), 1u);
  EXPECT_NEAR(errors[0].relative_l2, std::sqrt(difference / norm), 1e-14);
}

TEST(ErrorNorms, AWindowIsComparedWithItsShareOfAReferenceFile) {
  const testing::TemporaryFolder folder;
  testing::fill(folder / "reference.csv", "x,t,u\n0.5,0,1\n0.5,0.25,2\n0.5,0.5,4\n0.5,0.75,8\n0.5,1,16\n");
  problem::Problem problem = heat({"windows.count=2"});
  problem.reference = folder / "reference.csv";
  const evaluate::Model model(problem, problem.box, 1);
  const std::vector<double> zero(model.num_parameters(), 0.0);
  EXPECT_EQ(ErrorNorms(problem, model, window_box(problem, {0, 2})).measure(zero).at(0).linf, 4);
  EXPECT_EQ(ErrorNorms(problem, model, window_box(problem, {1, 2})).measure(zero).at(0).linf, 16);
  EXPECT_EQ(comparison_for(problem, window_box(problem, {1, 2})).values.at(0), (std::vector<double>{4, 8, 16}));
}

TEST(ErrorNorms, AReferenceAddsItsOwnMeasuresToTheFieldsThatItKnows) {
  problem::Problem problem = heat({"functions.w=2*u", "exact.w=0.125"});
  problem.reference = "helmholtz-source";  // x and t are as good as x and y
  problem.constants.insert({{"k", 3}, {"width", 0.2}});
  const evaluate::Model model(problem, problem.box, 1);
  const std::vector<double> zero(model.num_parameters(), 0.0);
  const std::vector<FieldError> errors = ErrorNorms(problem, model, problem.box).measure(zero);
  ASSERT_EQ(errors.size(), 2u);
  EXPECT_EQ(errors[0].relative_l2, 1) << "against the series, not [exact]";
  EXPECT_EQ(measure_of(errors[0], "finite_differences"), 1);
  EXPECT_EQ(measure_of(errors[0], "projected"), 1);
  EXPECT_EQ(errors[1].linf, 0.125);
  EXPECT_TRUE(std::isnan(measure_of(errors[1], "projected"))) << "the series says nothing of w";
  problem.constants.erase("width");
  EXPECT_THROW(ErrorNorms(problem, model, problem.box), InputError);
}

TEST(ErrorNorms, FieldsWithoutAnExactSolutionAreLeftOut) {
  const problem::Problem problem = heat({"network.1.fields=[\"u\", \"q\"]"});
  const evaluate::Model model(problem, problem.box, 1);
  ErrorNorms norms(problem, model, problem.box);
  EXPECT_EQ(norms.measure(model.initial_parameters(1)).size(), 1u);
}

TEST(ErrorNorms, OfAFunctionOfFields) {
  const problem::Problem problem = heat({"functions.w=2*u^2", "exact.w=0.125"});
  const evaluate::Model model(problem, problem.box, 1);
  std::vector<double> parameters(model.num_parameters(), 0.0);
  parameters.back() = 0.5;
  const std::vector<FieldError> errors = ErrorNorms(problem, model, problem.box).measure(parameters);
  ASSERT_EQ(errors.size(), 2u);
  EXPECT_EQ(errors[0].field, "u");
  EXPECT_EQ(errors[1].field, "w");
  EXPECT_EQ(errors[1].linf, 0.375);
  EXPECT_DOUBLE_EQ(errors[1].relative_l2, 3);
}

TEST(ErrorNorms, NodesOutsideTheDomainDoNotCount) {
  problem::Problem problem = heat({"evaluate.grid=[5, 3]"});
  problem.domain = std::make_shared<sampling::HalfDomain>(problem.box);  // x ≤ 1/2
  const sampling::PointSet points = evaluation_points(problem, problem.box);
  ASSERT_EQ(points.count, 9u);
  const evaluate::Model model(problem, problem.box, 1);
  std::vector<double> parameters(model.num_parameters(), 0.0);
  parameters.back() = 2;  // |2 − e^(−t) sin πx| is largest where x = 0, in all of the box also where x = 1
  ErrorNorms norms(problem, model, problem.box);
  double l1 = 0;
  for (std::size_t i = 0; i < points.count; ++i)
    l1 += 0.25 * 0.5 * (2 - std::exp(-points.coordinates[1][i]) * std::sin(M_PI * points.coordinates[0][i]));
  EXPECT_NEAR(norms.measure(parameters)[0].l1, l1, 1e-14);
}

}  // namespace
}  // namespace pecann::train
