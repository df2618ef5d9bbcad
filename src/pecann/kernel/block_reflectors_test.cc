#include "pecann/kernel/block_reflectors.h"

#include <gtest/gtest.h>

#include <cmath>

#include "pecann/base/aligned_vector.h"
#include "pecann/base/random_stream.h"
#include "support/simd_targets.h"

namespace pecann::kernel {
namespace {

AlignedVector<double> random_rows(std::size_t rows, const char* name) {
  RandomStream stream(9, name);
  AlignedVector<double> panel(rows * kBlockRows);
  for (double& entry : panel) entry = stream.normal();
  return panel;
}

AlignedVector<double> random_triangle() {
  AlignedVector<double> triangle = random_rows(kBlockRows, "triangle");
  for (std::size_t k = 0; k < kBlockRows; ++k) std::fill_n(triangle.begin() + k * kBlockRows, k, std::nan(""));
  return triangle;
}

/// Σ over the rows of [R; B] of entries i and j, where rows of R begin at their diagonal.
double product(const AlignedVector<double>& triangle, const AlignedVector<double>& panel, std::size_t i,
               std::size_t j) {
  double sum = 0;
  for (std::size_t k = 0; k <= std::min(i, j); ++k) sum += triangle[k * kBlockRows + i] * triangle[k * kBlockRows + j];
  for (std::size_t k = 0; k < panel.size(); k += kBlockRows) sum += panel[k + i] * panel[k + j];
  return sum;
}

TEST(BlockReflectorsTest, TriangleKeepsAllProductsOfColumns) {
  test::for_each_simd_target([] {
    for (const std::size_t rows : {1u, 24u, 100u}) {
      const AlignedVector<double> before = random_triangle(), panel = random_rows(rows, "panel");
      AlignedVector<double> triangle = before, reflectors = panel;
      double tau[kBlockRows];
      reflect_block(triangle.data(), reflectors.data(), rows, tau);
      for (std::size_t i = 0; i < kBlockRows; ++i)
        for (std::size_t j = i; j < kBlockRows; ++j)
          ASSERT_NEAR(product(triangle, {}, i, j), product(before, panel, i, j), 1e-11) << rows;
    }
  });
}

// The reflectors and their T, applied to the columns that they were made of, give the triangle over zeros.
TEST(BlockReflectorsTest, ReflectorsAndTheirTriangleEliminateTheRows) {
  test::for_each_simd_target([] {
    const std::size_t rows = 60;
    const AlignedVector<double> before = random_triangle(), panel = random_rows(rows, "panel");
    AlignedVector<double> triangle = before, v = panel, gram(kBlockSize, 0.0), t(kBlockSize);
    double tau[kBlockRows];
    reflect_block(triangle.data(), v.data(), rows, tau);
    add_block_product(v.data(), v.data(), rows, gram.data(), v.data());
    reflector_triangle(gram.data(), tau, t.data());
    for (std::size_t j = 0; j < kBlockRows; ++j) {
      double w[kBlockRows], change[kBlockRows];  // R + Vᵀ B and Tᵀ times it
      for (std::size_t i = 0; i < kBlockRows; ++i) {
        w[i] = i <= j ? before[i * kBlockRows + j] : 0.0;
        for (std::size_t k = 0; k < rows; ++k) w[i] += v[k * kBlockRows + i] * panel[k * kBlockRows + j];
      }
      for (std::size_t i = 0; i < kBlockRows; ++i) {
        change[i] = 0;
        for (std::size_t l = 0; l <= i; ++l) change[i] += t[l * kBlockRows + i] * w[l];
        const double above = i <= j ? before[i * kBlockRows + j] : 0.0;
        ASSERT_NEAR(above - change[i], i <= j ? triangle[i * kBlockRows + j] : 0.0, 1e-12);
      }
      for (std::size_t k = 0; k < rows; ++k) {
        double left = panel[k * kBlockRows + j];
        for (std::size_t i = 0; i < kBlockRows; ++i) left -= v[k * kBlockRows + i] * change[i];
        ASSERT_NEAR(left, 0, 1e-12);
      }
    }
  });
}

TEST(BlockReflectorsTest, ColumnsOfZerosAndOfLostSquaresHaveNoReflector) {
  AlignedVector<double> triangle = random_triangle(), panel = random_rows(30, "panel");
  for (std::size_t k = 0; k < 30; ++k) panel[k * kBlockRows] = k == 3 ? 1e-150 : 0.0;
  const double corner = triangle[0];
  double tau[kBlockRows];
  reflect_block(triangle.data(), panel.data(), 30, tau);
  EXPECT_EQ(tau[0], 0);
  EXPECT_EQ(triangle[0], corner);
  for (std::size_t k = 0; k < 30; ++k) EXPECT_EQ(panel[k * kBlockRows], 0);
  EXPECT_GT(tau[1], 0);
}

}  // namespace
}  // namespace pecann::kernel
