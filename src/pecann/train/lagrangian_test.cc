// The least-squares rows of L. In the weights of the output layer a linear network is linear, and so are the
// residuals of linear equations: there the second derivatives of the residuals vanish and G = ĴᵀĴ is the Hessian of
// L, rank-one terms included.
#include "pecann/train/lagrangian.h"

#include <cmath>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "support/engine_problem.h"

namespace pecann::train {
namespace {

std::string problem_text(const std::string& objective_aggregate, const std::string& aggregate,
                         const std::string& flux) {
  return R"(title = "test"
coordinates = { x = [-1, 1], t = [0, 1] }
[[network]]
fields = ["u", "v"]
hidden = [7, 6]
[[term]]
name = "pde"
role = "objective"
region = "interior"
equation = ["u_t - 0.3*u_xx + x*v", "v - u_x"]
points = { sobol = 90 }
weight = 1.7
aggregate = ")" +
         objective_aggregate + R"("
[[term]]
name = "flux"
role = "constraint"
equation = )" +
         flux + R"(
points = { same_as = "pde" }
aggregate = ")" +
         aggregate + R"("
[[term]]
name = "sides"
role = "constraint"
region = "boundary"
equation = "u - x*t"
points = { sobol = 20 }
aggregate = ")" +
         aggregate + "\"\n[penalty]\nstrategy = \"capu\"\n";
}

struct LeastSquaresCase {
  const char* name;
  const char* objective;
  const char* constraint;
  const char* flux = "\"v_t + t*u - 1\"";
  bool weighted = false;   // the points have the weights 0.2, 0.5, 0.8, …
  bool equations = false;  // the equations have the weights 0.3, 1.0, 1.7, …
};

class LagrangianRows : public ::testing::TestWithParam<LeastSquaresCase> {
 protected:
  LagrangianRows()
      : theta(test::random_parameters(engine.model, 4)), duals(engine.evaluator->num_constraint_entries()) {
    // Weights w = λ + μ C must be positive for rows to exist; λ > 0 is enough.
    const test::RandomDuals random(duals.size(), 6, 0.1);
    duals.multiplier = random.multiplier;
    duals.penalty = random.penalty;
    for (std::size_t set = 0; set < 2 && GetParam().weighted; ++set) {
      sampling::PointSet points = engine.evaluator->program(set).points();
      std::vector<double> importance;
      for (std::size_t i = 0; i < points.count; ++i) importance.push_back(0.2 + 0.3 * static_cast<double>(i % 6));
      points.set_column(sampling::kImportanceColumn, importance);
      engine.evaluator->set_points(set, points);
    }
    double weight = 0.3;
    for (std::size_t t = 0; t < 3 && GetParam().equations; ++t) {
      std::vector<double> weights;
      for (std::size_t e = 0; e < engine.evaluator->terms()[t].residuals.size(); ++e, weight += 0.7)
        weights.push_back(weight);
      engine.evaluator->set_equation_weights(t, weights);
    }
  }

  std::vector<double> gradient_at(const std::vector<double>& x) {
    std::vector<double> gradient(x.size());
    LagrangianObjective(*engine.evaluator, duals).value_and_gradient(x, gradient);
    return gradient;
  }

