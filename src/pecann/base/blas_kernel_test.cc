#include "pecann/base/blas_kernel.h"

#include <gtest/gtest.h>

#include <cstdlib>

namespace pecann {
namespace {

TEST(BlasKernelTest, PoorChoiceIsReplacedByTheWidestUnit) {
  EXPECT_EQ(better_blas_core("Prescott", VectorUnit::Avx512), "SkylakeX");
  EXPECT_EQ(better_blas_core("Prescott", VectorUnit::Avx2), "Haswell");
  EXPECT_EQ(better_blas_core("Haswell", VectorUnit::Avx512), "SkylakeX");
  EXPECT_EQ(better_blas_core("Zen", VectorUnit::Avx512), "SkylakeX");
  EXPECT_EQ(better_blas_core("Sandybridge", VectorUnit::Avx2), "Haswell");
}

TEST(BlasKernelTest, GoodChoiceStays) {
  EXPECT_EQ(better_blas_core("SkylakeX", VectorUnit::Avx512), "");
  EXPECT_EQ(better_blas_core("Cooperlake", VectorUnit::Avx512), "");
  EXPECT_EQ(better_blas_core("Zen", VectorUnit::Avx2), "");
  EXPECT_EQ(better_blas_core("Haswell", VectorUnit::Avx2), "");
  EXPECT_EQ(better_blas_core("Prescott", VectorUnit::Baseline), "");
  EXPECT_EQ(better_blas_core("ARMV8", VectorUnit::Baseline), "");
}

TEST(BlasKernelTest, UsersChoiceIsNeverOverruled) {
  ASSERT_EQ(setenv("OPENBLAS_CORETYPE", "Prescott", 1), 0);
  ensure_blas_kernel(nullptr);  // a restart with these arguments would fail, and clear the variable
  EXPECT_STREQ(std::getenv("OPENBLAS_CORETYPE"), "Prescott");
  unsetenv("OPENBLAS_CORETYPE");
}

}  // namespace
}  // namespace pecann
