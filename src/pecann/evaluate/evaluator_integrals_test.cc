// Terms of integrals, against the same sums taken by hand over the integrands at the points.
#include <cmath>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "pecann/base/parallel.h"
#include "pecann/evaluate/curvature.h"
#include "pecann/evaluate/evaluator.h"
#include "support/engine_test.h"

namespace pecann::evaluate {
namespace {

constexpr const char* kIntegralHead = R"toml(title = "test"
coordinates = { x = [-1, 1], t = [0, 2] }
[parameters]
c = { initial = 0.4, lower = 0.1 }
[[network]]
fields = ["u", "v"]
hidden = [8, 7]
)toml";

// Integrals among other terms: several in a term, an objective, on shared points, with scalars inside and outside,
// means, at every time, with one multiplier for each.
const std::string kIntegralProblem = std::string(kIntegralHead) + R"toml(
[[term]]
name = "pde"
role = "objective"
region = "interior"
equation = ["u_t - c*u_xx + u*v_x"]
points = { sobol = 203 }
[[term]]
name = "size"
role = "constraint"
region = "interior"
equation = ["integral(u^2)*c = 1", "mean(v*x + c) - 2*integral(u)^2 = c^2"]
points = { gauss = [9, 8] }
[[term]]
name = "shared"
role = "objective"
equation = "sin(integral(u*v)) = 0.2"
points = { same_as = "size" }
weight = 0.7
[[term]]
name = "mass"
role = "constraint"
region = "interior"
equation = ["integral(u + c*v, over = space) = exp(-t)", "mean(u, over = space)^2 = c*t"]
points = { gauss = [11, 5] }
aggregate = "pointwise"
[[term]]
name = "energy"
role = "constraint"
equation = "integral(u_x^2, over = space) = 3 - t"
points = { same_as = "mass" }
aggregate = "sum"
[[term]]
name = "outflow"
role = "constraint"
region = "x = 1"
equation = "integral(u_x) = 0.5"
points = { sobol = 40 }
distance = "absolute"
)toml";

// The integrands at the same points.
const std::string kIntegrands = std::string(kIntegralHead) + R"toml(
[[term]]
name = "size"
role = "objective"
region = "interior"
equation = ["u^2", "v*x + c", "u", "u*v"]
points = { gauss = [9, 8] }
[[term]]
name = "mass"
role = "objective"
region = "interior"
equation = ["u + c*v", "u", "u_x^2"]
points = { gauss = [11, 5] }
[[term]]
name = "outflow"
role = "objective"
region = "x = 1"
equation = "u_x"
points = { sobol = 40 }
)toml";

class IntegralTerms : public test::EngineTest {
 protected:
  IntegralTerms() : EngineTest(kIntegralProblem) {}
};

/// Values of an equation of a term by point.
std::vector<double> at_points(Evaluator& evaluator, const std::vector<double>& theta, int term, int equation) {
  const std::vector<double> rows = test::residual_rows(evaluator, theta);
  std::vector<double> values;
  for (const Evaluator::RowRun& run : evaluator.row_runs())
    if (run.term == term && run.equation == equation)
      values.insert(values.end(), rows.begin() + run.first_row, rows.begin() + run.first_row + run.count);
  return values;
}

