#include "pecann/estimate/three_solutions.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

namespace pecann::estimate {
namespace {

using ::testing::HasSubstr;

TEST(ThreeSolutionsTest, DistancesAreRelativeToTheFirstOther) {
  const std::vector<double> solution = {1, 0}, a = {0, 2}, b = {0, 1};
  const Distances apart = distances(solution, a, b);
  EXPECT_DOUBLE_EQ(apart.to_a, std::sqrt(5.0) / 2);
  EXPECT_DOUBLE_EQ(apart.to_b, std::sqrt(2.0) / 2);
  EXPECT_DOUBLE_EQ(apart.between, 0.5);
}

results::FieldEstimate judged(const Distances& apart, double left, double error = 1) {
  results::FieldEstimate field{.field = "u", .relative_l2 = error};
  judge_by_two_others(field, apart, left, 0.1);
  return field;
}

TEST(ThreeSolutionsTest, OthersThatAreAsFarFromEachOtherAreNotTrusted) {
  EXPECT_TRUE(judged({1, 1, 0.1}, 0.05).good);
  EXPECT_FALSE(judged({1, 1, 0.1}, 0.2).good) << "the residual of the other one is not small enough";
  EXPECT_TRUE(judged({1, 1, 0.1}, 0.2).trusted);
  EXPECT_FALSE(judged({1, 1, 0.3}, 0.05).good);
  EXPECT_TRUE(judged({1, 1, 0.3}, 0.05).trusted);
  const results::FieldEstimate unlike = judged({1, 1.2, 0.9}, 1e-6);
  EXPECT_FALSE(unlike.trusted || unlike.good) << "small residuals do not make up for it";
  EXPECT_THAT(unlike.decided, HasSubstr("0.9 times the estimate"));
  constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
  EXPECT_FALSE(judged({kNaN, kNaN, 0.1}, 0.05, kNaN).trusted);
  EXPECT_FALSE(judged({1, 1, kNaN}, 0.05).trusted);
}

TEST(ThreeSolutionsTest, AtRoundingErrorsAreAlikeOrOnesOwn) {
  const results::FieldEstimate alike = estimate_at_rounding("u", {1e-12, 1.2e-12, 1.1e-12});
  EXPECT_TRUE(alike.trusted);
  EXPECT_NEAR(alike.relative_l2, 1.1e-12 / std::sqrt(2.0), 1e-15);
  const results::FieldEstimate own = estimate_at_rounding("u", {1e-10, 1.2e-10, 1e-12});
  EXPECT_TRUE(own.trusted);
  EXPECT_EQ(own.relative_l2, 1e-10);
  EXPECT_FALSE(estimate_at_rounding("u", {1e-10, 1e-12, 1e-10}).trusted) << "one of the others is worse";
}

}  // namespace
}  // namespace pecann::estimate
