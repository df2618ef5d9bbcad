#include "pecann/sampling/grid.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "pecann/base/input_error.h"

namespace pecann::sampling {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using Points = std::vector<std::vector<double>>;

Box space_time() { return {{"x", "t"}, {-1, 0}, {1, 4}, 1}; }
Box plane() { return {{"x", "y"}, {0, 0}, {2, 3}, -1}; }
Box cube_in_time() { return {{"x", "y", "t"}, {0, 0, 0}, {1, 1, 2}, 2}; }

Points grid(const Box& box, const std::vector<Region>& regions, std::vector<int> counts) {
  RandomStream stream(1, "points");
  PointRule rule;
  rule.grid = std::move(counts);
  const PointSet set = sample(box, regions, rule, stream);
  EXPECT_EQ(stream.counter(), 0u);  // a grid draws nothing
  Points points(set.count);
  for (std::size_t i = 0; i < set.count; ++i) {
    for (const auto& column : set.coordinates) points[i].push_back(column[i]);
  }
  return points;
}

Region region(Region::Kind kind) { return {.kind = kind}; }
Region face(int coordinate, double value) {
  return {.kind = Region::Kind::Face, .coordinate = coordinate, .value = value};
}

TEST(GridTest, NodesIncludeTheEndsExactlyAndAreSymmetric) {
  const std::vector<double> nodes = grid_nodes(-0.1, 0.1, 8);
  EXPECT_EQ(nodes.front(), -0.1);
  EXPECT_EQ(nodes.back(), 0.1);
  for (std::size_t i = 0; i < nodes.size(); ++i) EXPECT_EQ(nodes[i], -nodes[nodes.size() - 1 - i]);
  EXPECT_THAT(grid_nodes(0, 4, 5), ElementsAre(0, 1, 2, 3, 4));
}

TEST(GridTest, InteriorIsInsideInSpaceAndAfterTheFirstTime) {
  EXPECT_EQ(grid(space_time(), {region(Region::Kind::Interior)}, {5, 3}),
            (Points{{-0.5, 2}, {0, 2}, {0.5, 2}, {-0.5, 4}, {0, 4}, {0.5, 4}}));
  Region with_start = region(Region::Kind::Interior);
  with_start.closed = true;
  EXPECT_EQ(grid(space_time(), {with_start}, {3, 3}), (Points{{0, 0}, {0, 2}, {0, 4}}));
  EXPECT_EQ(grid(plane(), {region(Region::Kind::Interior)}, {3, 4}), (Points{{1, 1}, {1, 2}}));
}

TEST(GridTest, BoundaryHasSpatialFacesAtAllTimesWithCornersOnce) {
  EXPECT_EQ(grid(space_time(), {region(Region::Kind::Boundary)}, {3, 3}),
            (Points{{-1, 0}, {-1, 2}, {-1, 4}, {1, 0}, {1, 2}, {1, 4}}));
  Region later = region(Region::Kind::Boundary);
  later.after_start = true;
  EXPECT_EQ(grid(space_time(), {later}, {3, 3}), (Points{{-1, 2}, {-1, 4}, {1, 2}, {1, 4}}));
  EXPECT_EQ(grid(plane(), {region(Region::Kind::Boundary)}, {3, 3}),
            (Points{{0, 0}, {0, 1.5}, {0, 3}, {2, 0}, {2, 1.5}, {2, 3}, {1, 0}, {1, 3}}));
}

TEST(GridTest, CountsOfThePaper) {
  const auto size = [](const Box& box, const Region& piece, std::vector<int> counts) {
    const Points points = grid(box, {piece}, std::move(counts));
    EXPECT_EQ(std::set(points.begin(), points.end()).size(), points.size());
    return points.size();
  };
  EXPECT_EQ(size(plane(), region(Region::Kind::Interior), {51, 51}), 2401u);
  EXPECT_EQ(size(plane(), region(Region::Kind::Boundary), {51, 51}), 200u);
  EXPECT_EQ(size(space_time(), region(Region::Kind::Interior), {66, 33}), 64u * 32);
  EXPECT_EQ(size(space_time(), region(Region::Kind::Boundary), {66, 33}), 2u * 33);
  EXPECT_EQ(size(space_time(), region(Region::Kind::Initial), {66, 33}), 64u);
  Region later = region(Region::Kind::Boundary), whole = region(Region::Kind::Initial);
  later.after_start = whole.closed = true;
  EXPECT_EQ(size(cube_in_time(), region(Region::Kind::Interior), {17, 17, 11}), 15u * 15 * 10);
  EXPECT_EQ(size(cube_in_time(), later, {17, 17, 11}), 64u * 10);
  EXPECT_EQ(size(cube_in_time(), whole, {17, 17, 11}), 289u);
}

TEST(GridTest, FacesInitialAndFinal) {
  EXPECT_EQ(grid(space_time(), {region(Region::Kind::Initial)}, {3, 3}), (Points{{0, 0}}));
  Region final_closed = region(Region::Kind::Final);
  final_closed.closed = true;
  EXPECT_EQ(grid(space_time(), {final_closed}, {3, 3}), (Points{{-1, 4}, {0, 4}, {1, 4}}));
  EXPECT_EQ(grid(plane(), {face(0, 2)}, {5, 4}), (Points{{2, 1}, {2, 2}}));
  Region closed = face(0, 2);
  closed.closed = true;
  EXPECT_EQ(grid(plane(), {closed}, {5, 4}), (Points{{2, 0}, {2, 1}, {2, 2}, {2, 3}}));
  // A plane inside the domain need not meet a node.
  EXPECT_EQ(grid(space_time(), {face(0, 0.125)}, {4, 3}), (Points{{0.125, 0}, {0.125, 2}, {0.125, 4}}));
}

TEST(GridTest, UnionTakesSharedNodesOnce) {
  Region left = face(0, 0), bottom = face(1, 0);
  left.closed = bottom.closed = true;
  EXPECT_EQ(grid(plane(), {left, bottom}, {3, 3}), (Points{{0, 0}, {0, 1.5}, {0, 3}, {1, 0}, {2, 0}}));
  EXPECT_EQ(grid(plane(), {left, left}, {3, 3}).size(), 3u);
}

TEST(GridTest, OneCoordinateGivesPoints) {
  const Box line{{"x"}, {0}, {1}, -1}, clock{{"t"}, {0}, {1}, 0};
  EXPECT_EQ(grid(line, {region(Region::Kind::Boundary)}, {130}), (Points{{0}, {1}}));
  EXPECT_EQ(grid(line, {region(Region::Kind::Interior)}, {130}).size(), 128u);
  EXPECT_EQ(grid(line, {face(0, 0.3)}, {130}), (Points{{0.3}}));
  EXPECT_EQ(grid(clock, {region(Region::Kind::Initial)}, {5}), (Points{{0}}));
  EXPECT_EQ(grid(clock, {region(Region::Kind::Interior)}, {5}).size(), 4u);
}

TEST(GridTest, PaddingRepeatsTheLastPoint) {
  RandomStream stream(1, "points");
  PointRule rule;
  rule.grid = {3, 5};
  const PointSet set = sample(space_time(), {region(Region::Kind::Boundary)}, rule, stream);
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
  EXPECT_EQ(count_points(plane(), {region(Region::Kind::Interior)}, rule), 15);
  EXPECT_EQ(count_points(plane(), {region(Region::Kind::Boundary)}, rule), 24);  // the four corners twice
  rule.grid = {2, 5};
  EXPECT_THROW(count_points(plane(), {region(Region::Kind::Interior)}, rule), InputError);
}

TEST(GridTest, RefusesWhatHasNoPointsOrTooMany) {
  const auto message = [](const Box& box, const Region& piece, std::vector<int> counts) -> std::string {
    try {
      grid(box, {piece}, std::move(counts));
    } catch (const InputError& error) {
      return error.what();
    }
    return "accepted";
  };
  EXPECT_THAT(message(plane(), region(Region::Kind::Interior), {2, 9}), HasSubstr("no point lies in the region"));
  EXPECT_THAT(message(plane(), region(Region::Kind::Initial), {9, 9}), HasSubstr("coordinate named t"));
  EXPECT_THAT(message(plane(), region(Region::Kind::Interior), {9}), HasSubstr("1 entries; the problem has 2"));
  EXPECT_THAT(message(plane(), region(Region::Kind::Interior), {9, 0}), HasSubstr("at least one node"));
  EXPECT_THAT(
      message({{"x", "y", "z"}, {0, 0, 0}, {1, 1, 1}, -1}, region(Region::Kind::Interior), {100002, 100002, 100002}),
      HasSubstr("1e+15 points need 2.4e+07 GB (2.4e+16 bytes)"));
  EXPECT_THAT(message(plane(), region(Region::Kind::Boundary), {2000000000, 3}), HasSubstr("at most 1e+08 points"));
}

}  // namespace
}  // namespace pecann::sampling
