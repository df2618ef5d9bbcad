// Points: new ones, and the place where a residual is not a number.
#include <cmath>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "pecann/base/parallel.h"
#include "pecann/evaluate/evaluator.h"
#include "support/engine_problem.h"

namespace pecann::evaluate {
namespace {

std::string problem_with(int interior, int sides) {
  return R"(title = "test"
coordinates = { x = [0, 1], y = [0, 1] }
[[network]]
fields = ["u"]
hidden = [9, 9]
[[term]]
name = "pde"
role = "objective"
region = "interior"
equation = "laplacian(u) + x*u - y"
points = { sobol = )" +
         std::to_string(interior) + R"( }
[[term]]
name = "sides"
role = "constraint"
region = "boundary"
equation = "u - x"
points = { sobol = )" +
         std::to_string(sides) + " }\n";
}

TEST(EvaluatorPoints, NewPointsOfAnySizeGiveTheBitsOfANewEvaluator) {
  test::SmallEngine engine(problem_with(100, 10));
  const std::vector<double> theta = test::random_parameters(engine.model, 3);
  const test::RandomDuals duals(1, 5);
  std::vector<double> gradient(theta.size()), expected(theta.size());
  engine.evaluator->gradient(theta, duals.view(), gradient);
  for (const auto& [interior, sides] :
       {std::pair(100, 11), std::pair(1, 10), std::pair(1000, 10), std::pair(65, 1), std::pair(100, 10)}) {
    test::SmallEngine other(problem_with(interior, sides));
    for (std::size_t set = 0; set < 2; ++set) engine.evaluator->set_points(set, other.evaluator->program(set).points());
    const TermValues values = engine.evaluator->gradient(theta, duals.view(), gradient);
    const TermValues fresh = other.evaluator->gradient(theta, duals.view(), expected);
    EXPECT_EQ(values.objective, fresh.objective);
    EXPECT_EQ(values.constraints, fresh.constraints);
    EXPECT_EQ(gradient, expected);
    EXPECT_EQ(engine.evaluator->num_rows(), interior + 4 * sides);
    EXPECT_EQ(test::residual_rows(*engine.evaluator, theta), test::residual_rows(*other.evaluator, theta));
    EXPECT_EQ(engine.evaluator->num_points(), interior + 4 * sides);
  }
}

TEST(EvaluatorPoints, ManyPointsGiveManyThreadsWork) {
  EXPECT_EQ(target_items(8401, 2000), target_items(8401, 9e5));  // the same bits as ever for all but very large sets
  EXPECT_LE(target_items(300, 9e5), 64);
  EXPECT_GE(target_items(8401, 1e9), 1000);
  EXPECT_LE(target_items(8401, 1e9) * 8401 * sizeof(double), 2.5e8);
  EXPECT_EQ(target_items(30'000'000, 1e9), 16);
}

// 80 items: sums over them are still taken in their order.
TEST(EvaluatorPoints, MoreThan64ItemsHaveTheSameBitsOnAnyThreads) {
  const int before = thread_count();
  std::vector<double> first;
  for (const int threads : {1, 3}) {
    set_thread_count(threads);
    test::SmallEngine engine(problem_with(80 * 16384, 10));
    const std::vector<double> theta = test::random_parameters(engine.model, 3);
    const test::RandomDuals duals(1, 5);
    std::vector<double> gradient(theta.size());
    engine.evaluator->gradient(theta, duals.view(), gradient);
    if (threads == 1) first = gradient;
    EXPECT_EQ(gradient, first);
  }
  set_thread_count(before);
}

TEST(EvaluatorPoints, AsManyOtherPointsAreOtherPoints) {
  test::SmallEngine engine(problem_with(100, 10)), other("seed = 7\n" + problem_with(100, 10));
  const std::vector<double> theta = test::random_parameters(engine.model, 3);
  const test::RandomDuals duals(1, 5);
  std::vector<double> gradient(theta.size()), expected(theta.size());
  const TermValues before = engine.evaluator->gradient(theta, duals.view(), gradient);
  for (std::size_t set = 0; set < 2; ++set) engine.evaluator->set_points(set, other.evaluator->program(set).points());
  const TermValues after = engine.evaluator->gradient(theta, duals.view(), gradient);
  EXPECT_EQ(after.objective, other.evaluator->gradient(theta, duals.view(), expected).objective);
  EXPECT_EQ(gradient, expected);
  EXPECT_NE(after.objective, before.objective);
}

TEST(EvaluatorPoints, PaddingCountsNowhere) {
  // One point among eight lanes: the mean is that point's square.
  test::SmallEngine engine(problem_with(1, 1));
  const std::vector<double> theta = test::random_parameters(engine.model, 3);
  const std::vector<double> rows = test::residual_rows(*engine.evaluator, theta);
  ASSERT_EQ(rows.size(), 5);
  EXPECT_DOUBLE_EQ(engine.evaluator->values(theta).objective, rows[0] * rows[0]);
}

constexpr const char* kSingular = R"(title = "test"
coordinates = { x = [-1, 1], y = [0, 1] }
[[network]]
fields = ["u"]
hidden = [5]
[[term]]
name = "sides"
role = "constraint"
region = "boundary"
equation = "u - 1"
points = { grid = [5, 5] }
[[term]]
name = "pde"
role = "objective"
region = "interior"
equation = ["u_x - y", "u_xx + u/x"]
points = { grid = [5, 5] }
)";

TEST(EvaluatorPoints, TheFirstResidualThatIsNotFinite) {
  test::SmallEngine engine{std::string(kSingular)};
  const std::vector<double> theta = test::random_parameters(engine.model, 3);
  const std::optional<NotFinite> found = engine.evaluator->find_not_finite(theta);
  ASSERT_TRUE(found);
  EXPECT_EQ(found->term, "pde");
  EXPECT_EQ(found->point, 1);  // x = -1/2, 0, 1/2 with x fastest
  EXPECT_EQ(found->coordinates, (std::vector<double>{0, 0.25}));
  EXPECT_FALSE(std::isfinite(found->residual));
  EXPECT_FALSE(std::isfinite(engine.evaluator->values(theta).objective));
}

TEST(EvaluatorPoints, FiniteResidualsHaveNoSuchPlace) {
  test::SmallEngine engine(problem_with(30, 3));
  std::vector<double> theta = test::random_parameters(engine.model, 3);
  EXPECT_FALSE(engine.evaluator->find_not_finite(theta));
  theta[0] = std::nan("");
  const std::optional<NotFinite> found = engine.evaluator->find_not_finite(theta);
  ASSERT_TRUE(found);
  EXPECT_EQ(found->term, "pde");
  EXPECT_EQ(found->point, 0);
}

}  // namespace
}  // namespace pecann::evaluate
