#include "pecann/optim/streamed_qr.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "pecann/base/parallel.h"
#include "pecann/base/random_stream.h"

namespace pecann::optim {
namespace {

/// Rows [A b], row by row.
struct System {
  std::size_t columns;
  std::vector<std::vector<double>> rows;
};

System random_system(std::size_t rows, std::size_t columns) {
  RandomStream stream(3, "streamed_qr_test");
  System system{columns, {}};
  for (std::size_t r = 0; r < rows; ++r) {
    system.rows.emplace_back(columns + 1);
    for (double& entry : system.rows.back()) entry = stream.normal();
  }
  return system;
}

std::vector<double> solved(const System& system, std::size_t panel, double cut = 1e-14, std::size_t* rank = nullptr) {
  StreamedQr qr(system.columns);
  for (std::size_t first = 0; first < system.rows.size(); first += panel) {
    const std::size_t count = std::min(panel, system.rows.size() - first), stride = count + 3;
    std::vector<double> columns((system.columns + 1) * stride, std::nan(""));
    for (std::size_t c = 0; c <= system.columns; ++c)
      for (std::size_t r = 0; r < count; ++r) columns[c * stride + r] = system.rows[first + r][c];
    qr.add_rows(columns.data(), count, stride);
  }
  std::vector<double> d(system.columns);
  const std::size_t found = qr.solve(cut, d);
  if (rank != nullptr) *rank = found;
  return d;
}

std::vector<double> residuals(const System& system, const std::vector<double>& d) {
  std::vector<double> result;
  for (const auto& row : system.rows) {
    double sum = row.back();
    for (std::size_t c = 0; c < d.size(); ++c) sum += row[c] * d[c];
    result.push_back(sum);
  }
  return result;
}

TEST(StreamedQrTest, ResidualIsOrthogonalToAllColumnsForAnyPanels) {
  for (const std::size_t columns : {1u, 7u, 24u, 70u, 150u}) {
    const System system = random_system(200, columns);
    for (const std::size_t panel : {1u, 13u, 64u, 200u}) {
      const std::vector<double> r = residuals(system, solved(system, panel));
      for (std::size_t c = 0; c < columns; ++c) {
        double product = 0;
        for (std::size_t j = 0; j < r.size(); ++j) product += system.rows[j][c] * r[j];
        ASSERT_NEAR(product, 0, 1e-11) << columns << " columns, panels of " << panel;
      }
    }
  }
}

TEST(StreamedQrTest, DependentColumnsChangeNothing) {
  System system = random_system(40, 6);
  for (auto& row : system.rows) row[4] = row[1] - 2 * row[2], row[5] = 0;
  std::size_t rank = 0;
  const std::vector<double> d = solved(system, 16, 1e-12, &rank);
  EXPECT_EQ(rank, 4u);
  System independent = system;
  independent.columns = 4;
  for (auto& row : independent.rows) row = {row[0], row[1], row[2], row[3], row[6]};
  const std::vector<double> expected = residuals(independent, solved(independent, 40)), found = residuals(system, d);
  for (std::size_t j = 0; j < found.size(); ++j) EXPECT_NEAR(found[j], expected[j], 1e-12);
}

// Panels that come while R has fewer rows than columns are used up early; columns of zeros take no row of R, and what
// is left of a panel behind them must not be lost.
TEST(StreamedQrTest, FirstPanelsKeepTheirRowsBehindColumnsOfZeros) {
  System system = random_system(300, 200);
  for (std::size_t r = 0; r < 90; ++r) std::fill_n(system.rows[r].begin(), 120, 0.0);
  const std::vector<double> d = solved(system, 30), r = residuals(system, d), whole = solved(system, 300);
  for (std::size_t c = 0; c < system.columns; ++c) {
    double product = 0;
    for (std::size_t j = 0; j < r.size(); ++j) product += system.rows[j][c] * r[j];
    ASSERT_NEAR(product, 0, 1e-10) << c;
    ASSERT_NEAR(d[c], whole[c], 1e-11) << c;
  }
}

// Monomials on [0, 1] have a condition beyond 1e13 here: normal equations would stop near 1e-8.
TEST(StreamedQrTest, KeepsTheLastDigitsOfNearlyDependentColumns) {
  System system{14, {}};
  for (int r = 0; r <= 100; ++r) {
    const double x = r / 100.0;
    std::vector<double> row;
    for (int k = 0; k < 14; ++k) row.push_back(std::pow(x, k));
    row.push_back(-std::exp(x));
    system.rows.push_back(row);
  }
  for (const double r : residuals(system, solved(system, 32))) EXPECT_NEAR(r, 0, 2e-14);
}

// More columns than rows of δ I at once, more of them than rows, and panels beyond a block of reflectors.
TEST(StreamedQrTest, BitsDoNotDependOnThreads) {
  const System system = random_system(400, 600);
  const int threads = thread_count();
  set_thread_count(1);
  std::size_t rank = 0;
  const std::vector<double> one = solved(system, 150, 1e-14, &rank);
  EXPECT_GE(rank, 400u);  // the first columns beyond have large coefficients in those before
  EXPECT_LT(rank, 500u);
  for (const double r : residuals(system, one)) EXPECT_NEAR(r, 0, 1e-11);
  for (const int many : {2, 3}) {
    set_thread_count(many);
    EXPECT_EQ(solved(system, 150), one);
  }
  set_thread_count(threads);
}

// The definition: the least ‖A d + b‖² + δ² ‖D⁻¹ d‖², here with a δ that is seen.
TEST(StreamedQrTest, ShiftIsThatOfColumnsOfLengthOne) {
  System system = random_system(90, 40);
  for (auto& row : system.rows) row[7] *= 1e3;
  const double cut = 0.03;
  const std::vector<double> d = solved(system, 50, cut), r = residuals(system, d);
  for (std::size_t c = 0; c < system.columns; ++c) {
    double product = 0, squares = 0;
    for (std::size_t j = 0; j < r.size(); ++j) {
      product += system.rows[j][c] * r[j];
      squares += system.rows[j][c] * system.rows[j][c];
    }
    EXPECT_NEAR(product + cut * cut * squares * d[c], 0, 1e-10 * std::sqrt(squares)) << c;
  }
}

TEST(StreamedQrTest, ColumnsOfAnySizeGiveTheSameSolution) {
  const System system = random_system(60, 8);
  System scaled = system;
  for (auto& row : scaled.rows) row[3] *= 1e-12, row[6] *= 1e9;
  const std::vector<double> d = solved(system, 20), e = solved(scaled, 20);
  EXPECT_NEAR(e[3] * 1e-12, d[3], 1e-12);
  EXPECT_NEAR(e[6] * 1e9, d[6], 1e-12);
  EXPECT_NEAR(e[0], d[0], 1e-12);
}

}  // namespace
}  // namespace pecann::optim