  test::SmallEngine engine{problem_text(GetParam().objective, GetParam().constraint, GetParam().flux)};
  std::vector<double> theta;
  penalty::DualState duals;
};

/// Ĵ as [parameter][row], `block` tiles at a time.
std::vector<double> all_rows(LagrangianLeastSquares& squares, std::size_t block) {
  const auto offsets = squares.row_offsets();
  const std::vector<std::size_t> first(offsets.begin(), offsets.end());
  const std::size_t rows = first.back(), tiles = first.size() - 1;
  std::vector<double> jacobian(squares.size() * rows, 1e300);
  for (std::size_t tile = 0; tile < tiles; tile += block)
    squares.jacobian(tile, std::min(block, tiles - tile), jacobian.data() + first[tile], rows);
  return jacobian;
}

double largest(const std::vector<double>& values) {
  double result = 0;
  for (const double value : values) result = std::max(result, std::abs(value));
  return result;
}

TEST_P(LagrangianRows, TheGradientIsTheRowsTimesTheRightSide) {
  LagrangianLeastSquares squares(*engine.evaluator, duals);
  const std::size_t rows = squares.num_rows();
  std::vector<double> gradient(theta.size()), right_side(rows), product(theta.size());
  const double value = squares.linearise(theta, gradient, right_side);
  EXPECT_EQ(value, squares.value(theta));
  EXPECT_EQ(gradient, gradient_at(theta));

  const std::vector<double> jacobian = all_rows(squares, 1);
  EXPECT_EQ(all_rows(squares, 1000), jacobian);
  squares.pull_back(right_side, product);
  for (std::size_t p = 0; p < theta.size(); ++p) {
    double sum = 0;
    for (std::size_t row = 0; row < rows; ++row) sum += jacobian[p * rows + row] * right_side[row];
    EXPECT_NEAR(sum, gradient[p], 1e-12 * largest(gradient)) << "parameter " << p;
    EXPECT_NEAR(product[p], gradient[p], 1e-12 * largest(gradient)) << "parameter " << p;
  }
}

TEST_P(LagrangianRows, JacobianOfTheRowsByDifferences) {
  LagrangianLeastSquares squares(*engine.evaluator, duals);
  const std::size_t rows = squares.num_rows();
  std::vector<double> gradient(theta.size()), right_side(rows), above(rows), below(rows);
  squares.linearise(theta, gradient, right_side);
  const std::vector<double> jacobian = all_rows(squares, 2);
  for (std::size_t p = 0; p < theta.size(); p += 5) {
    const double h = 1e-5;
    std::vector<double> moved = theta;
    moved[p] = theta[p] + h;
    squares.rows(moved, above);
    moved[p] = theta[p] - h;
    squares.rows(moved, below);
    for (std::size_t row = 0; row < rows; ++row)
      EXPECT_NEAR(jacobian[p * rows + row], (above[row] - below[row]) / (2 * h), 1e-7 * largest(jacobian))
          << "row " << row << ", parameter " << p;
  }
}

TEST_P(LagrangianRows, GramMatrixIsTheHessianWhereResidualsAreLinear) {
  LagrangianLeastSquares squares(*engine.evaluator, duals);
  const std::size_t rows = squares.num_rows();
  std::vector<double> gradient(theta.size()), right_side(rows);
  squares.linearise(theta, gradient, right_side);
  const std::vector<double> jacobian = all_rows(squares, 3);

  const network::Network::Layer& output = engine.model.networks()[0].layers().back();
  std::vector<double> gram, differences;
  for (std::size_t p = output.offset; p < theta.size(); ++p) {
    const double h = 1e-4;
    std::vector<double> moved = theta;
    moved[p] = theta[p] + h;
    const std::vector<double> above = gradient_at(moved);
    moved[p] = theta[p] - h;
    const std::vector<double> below = gradient_at(moved);
    for (std::size_t q = output.offset; q < theta.size(); ++q) {
      double sum = 0;
      for (std::size_t row = 0; row < rows; ++row) sum += jacobian[p * rows + row] * jacobian[q * rows + row];
      gram.push_back(sum);
      differences.push_back((above[q] - below[q]) / (2 * h));
    }
  }
  // ∇L is a cubic polynomial here: central differences are off by h² times its third derivative.
  for (std::size_t i = 0; i < gram.size(); ++i) EXPECT_NEAR(gram[i], differences[i], 1e-7 * largest(gram)) << i;
}

INSTANTIATE_TEST_SUITE_P(
    Aggregates, LagrangianRows,
    ::testing::Values(
        LeastSquaresCase{"Mean", "mean", "mean"}, LeastSquaresCase{"Sum", "sum", "sum"},
        LeastSquaresCase{.name = "WeightedMean", .objective = "mean", .constraint = "mean", .weighted = true},
        LeastSquaresCase{.name = "WeightedSum", .objective = "sum", .constraint = "sum", .weighted = true},
        LeastSquaresCase{"Pointwise", "sum", "pointwise"},
        LeastSquaresCase{"PointwiseOfThreeEquations", "mean", "pointwise",
                         "[\"v_t + t*u - 1\", \"u + v\", \"u_x - 2*v + x\"]"},
        LeastSquaresCase{"MeanOfTwoEquations", "sum", "mean", "[\"v_t + t*u - 1\", \"u + v\"]"},
        LeastSquaresCase{"EquationsOfMeans", "mean", "mean", "[\"v_t + t*u - 1\", \"u + v\"]", true, true},
        LeastSquaresCase{"EquationsOfPoints", "sum", "pointwise", "[\"v_t + t*u - 1\", \"u + v\", \"u_x - 2*v + x\"]",
                         false, true},
        LeastSquaresCase{"EquationOfPoints", "sum", "pointwise", "\"v_t + t*u - 1\"", false, true},
        LeastSquaresCase{"Integral", "mean", "mean", "[\"integral(v_t + t*u) = 1\", \"mean(u_x) = 0\"]"},
        LeastSquaresCase{"WeightedIntegral", "mean", "sum", "\"integral(v_t + t*u) = 1\"", false, true},
        LeastSquaresCase{"MeanInequality", "mean", "mean", "\"v_t + t*u >= 0.1\""},
        LeastSquaresCase{"PointwiseInequality", "sum", "pointwise", "\"v_t + t*u >= 0.1\""},
        LeastSquaresCase{"PointwiseInequalities", "sum", "pointwise", "[\"v_t + t*u >= 0.1\", \"u <= v\"]"}),
    [](const auto& info) { return info.param.name; });

TEST(LagrangianObjective, ValueAloneAndPaperIdentity) {
  // With equal multipliers at all points [paper, appendix C],
  //     L_pointwise = N_F [L_aggregated + ½ μ_B Var(C_B)],  λ_B = c_λ N_B/N_F,  μ_B = c_μ N_B/N_F
  // (one constraint, the objective a sum against a mean).
  const auto text = [](const char* objective, const char* constraint) {
    return std::string(R"(title = "test"
coordinates = { x = [-1, 1], t = [0, 1] }
[[network]]
fields = ["u"]
hidden = [8]
[[term]]
name = "pde"
role = "objective"
region = "interior"
equation = "u_t - u_xx + u^2"
points = { sobol = 50 }
aggregate = ")") +
           objective + R"("
[[term]]
name = "sides"
role = "constraint"
region = "boundary"
equation = "u - x"
points = { sobol = 15 }
aggregate = ")" +
           constraint + "\"\n";
  };
  test::SmallEngine pointwise(text("sum", "pointwise")), aggregated(text("mean", "mean"));
  const std::vector<double> theta = test::random_parameters(pointwise.model, 4);
  const double c_lambda = 0.7, c_mu = 1.9, n_f = 50, n_b = 30;
  penalty::DualState each(30), one(1);
  each.multiplier.assign(30, c_lambda);
  each.penalty.assign(30, c_mu);
  one.multiplier[0] = c_lambda * n_b / n_f;
  one.penalty[0] = c_mu * n_b / n_f;
  const std::vector<double> c = pointwise.evaluator->values(theta).constraints;
  double mean = 0, variance = 0;
  for (const double value : c) mean += value / n_b;
  for (const double value : c) variance += (value - mean) * (value - mean) / n_b;
  const double left = LagrangianObjective(*pointwise.evaluator, each).value(theta);
  const double right =
      n_f * (LagrangianObjective(*aggregated.evaluator, one).value(theta) + 0.5 * one.penalty[0] * variance);
  EXPECT_NEAR(left, right, 1e-13 * right);
}

}  // namespace
}  // namespace pecann::train