TEST_F(IntegralTerms, ResidualsAreFunctionsOfTheSumsOverThePoints) {
  test::SmallEngine plain(kIntegrands);
  const double c = engine.model.scalar(theta, 0).value;
  // The weights are those of the engine under test; quadrature_test.cc has the regions'.
  const auto sum = [&](int plain_term, int equation, std::size_t set, double at_time = -1) {
    const sampling::PointSet& points = evaluator.program(set).points();
    const std::vector<double> values = at_points(*plain.evaluator, theta, plain_term, equation);
    double total = 0;
    for (std::size_t i = 0; i < points.count; ++i)
      if (at_time < 0 || points.coordinates[1][i] == at_time)
        total += points.column(sampling::kWeightColumn)[i] * values[i];
    return total;
  };
  const auto residual = [&](int term, int equation) { return at_points(evaluator, theta, term, equation); };
  ASSERT_EQ(residual(1, 0).size(), 1u);
  EXPECT_NEAR(residual(1, 0)[0], sum(0, 0, 1) * c - 1, 1e-13);
  EXPECT_NEAR(residual(1, 1)[0], sum(0, 1, 1) / 4 - 2 * std::pow(sum(0, 2, 1), 2) - c * c, 1e-13);
  EXPECT_NEAR(residual(2, 0)[0], std::sin(sum(0, 3, 1)) - 0.2, 1e-13);
  EXPECT_NEAR(residual(5, 0)[0], sum(2, 0, 3) - 0.5, 1e-13);
  const std::vector<double> mass = residual(3, 0), level = residual(3, 1), energy = residual(4, 0);
  ASSERT_EQ(mass.size(), 5u);
  const sampling::PointSet& points = evaluator.program(2).points();
  for (std::size_t s = 0; s < 5; ++s) {
    const double t = points.coordinates[1][11 * s];
    EXPECT_NEAR(mass[s], sum(1, 0, 2, t) - std::exp(-t), 1e-13);
    EXPECT_NEAR(level[s], std::pow(sum(1, 1, 2, t) / 2, 2) - c * t, 1e-13);
    EXPECT_NEAR(energy[s], sum(1, 2, 2, t) - 3 + t, 1e-13);
  }
}

TEST_F(IntegralTerms, EntriesAndValues) {
  const auto entries = evaluator.constraints();
  ASSERT_EQ(entries.size(), 4u);
  const std::size_t counts[] = {1, 5, 1, 1};
  for (std::size_t i = 0; i < entries.size(); ++i) EXPECT_EQ(entries[i].count, counts[i]) << entries[i].name;
  const TermValues values = evaluator.values(theta);
  const double first = at_points(evaluator, theta, 1, 0)[0], second = at_points(evaluator, theta, 1, 1)[0];
  EXPECT_NEAR(values.terms[1], first * first + second * second, 1e-13);
  const std::vector<double> mass = at_points(evaluator, theta, 3, 0), level = at_points(evaluator, theta, 3, 1);
  for (std::size_t s = 0; s < 5; ++s)
    EXPECT_NEAR(values.constraints[entries[1].first + s], mass[s] * mass[s] + level[s] * level[s], 1e-13);
  double energy = 0;
  for (const double r : at_points(evaluator, theta, 4, 0)) energy += r * r;
  EXPECT_NEAR(values.terms[4], energy, 1e-13);
  EXPECT_NEAR(values.terms[5], std::abs(at_points(evaluator, theta, 5, 0)[0]), 1e-14);
}

TEST_F(IntegralTerms, GradientOfTheLagrangianByCentralDifferences) { expect_gradient_of_differences(); }

TEST_F(IntegralTerms, JacobianRowsAreThoseOfDifferencesAndOfThePullBack) {
  const std::size_t rows = evaluator.num_rows(), tiles = evaluator.row_offsets().size() - 1;
  const std::vector<double> scale(rows, 1.0);
  std::vector<double> columns(theta.size() * rows);
  evaluator.jacobian(theta, scale, 0, tiles, columns.data(), rows);
  std::vector<double> seeds(rows), pulled(theta.size());
  for (std::size_t row = 0; row < rows; ++row) seeds[row] = std::sin(1.0 + static_cast<double>(row));
  evaluator.pull_back(theta, seeds, pulled);
  for (std::size_t p = 0; p < theta.size(); p += p + 5 < theta.size() ? 5 : 1) {
    const double h = 1e-5, at = theta[p];
    theta[p] = at + h;
    const std::vector<double> above = test::residual_rows(evaluator, theta);
    theta[p] = at - h;
    const std::vector<double> below = test::residual_rows(evaluator, theta);
    theta[p] = at;
    double along = 0;
    for (std::size_t row = 0; row < rows; ++row) {
      EXPECT_NEAR(columns[p * rows + row], (above[row] - below[row]) / (2 * h), 1e-7) << p << ", row " << row;
      along += seeds[row] * columns[p * rows + row];
    }
    EXPECT_NEAR(pulled[p], along, 1e-11) << p;
  }
  // Tiles of integrals alone, as methods that stream their rows ask for them.
  std::vector<double> last(theta.size() * rows);
  evaluator.jacobian(theta, scale, tiles - 1, 1, last.data(), rows);
  const std::size_t first_row = evaluator.row_offsets()[tiles - 1];
  for (std::size_t p = 0; p < theta.size(); ++p)
    for (std::size_t row = first_row; row < rows; ++row)
      EXPECT_EQ(last[p * rows + row - first_row], columns[p * rows + row]);
}

