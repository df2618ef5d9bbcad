#include "pecann/optim/dense_cholesky.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

#include "pecann/base/parallel.h"
#include "pecann/base/random_stream.h"
#include "pecann/optim/dense_gram.h"
#include "support/simd_targets.h"

namespace pecann::optim {
namespace {

class DenseCholeskyTest : public ::testing::Test {
 protected:
  void TearDown() override { set_thread_count(threads_); }
  const int threads_ = thread_count();
};

LowerBlocks random_gram(std::size_t n, std::size_t depth) {
  RandomStream stream(11, "dense_cholesky_test");
  std::vector<double> a(n * depth);
  for (double& entry : a) entry = stream.normal();
  LowerBlocks gram(n);
  GramProduct().add_outer(a.data(), depth, depth, gram);
  return gram;
}

TEST_F(DenseCholeskyTest, SmallFactorIsTheClosedForm) {
  LowerBlocks a(2);
  a.at(0, 0) = 3.0;  // 3 + shift 1 = 4
  a.at(1, 0) = 2.0;
  a.at(1, 1) = 9.0;  // 9 + shift 1 = 10
  DenseCholesky cholesky(2);
  ASSERT_TRUE(cholesky.factor(a, 1.0));
  EXPECT_DOUBLE_EQ(cholesky.lower().at(0, 0), 2.0);
  EXPECT_DOUBLE_EQ(cholesky.lower().at(1, 0), 1.0);
  EXPECT_DOUBLE_EQ(cholesky.lower().at(1, 1), 3.0);
}

TEST_F(DenseCholeskyTest, SolveInvertsTheShiftedMatrix) {
  test::for_each_simd_target([] {
    for (const std::size_t n : {1u, 24u, 95u, 96u, 97u, 400u}) {
      const LowerBlocks a = random_gram(n, 2 * n);
      const double shift = 0.5;
      DenseCholesky cholesky(n);
      ASSERT_TRUE(cholesky.factor(a, shift));
      std::vector<double> x(n), b(n, 0.0);
      for (std::size_t i = 0; i < n; ++i) x[i] = std::sin(1.0 + static_cast<double>(i));
      for (std::size_t i = 0; i < n; ++i)
        for (std::size_t j = 0; j < n; ++j) b[i] += (i >= j ? a.at(i, j) : a.at(j, i)) * x[j];
      for (std::size_t i = 0; i < n; ++i) b[i] += shift * x[i];
      cholesky.solve(b);
      for (std::size_t i = 0; i < n; ++i) ASSERT_NEAR(b[i], x[i], 1e-11) << n << " " << i;
    }
  });
}

TEST_F(DenseCholeskyTest, IndefiniteAndNotFiniteMatricesHaveNoFactor) {
  LowerBlocks a = random_gram(200, 400);
  DenseCholesky cholesky(200);
  EXPECT_TRUE(cholesky.factor(a, 0.0));
  EXPECT_FALSE(cholesky.factor(a, -1e4));
  a.at(133, 133) = -1.0;  // a pivot in the second column of tiles
  EXPECT_FALSE(cholesky.factor(a, 0.0));
  a.at(133, 133) = std::numeric_limits<double>::quiet_NaN();
  EXPECT_FALSE(cholesky.factor(a, 0.0));
}

TEST_F(DenseCholeskyTest, BitsDoNotDependOnThreads) {
  const std::size_t n = 523;
  const LowerBlocks a = random_gram(n, 600);
  set_thread_count(1);
  DenseCholesky one(n);
  ASSERT_TRUE(one.factor(a, 0.1));
  std::vector<double> b_one(n, 1.0);
  one.solve(b_one);
  for (const int threads : {2, 3}) {
    set_thread_count(threads);
    DenseCholesky many(n);
    ASSERT_TRUE(many.factor(a, 0.1));
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t j = 0; j <= i; ++j) ASSERT_EQ(one.lower().at(i, j), many.lower().at(i, j));
    std::vector<double> b_many(n, 1.0);
    many.solve(b_many);
    ASSERT_EQ(b_one, b_many);
  }
}

}  // namespace
}  // namespace pecann::optim
