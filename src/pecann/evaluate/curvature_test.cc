#include "pecann/evaluate/curvature.h"

#include <cmath>
#include <numeric>
#include <set>

#include <gtest/gtest.h>

#include "support/engine_problem.h"

namespace pecann::evaluate {
namespace {

std::string two_terms(const std::string& factor, int points) {
  return R"(title = "test"
coordinates = { x = [-1, 1], t = [0, 1] }
[[network]]
fields = ["u", "v"]
hidden = [5, 4]
[[term]]
name = "pde"
role = "objective"
region = "interior"
equation = ["u_t - 0.3*u_xx + x*v", ")" +
         factor + R"toml(*(v - u_x)"]
points = { sobol = )toml" +
         std::to_string(points) + R"( }
[[term]]
name = "sides"
role = "constraint"
region = "boundary"
equation = "u - x*t"
points = { sobol = 20 }
aggregate = "pointwise"
)";
}

/// ‖A‖_F²/tr A with A = Σ ∇r ∇rᵀ/N, from one reverse pass per point.
double dense_curvature(Evaluator& evaluator, const std::vector<double>& theta, int term, int equation) {
  std::vector<std::vector<double>> rows;
  std::vector<double> seeds(evaluator.num_rows(), 0.0), row(theta.size());
  for (const Evaluator::RowRun& run : evaluator.row_runs()) {
    if (run.term != term || run.equation != equation) continue;
    for (std::size_t i = 0; i < run.count; ++i) {
      seeds[run.first_row + i] = 1;
      evaluator.pull_back(theta, seeds, row);
      seeds[run.first_row + i] = 0;
      rows.push_back(row);
    }
  }
  double squares = 0, trace = 0;
  const auto count = static_cast<double>(rows.size());
  for (std::size_t p = 0; p < theta.size(); ++p) {
    for (std::size_t q = 0; q < theta.size(); ++q) {
      double entry = 0;
      for (const auto& r : rows) entry += r[p] * r[q] / count;
      squares += entry * entry;
      if (p == q) trace += entry;
    }
  }
  return squares / trace;
}

TEST(EquationCurvatures, AreThoseOfTheWholeBlockWhereAllPointsAreTaken) {
  test::SmallEngine engine{two_terms("1", 60)};
  const std::vector<double> theta = test::random_parameters(engine.model, 3);
  engine.evaluator->set_equation_weights(0, std::vector<double>{7.0, 0.1});  // must not matter
  const auto curvatures = equation_curvatures(*engine.evaluator, theta);
  ASSERT_EQ(curvatures.size(), 2u);
  ASSERT_EQ(curvatures[0].size(), 2u);
  for (const auto& [term, equation] : {std::pair{0, 0}, std::pair{0, 1}, std::pair{1, 0}}) {
    const double dense = dense_curvature(*engine.evaluator, theta, term, equation);
    EXPECT_NEAR(curvatures[term][equation], dense, 1e-12 * dense) << term << " " << equation;
  }
}

TEST(EquationCurvatures, ASampleIsNearTheWhole) {
  test::SmallEngine engine{two_terms("1", 700)};
  const std::vector<double> theta = test::random_parameters(engine.model, 5);
  const double whole = dense_curvature(*engine.evaluator, theta, 0, 0);
  EXPECT_NEAR(equation_curvatures(*engine.evaluator, theta)[0][0] / whole, 1, 0.3);
}

TEST(EquationCurvatures, GrowWithTheSquareOfAFactor) {
  test::SmallEngine plain{two_terms("1", 60)}, scaled{two_terms("1000", 60)};
  const std::vector<double> theta = test::random_parameters(plain.model, 3);
  const auto before = equation_curvatures(*plain.evaluator, theta),
             after = equation_curvatures(*scaled.evaluator, theta);
  EXPECT_DOUBLE_EQ(after[0][0], before[0][0]);
  EXPECT_NEAR(after[0][1] / before[0][1], 1e6, 1e-6);
}

TEST(SpreadIndices, TakeAllOfFewAndSpreadOverMany) {
  EXPECT_EQ(spread_indices(3, 5), (std::vector<std::size_t>{0, 1, 2}));
  const std::vector<std::size_t> chosen = spread_indices(2401, 100);  // nodes of a grid of 49 × 49
  ASSERT_GT(chosen.size(), 90u);
  std::set<std::size_t> rows, columns;
  for (const std::size_t index : chosen) {
    EXPECT_LT(index, 2401u);
    rows.insert(index / 49);
    columns.insert(index % 49);
  }
  EXPECT_GT(rows.size(), 40u);
  EXPECT_GT(columns.size(), 30u);  // steps of 24 would meet two or three columns
}

}  // namespace
}  // namespace pecann::evaluate