TEST_F(IntegralTerms, TheSameBitsForAnyNumberOfThreadsAndAfterOtherWork) {
  const int before = thread_count();
  set_thread_count(1);
  const std::vector<double> one = gradient_at(theta);
  const TermValues values = evaluator.values(theta);
  for (const int threads : {2, 3}) {
    set_thread_count(threads);
    test::SmallEngine fresh{kIntegralProblem};
    std::vector<double> gradient(theta.size());
    EXPECT_EQ(fresh.evaluator->gradient(theta, duals.view(), gradient).constraints, values.constraints);
    EXPECT_EQ(gradient, one);
  }
  set_thread_count(before);
  std::vector<double> rows = test::residual_rows(evaluator, theta), scratch(theta.size());
  evaluator.pull_back(theta, rows, scratch);
  EXPECT_EQ(gradient_at(theta), one);
  evaluator.term_gradient(theta, 3, scratch);
  EXPECT_EQ(gradient_at(theta), one);
}

TEST_F(IntegralTerms, TermGradientsAddUpToThatOfTheLagrangian) {
  const TermValues values = evaluator.values(theta);
  std::vector<double> sum(theta.size(), 0.0), part(theta.size());
  for (int t = 0; t < static_cast<int>(evaluator.terms().size()); ++t) {
    if (t == 3) continue;  // a weight for each of its times
    evaluator.term_gradient(theta, t, part);
    double weight = evaluator.terms()[t].weight;
    for (const ConstraintEntries& entries : evaluator.constraints())
      if (entries.term == t) weight = duals.view().weight(entries.first, values.constraints);
    for (std::size_t p = 0; p < sum.size(); ++p) sum[p] += weight * part[p];
  }
  for (const ConstraintEntries& entries : evaluator.constraints())
    if (entries.term == 3)
      for (std::size_t e = entries.first; e < entries.first + entries.count; ++e)
        duals.multiplier[e] = duals.penalty[e] = 0;
  const std::vector<double> all = gradient_at(theta);
  for (std::size_t p = 0; p < sum.size(); ++p) EXPECT_NEAR(sum[p], all[p], 1e-11);
}

TEST_F(IntegralTerms, TheCurvatureOfOneNumberIsTheSquareOfItsGradient) {
  const std::vector<std::vector<double>> curvatures = equation_curvatures(evaluator, theta);
  const std::size_t rows = evaluator.num_rows(), tiles = evaluator.row_offsets().size() - 1;
  std::vector<double> columns(theta.size() * rows);
  evaluator.jacobian(theta, std::vector<double>(rows, 1.0), 0, tiles, columns.data(), rows);
  for (const Evaluator::RowRun& run : evaluator.row_runs()) {
    if (run.term != 1 && run.term != 5) continue;
    double square = 0;
    for (std::size_t p = 0; p < theta.size(); ++p) square += std::pow(columns[p * rows + run.first_row], 2);
    EXPECT_NEAR(curvatures[run.term][run.equation], square, 1e-12 * square);
  }
}

TEST(IntegralPoints, NewPointsOfAnotherSizeGiveTheBitsOfANewEvaluator) {
  const auto text = [](const char* grid) {
    return std::string(kIntegralHead) + R"toml(
[[term]]
name = "mass"
role = "constraint"
region = "interior"
equation = "integral(u, over = space) = 1"
points = { gauss = )toml" +
           grid + " }\n";
  };
  test::SmallEngine engine(text("[7, 4]")), other(text("[9, 6]"));
  const std::vector<double> theta = test::random_parameters(engine.model, 3);
  engine.evaluator->values(theta);
  engine.evaluator->set_points(0, other.evaluator->program(0).points());
  EXPECT_EQ(engine.evaluator->values(theta).terms, other.evaluator->values(theta).terms);
  EXPECT_EQ(engine.evaluator->num_rows(), 6u);
}

}  // namespace
}  // namespace pecann::evaluate
