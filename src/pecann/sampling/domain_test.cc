#include "pecann/sampling/domain.h"

#include <gtest/gtest.h>

#include <cmath>

#include "pecann/sampling/test_regions.h"

namespace pecann::sampling {
namespace {

Box long_line_in_time() { return {{"x", "t"}, {-1, 0}, {3, 5}, 1}; }

TEST(Domain, OfABoxIsTheBox) {
  const DomainPointer domain = box_domain(long_line_in_time());
  EXPECT_TRUE(domain->contains(std::vector<double>{-1, 5}));
  EXPECT_FALSE(domain->contains(std::vector<double>{-1.001, 5}));
  EXPECT_FALSE(domain->contains(std::vector<double>{0, std::nan("")}));
  EXPECT_TRUE(domain->mask(single_point(std::vector<double>{0, 0})).empty());
  Box window = long_line_in_time();
  window.lower[1] = 4;
  EXPECT_FALSE(domain->within(window)->contains(std::vector<double>{0, 3}));
}

TEST(Domain, RegionWordsNameItsRegions) {
  const DomainPointer domain = box_domain(long_line_in_time());
  for (const RegionWord& word : region_words()) EXPECT_EQ((*domain.*word.region)({})->name(), word.word);
  EXPECT_EQ(region_words().size(), 4u);
  EXPECT_EQ(domain->plane(0, 2, {.closed = true})->text(), "{ region = \"x = 2\", closed = true }");
}

TEST(Domain, EvaluationPointsAreTheNodesOfTheBox) {
  const PointSet all = box_domain(long_line_in_time())->evaluation_points(std::vector<int>{5, 3}, false);
  EXPECT_EQ(all.count, 15u);
  EXPECT_EQ(box_domain(long_line_in_time())->evaluation_cell(std::vector<int>{5, 3}), 1 * 2.5);
  EXPECT_EQ(box_domain(long_line_in_time())->evaluation_cell(std::vector<int>{5, 1}), 1);
  EXPECT_EQ(all.coordinates[0][4], 3);
  EXPECT_EQ(all.coordinates[1][5], 2.5);
  const PointSet last = box_domain(long_line_in_time())->evaluation_points(std::vector<int>{5, 1}, true);
  for (std::size_t i = 0; i < last.padded(); ++i) EXPECT_EQ(last.coordinates[1][i], 5);
}

TEST(Domain, NodesOutsideAreNoEvaluationPointsAndNaN) {
  const HalfDomain half(long_line_in_time());  // x ≤ 1
  EXPECT_TRUE(half.contains(std::vector<double>{1, 0}));
  EXPECT_FALSE(half.contains(std::vector<double>{1.5, 0}));
  const PointSet points = half.evaluation_points(std::vector<int>{5, 3}, false);
  ASSERT_EQ(points.count, 9u);
  EXPECT_EQ(half.evaluation_cell(std::vector<int>{5, 3}), 1 * 2.5);
  for (std::size_t i = 0; i < 9; ++i) EXPECT_EQ(points.coordinates[0][i], static_cast<double>(i % 3) - 1);
  const PointSet nodes = box_domain(half.box())->evaluation_points(std::vector<int>{5, 3}, false);
  std::vector<std::vector<double>> values(2, std::vector<double>(15, 7.0));
  hide_outside(half, nodes, values);
  for (const auto& column : values)
    for (std::size_t i = 0; i < 15; ++i) EXPECT_EQ(std::isnan(column[i]), i % 5 > 2) << i;
}

}  // namespace
}  // namespace pecann::sampling
