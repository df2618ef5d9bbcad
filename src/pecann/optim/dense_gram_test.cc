#include "pecann/optim/dense_gram.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "pecann/base/parallel.h"
#include "pecann/base/random_stream.h"
#include "pecann/optim/lower_blocks.h"

namespace pecann::optim {
namespace {

class DenseGramTest : public ::testing::Test {
 protected:
  void TearDown() override { set_thread_count(threads_); }
  const int threads_ = thread_count();
};

std::vector<double> random_matrix(std::size_t entries) {
  RandomStream stream(7, "dense_gram_test");
  std::vector<double> a(entries);
  for (double& entry : a) entry = stream.normal();
  return a;
}

// Sizes below, at and above the borders of blocks and tiles; a depth beyond one packed panel.
TEST_F(DenseGramTest, OuterAndInnerEqualDirectSums) {
  for (const std::size_t n : {1u, 24u, 25u, 96u, 97u, 230u}) {
    const std::size_t depth = n == 25 ? kGramDepth + 300 : 37, stride = depth + 3;
    GramProduct product;
    const std::vector<double> a = random_matrix(n * stride);
    std::vector<double> transposed(depth * (n + 2), 0.0);
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t k = 0; k < depth; ++k) transposed[k * (n + 2) + i] = a[i * stride + k];
    LowerBlocks outer(n), inner(n);
    product.add_outer(a.data(), depth, stride, outer);
    product.add_outer(a.data(), depth, stride, outer);  // accumulates
    product.add_inner(transposed.data(), depth, n + 2, inner);
    double trace = 0;
    for (std::size_t i = 0; i < n; ++i) {
      for (std::size_t j = 0; j <= i; ++j) {
        double sum = 0;
        for (std::size_t k = 0; k < depth; ++k) sum += a[i * stride + k] * a[j * stride + k];
        if (i == j) trace += sum;
        ASSERT_NEAR(outer.at(i, j), 2 * sum, 1e-12 * static_cast<double>(depth));
        ASSERT_NEAR(inner.at(i, j), sum, 1e-12 * static_cast<double>(depth));
      }
    }
    EXPECT_NEAR(inner.trace(), trace, 1e-12 * trace);
  }
}

TEST_F(DenseGramTest, BitsDoNotDependOnThreads) {
  const std::size_t n = 517, depth = 261;
  const std::vector<double> a = random_matrix(n * depth);
  set_thread_count(1);
  GramProduct product;
  LowerBlocks one(n), one_inner(depth);
  product.add_outer(a.data(), depth, depth, one);
  product.add_inner(a.data(), n, depth, one_inner);
  for (const int threads : {2, 3}) {
    set_thread_count(threads);
    LowerBlocks many(n), many_inner(depth);
    product.add_outer(a.data(), depth, depth, many);
    product.add_inner(a.data(), n, depth, many_inner);
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t j = 0; j <= i; ++j) ASSERT_EQ(one.at(i, j), many.at(i, j));
    for (std::size_t i = 0; i < depth; ++i)
      for (std::size_t j = 0; j <= i; ++j) ASSERT_EQ(one_inner.at(i, j), many_inner.at(i, j));
  }
}

TEST_F(DenseGramTest, DescriptionNamesLibraryAndKernels) {
  EXPECT_EQ(blas_description().rfind("OpenBLAS ", 0), 0u);
  EXPECT_NE(blas_description().find(", kernels "), std::string::npos);
}

}  // namespace
}  // namespace pecann::optim
