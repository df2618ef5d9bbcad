#include "pecann/kernel/block_algebra.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

#include "pecann/base/aligned_vector.h"
#include "pecann/base/random_stream.h"
#include "support/simd_targets.h"

namespace pecann::kernel {
namespace {

AlignedVector<double> random_panel(std::size_t depth, const char* name) {
  RandomStream stream(5, name);
  AlignedVector<double> panel(depth * kBlockRows);
  for (double& entry : panel) entry = stream.normal();
  return panel;
}

TEST(BlockAlgebraTest, ProductsEqualDirectSums) {
  test::for_each_simd_target([] {
    for (const std::size_t depth : {0u, 1u, 7u, 130u}) {
      const AlignedVector<double> a = random_panel(depth + 1, "a"), b = random_panel(depth + 1, "b");
      const AlignedVector<double> before = random_panel(kBlockRows, "c");
      AlignedVector<double> sum = before, difference = before;
      add_block_product(a.data(), b.data(), depth, sum.data(), a.data());
      subtract_block_product(a.data(), b.data(), depth, difference.data(), a.data());
      for (std::size_t i = 0; i < kBlockRows; ++i) {
        for (std::size_t j = 0; j < kBlockRows; ++j) {
          double product = 0;
          for (std::size_t k = 0; k < depth; ++k) product += a[k * kBlockRows + i] * b[k * kBlockRows + j];
          const std::size_t at = j * kBlockRows + i;
          ASSERT_NEAR(sum[at], before[at] + product, 1e-12) << depth;
          ASSERT_NEAR(difference[at], before[at] - product, 1e-12) << depth;
        }
      }
    }
  });
}

/// A lower triangle with ones and more on its diagonal, and its product L Lᵀ.
AlignedVector<double> lower_triangle() {
  AlignedVector<double> lower = random_panel(kBlockRows, "lower");
  for (std::size_t k = 0; k < kBlockRows; ++k) {
    for (std::size_t i = 0; i < k; ++i) lower[k * kBlockRows + i] = 0;
    lower[k * kBlockRows + k] = 4 + std::abs(lower[k * kBlockRows + k]);
  }
  return lower;
}

TEST(BlockAlgebraTest, FactorIsTheTriangleThatTheProductWasMadeOf) {
  test::for_each_simd_target([] {
    const AlignedVector<double> lower = lower_triangle();
    AlignedVector<double> product(kBlockSize, 0.0);
    add_block_product(lower.data(), lower.data(), kBlockRows, product.data(), lower.data());
    ASSERT_TRUE(factor_block(product.data()));
    for (std::size_t k = 0; k < kBlockRows; ++k)
      for (std::size_t i = k; i < kBlockRows; ++i)
        ASSERT_NEAR(product[k * kBlockRows + i], lower[k * kBlockRows + i], 1e-12);
  });
}

TEST(BlockAlgebraTest, PivotsThatAreNotPositiveOrNotFiniteHaveNoFactor) {
  for (const double pivot :
       {0.0, -1.0, std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity()}) {
    AlignedVector<double> c(kBlockSize, 0.0);
    for (std::size_t k = 0; k < kBlockRows; ++k) c[k * kBlockRows + k] = k == 20 ? pivot : 1.0;
    EXPECT_FALSE(factor_block(c.data())) << pivot;
  }
}

TEST(BlockAlgebraTest, TriangularSolvesInvertTheirProducts) {
  test::for_each_simd_target([] {
    const AlignedVector<double> lower = lower_triangle(), x = random_panel(kBlockRows, "x");
    AlignedVector<double> c(kBlockSize, 0.0);  // X Lᵀ
    add_block_product(x.data(), lower.data(), kBlockRows, c.data(), x.data());
    solve_block(lower.data(), c.data());
    for (std::size_t at = 0; at < kBlockSize; ++at) ASSERT_NEAR(c[at], x[at], 1e-11);

    AlignedVector<double> y(kBlockRows, 0.0), z(kBlockRows, 0.0);  // −L v and −Lᵀ v
    const AlignedVector<double> v = random_panel(1, "v");
    subtract_panel_product(lower.data(), kBlockRows, v.data(), y.data());
    subtract_panel_transposed(lower.data(), kBlockRows, v.data(), z.data());
    solve_lower(lower.data(), y.data());
    solve_lower_transposed(lower.data(), z.data());
    for (std::size_t i = 0; i < kBlockRows; ++i) {
      ASSERT_NEAR(y[i], -v[i], 1e-12);
      ASSERT_NEAR(z[i], -v[i], 1e-12);
    }
  });
}

TEST(BlockAlgebraTest, PanelProductsEqualDirectSums) {
  test::for_each_simd_target([] {
    const std::size_t depth = 31;
    const AlignedVector<double> panel = random_panel(depth, "panel"), x = random_panel(2, "x");
    AlignedVector<double> y(kBlockRows, 1.0), z(depth, 1.0);
    subtract_panel_product(panel.data(), depth, x.data(), y.data());
    subtract_panel_transposed(panel.data(), depth, x.data(), z.data());
    for (std::size_t i = 0; i < kBlockRows; ++i) {
      double sum = 1;
      for (std::size_t k = 0; k < depth; ++k) sum -= panel[k * kBlockRows + i] * x[k];
      ASSERT_NEAR(y[i], sum, 1e-12);
    }
    for (std::size_t k = 0; k < depth; ++k) {
      double sum = 1;
      for (std::size_t i = 0; i < kBlockRows; ++i) sum -= panel[k * kBlockRows + i] * x[i];
      ASSERT_NEAR(z[k], sum, 1e-12);
    }
  });
}

TEST(BlockAlgebraTest, PackingFillsShortBlocksWithZeros) {
  const std::size_t rows = 5, depth = 70, stride = 75;
  std::vector<double> by_rows(rows * stride), by_columns(depth * stride);
  for (std::size_t i = 0; i < rows; ++i)
    for (std::size_t k = 0; k < depth; ++k)
      by_rows[i * stride + k] = by_columns[k * stride + i] = static_cast<double>(100 * i + k + 1);
  AlignedVector<double> first(depth * kBlockRows, -1.0), second(depth * kBlockRows, -1.0);
  pack_rows(by_rows.data(), stride, rows, depth, first.data());
  pack_columns(by_columns.data(), stride, rows, depth, second.data());
  for (std::size_t k = 0; k < depth; ++k) {
    for (std::size_t i = 0; i < kBlockRows; ++i) {
      const double expected = i < rows ? static_cast<double>(100 * i + k + 1) : 0.0;
      ASSERT_EQ(first[k * kBlockRows + i], expected);
      ASSERT_EQ(second[k * kBlockRows + i], expected);
    }
  }
}

}  // namespace
}  // namespace pecann::kernel
