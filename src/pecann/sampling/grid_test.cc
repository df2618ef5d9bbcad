#include "pecann/sampling/grid.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "pecann/base/input_error.h"
#include "pecann/sampling/sampler.h"
#include "pecann/sampling/test_regions.h"

namespace pecann::sampling {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using Points = std::vector<std::vector<double>>;

Box space_time() { return {{"x", "t"}, {-1, 0}, {1, 4}, 1}; }
Box plane() { return {{"x", "y"}, {0, 0}, {2, 3}, -1}; }
Box cube_in_time() { return {{"x", "y", "t"}, {0, 0, 0}, {1, 1, 2}, 2}; }

Points grid(const Box& box, const std::vector<Named>& regions, std::vector<int> counts) {
  RandomStream stream(1, "points");
  PointRule rule;
  rule.grid = std::move(counts);
  const PointSet set = sample(regions_in(box, regions), rule, stream);
  EXPECT_EQ(stream.counter(), 0u);  // a grid draws nothing
  Points points(set.count);
  for (std::size_t i = 0; i < set.count; ++i) {
    for (const auto& column : set.coordinates) points[i].push_back(column[i]);
  }
  return points;
}

Named region(const char* word) { return {word}; }
Named face(int coordinate, double value) { return plane_at(coordinate, value); }

TEST(GridTest, NodesIncludeTheEndsExactlyAndAreSymmetric) {
  const std::vector<double> nodes = grid_nodes(-0.1, 0.1, 8);
  EXPECT_EQ(nodes.front(), -0.1);
  EXPECT_EQ(nodes.back(), 0.1);
  for (std::size_t i = 0; i < nodes.size(); ++i) EXPECT_EQ(nodes[i], -nodes[nodes.size() - 1 - i]);
  EXPECT_THAT(grid_nodes(0, 4, 5), ElementsAre(0, 1, 2, 3, 4));
}

TEST(GridTest, InteriorIsInsideInSpaceAndAfterTheFirstTime) {
  EXPECT_EQ(grid(space_time(), {region("interior")}, {5, 3}),
            (Points{{-0.5, 2}, {0, 2}, {0.5, 2}, {-0.5, 4}, {0, 4}, {0.5, 4}}));
  Named with_start = region("interior");
  with_start.choice.closed = true;
  EXPECT_EQ(grid(space_time(), {with_start}, {3, 3}), (Points{{0, 0}, {0, 2}, {0, 4}}));
  EXPECT_EQ(grid(plane(), {region("interior")}, {3, 4}), (Points{{1, 1}, {1, 2}}));
}

TEST(GridTest, BoundaryHasSpatialFacesAtAllTimesWithCornersOnce) {
  EXPECT_EQ(grid(space_time(), {region("boundary")}, {3, 3}),
            (Points{{-1, 0}, {-1, 2}, {-1, 4}, {1, 0}, {1, 2}, {1, 4}}));
  Named later = region("boundary");
  later.choice.after_start = true;
  EXPECT_EQ(grid(space_time(), {later}, {3, 3}), (Points{{-1, 2}, {-1, 4}, {1, 2}, {1, 4}}));
  EXPECT_EQ(grid(plane(), {region("boundary")}, {3, 3}),
            (Points{{0, 0}, {0, 1.5}, {0, 3}, {2, 0}, {2, 1.5}, {2, 3}, {1, 0}, {1, 3}}));
}

TEST(GridTest, CountsOfThePaper) {
  const auto size = [](const Box& box, const Named& piece, std::vector<int> counts) {
    const Points points = grid(box, {piece}, std::move(counts));
    EXPECT_EQ(std::set(points.begin(), points.end()).size(), points.size());
    return points.size();
  };
  EXPECT_EQ(size(plane(), region("interior"), {51, 51}), 2401u);
  EXPECT_EQ(size(plane(), region("boundary"), {51, 51}), 200u);
  EXPECT_EQ(size(space_time(), region("interior"), {66, 33}), 64u * 32);
  EXPECT_EQ(size(space_time(), region("boundary"), {66, 33}), 2u * 33);
  EXPECT_EQ(size(space_time(), region("initial"), {66, 33}), 64u);
  Named later = region("boundary"), whole = region("initial");
  later.choice.after_start = whole.choice.closed = true;
  EXPECT_EQ(size(cube_in_time(), region("interior"), {17, 17, 11}), 15u * 15 * 10);
  EXPECT_EQ(size(cube_in_time(), later, {17, 17, 11}), 64u * 10);
  EXPECT_EQ(size(cube_in_time(), whole, {17, 17, 11}), 289u);
}

TEST(GridTest, FacesInitialAndFinal) {
  EXPECT_EQ(grid(space_time(), {region("initial")}, {3, 3}), (Points{{0, 0}}));
  Named final_closed = region("final");
  final_closed.choice.closed = true;
  EXPECT_EQ(grid(space_time(), {final_closed}, {3, 3}), (Points{{-1, 4}, {0, 4}, {1, 4}}));
  EXPECT_EQ(grid(plane(), {face(0, 2)}, {5, 4}), (Points{{2, 1}, {2, 2}}));
  Named closed = face(0, 2);
  closed.choice.closed = true;
  EXPECT_EQ(grid(plane(), {closed}, {5, 4}), (Points{{2, 0}, {2, 1}, {2, 2}, {2, 3}}));
  // A plane inside the domain need not meet a node.
  EXPECT_EQ(grid(space_time(), {face(0, 0.125)}, {4, 3}), (Points{{0.125, 0}, {0.125, 2}, {0.125, 4}}));
}

TEST(GridTest, UnionTakesSharedNodesOnce) {
  Named left = face(0, 0), bottom = face(1, 0);
  left.choice.closed = bottom.choice.closed = true;
  EXPECT_EQ(grid(plane(), {left, bottom}, {3, 3}), (Points{{0, 0}, {0, 1.5}, {0, 3}, {1, 0}, {2, 0}}));
  EXPECT_EQ(grid(plane(), {left, left}, {3, 3}).size(), 3u);
}

TEST(GridTest, OneCoordinateGivesPoints) {
  const Box line{{"x"}, {0}, {1}, -1}, clock{{"t"}, {0}, {1}, 0};
  EXPECT_EQ(grid(line, {region("boundary")}, {130}), (Points{{0}, {1}}));
  EXPECT_EQ(grid(line, {region("interior")}, {130}).size(), 128u);
  EXPECT_EQ(grid(line, {face(0, 0.3)}, {130}), (Points{{0.3}}));
  EXPECT_EQ(grid(clock, {region("initial")}, {5}), (Points{{0}}));
  EXPECT_EQ(grid(clock, {region("interior")}, {5}).size(), 4u);
}

TEST(GridTest, PaddingRepeatsTheLastPoint) {
  RandomStream stream(1, "points");
  PointRule rule;
  rule.grid = {3, 5};
  const PointSet set = sample(regions_in(space_time(), {region("boundary")}), rule, stream);
  EXPECT_EQ(set.count, 10u);
  ASSERT_EQ(set.coordinates[1].size(), 16u);
  for (std::size_t i = 10; i < 16; ++i) {
    EXPECT_EQ(set.coordinates[0][i], 1);
    EXPECT_EQ(set.coordinates[1][i], 4);
  }
}

TEST(GridTest, CountIsKnownBeforeSampling) {
  PointRule rule;
  rule.grid = {7, 5};
  EXPECT_EQ(count_points(regions_in(plane(), {region("interior")}), rule), 15);
  EXPECT_EQ(count_points(regions_in(plane(), {region("boundary")}), rule), 24);  // the four corners twice
  rule.grid = {2, 5};
  EXPECT_THROW(count_points(regions_in(plane(), {region("interior")}), rule), InputError);
}

TEST(GridTest, RefusesWhatHasNoPointsOrTooMany) {
  const auto message = [](const Box& box, const Named& piece, std::vector<int> counts) -> std::string {
    try {
      grid(box, {piece}, std::move(counts));
    } catch (const InputError& error) {
      return error.what();
    }
    return "accepted";
  };
  EXPECT_THAT(message(plane(), region("interior"), {2, 9}), HasSubstr("no point lies in the region"));
  EXPECT_THAT(message(plane(), region("initial"), {9, 9}), HasSubstr("coordinate named t"));
  EXPECT_THAT(message(plane(), region("interior"), {9}), HasSubstr("1 entries; the problem has 2"));
  EXPECT_THAT(message(plane(), region("interior"), {9, 0}), HasSubstr("at least one node"));
  EXPECT_THAT(message({{"x", "y", "z"}, {0, 0, 0}, {1, 1, 1}, -1}, region("interior"), {100002, 100002, 100002}),
              HasSubstr("1e+15 points need 2.4e+07 GB (2.4e+16 bytes)"));
  EXPECT_THAT(message(plane(), region("boundary"), {2000000000, 3}), HasSubstr("at most 1e+08 points"));
}

}  // namespace
}  // namespace pecann::sampling
