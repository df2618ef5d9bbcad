#include "pecann/sampling/points.h"

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
  std::vector<double> values;
  for (std::size_t i = 0; i < count; ++i) values.push_back(1000.0 + static_cast<double>(i));
  points.set_column("data.u", values);
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
    EXPECT_EQ(chosen.column("data.u")[i], 1000 + expected[i]);
  }
}

TEST(Subset, IsPaddedWithItsLastPoint) {
  const PointSet chosen = subset(numbered(20), std::vector<std::size_t>{0, 5, 11});
  ASSERT_EQ(chosen.coordinates[0].size(), chosen.padded());
  ASSERT_EQ(chosen.columns.at("data.u").size(), chosen.padded());
  for (std::size_t i = 3; i < chosen.padded(); ++i) {
    EXPECT_EQ(chosen.coordinates[0][i], 11);
    EXPECT_EQ(chosen.column("data.u")[i], 1011);
  }
}

TEST(Subset, OfNothingIsNothing) {
  const PointSet chosen = subset(numbered(20), {});
  EXPECT_EQ(chosen.count, 0u);
  EXPECT_EQ(chosen.coordinates.size(), 2u);
}

TEST(Points, AColumnIsFoundByItsNameAndPadded) {
  PointSet points = numbered(3);
  EXPECT_EQ(points.column("normal.x"), nullptr);
  points.set_column("normal.x", std::vector<double>{1, 2, 3});
  points.set_column("normal.x", std::vector<double>{4, 5, 6});  // replaced
  ASSERT_EQ(points.columns.at("normal.x").size(), 8u);
  EXPECT_EQ(points.column("normal.x")[0], 4);
  for (std::size_t i = 2; i < 8; ++i) EXPECT_EQ(points.column("normal.x")[i], 6);
}

TEST(Points, AppendedPointsBringTheirColumns) {
  PointSet points = numbered(10);
  append(subset(numbered(20), std::vector<std::size_t>{15, 12}), points);
  EXPECT_EQ(points.count, 12u);
  const double expected[] = {9, 15, 12, 12, 12, 12, 12};  // the last one is repeated
  for (std::size_t i = 9; i < 16; ++i) {
    EXPECT_EQ(points.coordinates[0][i], expected[i - 9]);
    EXPECT_EQ(points.coordinates[1][i], 100 + expected[i - 9]);
    EXPECT_EQ(points.column("data.u")[i], 1000 + expected[i - 9]);
  }
  PointSet nothing;
  append(points, nothing);
  EXPECT_EQ(nothing.coordinates, points.coordinates);
  append(PointSet{}, nothing);
  EXPECT_EQ(nothing.count, 12u);
}

}  // namespace
}  // namespace pecann::sampling
