#include "pecann/sampling/subset.h"

#include <gtest/gtest.h>

namespace pecann::sampling {
namespace {

PointSet numbered(std::size_t count) {
  PointSet points;
  points.count = count;
  points.coordinates.assign(2, AlignedVector<double>(points.padded()));
  for (std::size_t i = 0; i < points.padded(); ++i) {
    points.coordinates[0][i] = static_cast<double>(i);
    points.coordinates[1][i] = 100.0 + static_cast<double>(i);
  }
  return points;
}

TEST(Subset, TakesThePointsInTheGivenOrder) {
  const PointSet chosen = subset(numbered(20), std::vector<std::size_t>{7, 3, 3, 19});
  EXPECT_EQ(chosen.count, 4u);
  ASSERT_EQ(chosen.coordinates.size(), 2u);
  const double expected[] = {7, 3, 3, 19};
  for (int i = 0; i < 4; ++i) {
    EXPECT_EQ(chosen.coordinates[0][i], expected[i]);
    EXPECT_EQ(chosen.coordinates[1][i], 100 + expected[i]);
  }
}

TEST(Subset, IsPaddedWithItsLastPoint) {
  const PointSet chosen = subset(numbered(20), std::vector<std::size_t>{0, 5, 11});
  ASSERT_EQ(chosen.coordinates[0].size(), chosen.padded());
  for (std::size_t i = 3; i < chosen.padded(); ++i) EXPECT_EQ(chosen.coordinates[0][i], 11);
}

TEST(Subset, OfNothingIsNothing) {
  const PointSet chosen = subset(numbered(20), {});
  EXPECT_EQ(chosen.count, 0u);
  EXPECT_EQ(chosen.coordinates.size(), 2u);
}

}  // namespace
}  // namespace pecann::sampling
