#include "pecann/optim/lm_equations.h"

#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include "pecann/base/input_error.h"
#include "pecann/base/random_stream.h"
#include "pecann/optim/lm_test_problem.h"

namespace pecann::optim {
namespace {

TestBlock random_linear(std::size_t size, std::size_t rows, const char* name) {
  RandomStream stream(5, name);
  std::vector<double> a(rows * size), data(rows);
  for (double& entry : a) entry = stream.normal();
  for (double& entry : data) entry = stream.normal();
  return {rows, [=](std::span<const double> x, std::span<double> r, std::span<double> j) {
            for (std::size_t k = 0; k < rows; ++k) {
              r[k] = -data[k];
              for (std::size_t p = 0; p < size; ++p) r[k] += a[k * size + p] * x[p];
            }
            std::copy(a.begin(), a.end(), j.begin());
          }};
}

TestProblem lagrangian(std::size_t size) {
  TestBlock first = random_linear(size, 5, "first"), second = random_linear(size, 4, "second");
  first.multiplier = 0.7, first.penalty = 3;
  second.multiplier = 2, second.penalty = 0.4;
  return TestProblem(size, {random_linear(size, 7, "objective"), first, second});
}

// For linear residuals the Gauss–Newton matrix with the μ g gᵀ terms is the Hessian of the augmented Lagrangian.
TEST(LmEquationsTest, MatrixIsTheHessianOfTheLagrangianForLinearResiduals) {
  constexpr std::size_t kSize = 6;
  TestProblem problem = lagrangian(kSize);
  ASSERT_EQ(problem.num_rows(), 7u + 5u + 4u + 2u);
  std::vector<double> x = {0.3, -0.2, 0.5, 0.1, -0.4, 0.25}, right_side(problem.num_rows());
  std::vector<double> ahead(kSize), behind(kSize), gradient(kSize);
  std::vector<std::vector<double>> hessian;
  const double h = 1e-5;
  for (std::size_t p = 0; p < kSize; ++p) {
    std::vector<double> moved = x;
    moved[p] = x[p] + h;
    problem.linearise(moved, ahead, right_side);
    moved[p] = x[p] - h;
    problem.linearise(moved, behind, right_side);
    hessian.emplace_back();
    for (std::size_t q = 0; q < kSize; ++q) hessian[p].push_back((ahead[q] - behind[q]) / (2 * h));
  }
  NormalEquations equations(NormalForm::Primal, kSize, problem.num_rows());
  problem.linearise(x, gradient, right_side);
  equations.build(problem);
  for (std::size_t p = 0; p < kSize; ++p)
    for (std::size_t q = 0; q <= p; ++q) EXPECT_NEAR(equations.gram().at(p, q), hessian[p][q], 1e-7) << p << q;

  // and the gradient is the derivative of L
  for (std::size_t p = 0; p < kSize; ++p) {
    std::vector<double> moved = x;
    moved[p] = x[p] + h;
    const double up = problem.value(moved);
    moved[p] = x[p] - h;
    EXPECT_NEAR(gradient[p], (up - problem.value(moved)) / (2 * h), 1e-7);
  }
}

TEST(LmEquationsTest, BothFormsSolveTheDampedSystem) {
  constexpr std::size_t kSize = 6;
  TestProblem problem = lagrangian(kSize);
  std::vector<double> x(kSize, 0.2), gradient(kSize), right_side(problem.num_rows());
  problem.linearise(x, gradient, right_side);
  NormalEquations primal(NormalForm::Primal, kSize, problem.num_rows());
  NormalEquations dual(NormalForm::Dual, kSize, problem.num_rows());
  primal.build(problem);
  dual.build(problem);
  EXPECT_NEAR(primal.trace(), dual.trace(), 1e-12 * primal.trace());
  const double nu = 0.3;
  ASSERT_TRUE(primal.factor(nu));
  ASSERT_TRUE(dual.factor(nu));
  std::vector<double> with_gradient(kSize), without(kSize), from_dual(kSize);
  primal.solve(problem, right_side, gradient, with_gradient);
  primal.solve(problem, right_side, {}, without);
  dual.solve(problem, right_side, {}, from_dual);
  for (std::size_t p = 0; p < kSize; ++p) {
    EXPECT_EQ(with_gradient[p], without[p]);
    EXPECT_NEAR(from_dual[p], without[p], 1e-12);
    double residual = gradient[p] + nu * without[p];  // (G + νI) d + ∇L = 0
    for (std::size_t q = 0; q < kSize; ++q)
      residual += (p >= q ? primal.gram().at(p, q) : primal.gram().at(q, p)) * without[q];
    EXPECT_NEAR(residual, 0, 1e-12);
  }
}

// Panels of several tiles, and a tile with more rows than a panel, give the direct sums.
TEST(LmEquationsTest, StreamedPanelsGiveTheWholeProduct) {
  for (const std::size_t tile_rows : {7u, 64u, 1200u}) {
    TestProblem problem(3, {random_linear(3, 1300, "objective")}, tile_rows);
    std::vector<double> x(3, 0.1), gradient(3), right_side(1300);
    problem.linearise(x, gradient, right_side);
    NormalEquations equations(NormalForm::Primal, 3, 1300);
    equations.build(problem);
    for (std::size_t p = 0; p < 3; ++p) {
      for (std::size_t q = 0; q <= p; ++q) {
        double sum = 0;
        for (std::size_t j = 0; j < 1300; ++j) {
          const std::vector<double> row = problem.jacobian_row(j);
          sum += row[p] * row[q];
        }
        EXPECT_NEAR(equations.gram().at(p, q), sum, 1e-12);
      }
    }
  }
}

TEST(LmEquationsTest, SmallerMatrixIsChosenUnlessItDoesNotFit) {
  EXPECT_EQ(choose_normal_form(100, 1000, 1e9), NormalForm::Primal);
  EXPECT_EQ(choose_normal_form(30601, 514, 1e9), NormalForm::Dual);
  EXPECT_EQ(choose_normal_form(3441, 2601, 4e9), NormalForm::Dual);
  // 19 000 × 20 000: the dual form also holds the Jacobian, 3 GB
  EXPECT_EQ(choose_normal_form(20000, 19000, 4e9), NormalForm::Primal);
}

TEST(LmEquationsTest, RefusalSaysHowManyBytesAreNeeded) {
  try {
    choose_normal_form(100000, 100000, 4e9);
    FAIL() << "no refusal";
  } catch (const InputError& error) {
    const std::string bytes =
        std::to_string(static_cast<long long>(normal_form_bytes(NormalForm::Primal, 100000, 100000)));
    EXPECT_NE(std::string(error.what()).find(bytes), std::string::npos) << error.what();
  }
}

}  // namespace
}  // namespace pecann::optim
