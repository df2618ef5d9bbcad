#include "pecann/optim/vector_algebra.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

namespace pecann::optim {
namespace {

TEST(VectorAlgebraTest, SumsOfEveryLength) {
  for (std::size_t size = 0; size < 40; ++size) {
    std::vector<double> a(size), b(size);
    double dot_expected = 0, sum_expected = 0, max_expected = 0;
    for (std::size_t i = 0; i < size; ++i) {  // small integers: every sum is exact in any order
      a[i] = static_cast<double>(i * 7 % 11) - 5;
      b[i] = static_cast<double>(i * 5 % 13) - 6;
      dot_expected += a[i] * b[i];
      sum_expected += std::abs(a[i]);
      max_expected = std::max(max_expected, std::abs(a[i]));
    }
    EXPECT_EQ(dot(a, b), dot_expected) << size;
    EXPECT_EQ(sum_abs(a), sum_expected) << size;
    EXPECT_EQ(max_abs(a), max_expected) << size;
    EXPECT_TRUE(all_finite(a));
  }
}

TEST(VectorAlgebraTest, NotFiniteEntriesAreSeenInEveryPlace) {
  const double nan = std::numeric_limits<double>::quiet_NaN(), infinity = std::numeric_limits<double>::infinity();
  for (std::size_t place = 0; place < 19; ++place) {
    std::vector<double> a(19, 2.0);
    a[place] = nan;
    EXPECT_TRUE(std::isnan(max_abs(a))) << place;
    EXPECT_FALSE(all_finite(a)) << place;
    a[place] = -infinity;
    EXPECT_EQ(max_abs(a), infinity) << place;
    EXPECT_FALSE(all_finite(a)) << place;
  }
}

TEST(VectorAlgebraTest, StepsAlongALine) {
  const std::vector<double> x = {1, 2, 3}, d = {4, -2, 0.5};
  std::vector<double> point(3), y = x;
  along(x, 0.5, d, point);
  EXPECT_EQ(point, (std::vector<double>{3, 1, 3.25}));
  add_scaled(-2, d, y);
  EXPECT_EQ(y, (std::vector<double>{-7, 6, 2}));
  along(x, 0.5, d, y = x);
  EXPECT_EQ(y, point);
}

}  // namespace
}  // namespace pecann::optim
