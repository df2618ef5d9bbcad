// The regions of boxes against closed forms: measures, normals, what belongs to them, and their times.
#include "pecann/sampling/box_region.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <map>

#include "pecann/base/input_error.h"
#include "pecann/sampling/grid.h"
#include "pecann/sampling/sampler.h"
#include "pecann/sampling/test_regions.h"

namespace pecann::sampling {
namespace {

using ::testing::HasSubstr;

Box line_box() { return {{"x"}, {-1}, {3}, -1}; }
Box line_in_time() { return {{"x", "t"}, {-1, 0}, {3, 5}, 1}; }
Box plane_box() { return {{"x", "y"}, {0, 0}, {2, 3}, -1}; }
Box plane_in_time() { return {{"x", "t", "y"}, {0, 0, 0}, {2, 5, 3}, 1}; }  // time need not be the last
Box solid_in_time() { return {{"x", "y", "z", "t"}, {0, 0, 0, 1}, {2, 3, 7, 6}, 3}; }

PointRule random_rule(std::size_t count) { return {.kind = PointRule::Kind::Uniform, .count = count}; }
PointRule grid_rule(const Box& box, int nodes) { return {.grid = std::vector<int>(box.names.size(), nodes)}; }

std::vector<double> point_of(const PointSet& points, std::size_t i) {
  std::vector<double> point;
  for (const auto& column : points.coordinates) point.push_back(column[i]);
  return point;
}

std::vector<Named> all_regions(const Box& box) {
  std::vector<Named> all;
  for (const GridChoice choice : {GridChoice{}, GridChoice{true, false}, GridChoice{false, true}}) {
    for (const char* word : {"interior", "boundary"}) all.push_back({.word = word, .choice = choice});
    if (box.time >= 0)
      for (const char* word : {"initial", "final"}) all.push_back({.word = word, .choice = choice});
    for (int c = 0; c < box.dimension(); ++c)
      for (const double share : {0.0, 0.25, 1.0})
        all.push_back(plane_at(c, box.lower[c] + share * (box.upper[c] - box.lower[c]), choice));
  }
  return all;
}

TEST(BoxRegion, NamesAndTextsAreThoseOfProblemFiles) {
  const Box box = line_in_time();
  EXPECT_EQ(region_in(box, {"interior"})->text(), "\"interior\"");
  EXPECT_EQ(region_in(box, {.word = "initial", .choice = {.closed = true}})->text(),
            "{ region = \"initial\", closed = true }");
  EXPECT_EQ(region_in(box, {.word = "boundary", .choice = {.closed = true, .after_start = true}})->text(),
            "{ region = \"boundary\", closed = true, after_start = true }");
  EXPECT_EQ(region_in(box, plane_at(0, 0.1))->name(), "x = 0.1");
  EXPECT_EQ(region_in(box, plane_at(1, 5))->text(), "\"t = 5\"");
  EXPECT_TRUE(same_regions(regions_in(box, {{"final"}, plane_at(0, 1)}), regions_in(box, {{"final"}, plane_at(0, 1)})));
  EXPECT_FALSE(same_regions(regions_in(box, {{"final"}, plane_at(0, 1)}), regions_in(box, {{"final"}})));
  EXPECT_FALSE(same_regions(regions_in(box, {plane_at(0, 1)}), regions_in(box, {plane_at(0, 2)})));
}

TEST(BoxRegion, MeasuresCountTimeAndSinglePointsOnce) {
  const auto measure = [](const Box& box, const Named& named) { return region_in(box, named)->measure(); };
  EXPECT_EQ(measure(line_box(), {"interior"}), 4);
  EXPECT_EQ(measure(line_box(), {"boundary"}), 2);  // two points
  EXPECT_EQ(measure(line_box(), plane_at(0, 1)), 1);
  EXPECT_EQ(measure(line_in_time(), {"interior"}), 4 * 5);
  EXPECT_EQ(measure(line_in_time(), {"boundary"}), 2 * 5);
  EXPECT_EQ(measure(line_in_time(), {"initial"}), 4);
  EXPECT_EQ(measure(plane_box(), {"boundary"}), 2 * 3 + 2 * 2);
  EXPECT_EQ(measure(plane_in_time(), {"boundary"}), (2 * 3 + 2 * 2) * 5);
  EXPECT_EQ(measure(plane_in_time(), plane_at(0, 0.5)), 3 * 5);
  EXPECT_EQ(measure(solid_in_time(), {"boundary"}), 2 * (2 * 3 + 2 * 7 + 3 * 7) * 5);
  EXPECT_EQ(measure(solid_in_time(), {"final"}), 2 * 3 * 7);
}

TEST(BoxRegion, DimensionIsZeroForSinglePoints) {
  EXPECT_EQ(region_in(line_box(), {"interior"})->dimension(), 1);
  EXPECT_EQ(region_in(line_box(), {"boundary"})->dimension(), 0);
  EXPECT_EQ(region_in({{"t"}, {0}, {1}, 0}, {"initial"})->dimension(), 0);
  EXPECT_EQ(region_in(line_in_time(), {"boundary"})->dimension(), 1);
  EXPECT_EQ(region_in(solid_in_time(), plane_at(2, 1))->dimension(), 3);
}

TEST(BoxRegion, TimesSayWhatWindowsMustKnow) {
  const auto times = [](const Box& box, const Named& named) { return region_in(box, named)->times(); };
  EXPECT_EQ(times(line_in_time(), {"interior"}), Times::All);
  EXPECT_EQ(times(line_in_time(), {"boundary"}), Times::All);
  EXPECT_EQ(times(line_in_time(), {"initial"}), Times::Start);
  EXPECT_EQ(times(line_in_time(), {"final"}), Times::Later);
  EXPECT_EQ(times(line_in_time(), plane_at(0, 0)), Times::All);
  EXPECT_EQ(times(line_in_time(), plane_at(1, 0)), Times::Start);
  EXPECT_EQ(times(line_in_time(), plane_at(1, 2)), Times::Later);
  EXPECT_EQ(times(plane_box(), plane_at(1, 0)), Times::All);
}

TEST(BoxRegion, InAWindowTheStartMovesAndTheRestIsCut) {
  Box window = line_in_time();
  window.lower[1] = 2;
  window.upper[1] = 3;
  const auto moved = [&](const Named& named) { return region_in(line_in_time(), named)->within(window); };
  EXPECT_EQ(moved({"interior"})->measure(), 4 * 1);
  EXPECT_EQ(moved({"boundary"})->measure(), 2 * 1);
  EXPECT_TRUE(moved({"initial"})->contains(std::vector<double>{0, 2}));
  EXPECT_TRUE(moved({"final"})->contains(std::vector<double>{0, 3}));
  EXPECT_EQ(moved(plane_at(1, 0))->name(), "t = 2");
  EXPECT_EQ(moved(plane_at(1, 0))->times(), Times::Start);
  EXPECT_EQ(moved(plane_at(1, 2.5))->name(), "t = 2.5");  // a later time is where it is
  EXPECT_EQ(moved(plane_at(0, -1))->name(), "x = -1");
  EXPECT_FALSE(moved({.word = "interior"})->contains(std::vector<double>{0, 2}));
  EXPECT_TRUE(moved({.word = "interior", .choice = {.closed = true}})->contains(std::vector<double>{0, 2}));
}

TEST(BoxRegion, ContainsAtFacesAndEdges) {
  const auto has = [](const Named& named, std::vector<double> point) {
    return region_in(line_in_time(), named)->contains(point);
  };
  EXPECT_TRUE(has({"interior"}, {0, 1}));
  EXPECT_TRUE(has({"interior"}, {0, 5}));    // the last time belongs to it
  EXPECT_FALSE(has({"interior"}, {0, 0}));   // the first does not
  EXPECT_FALSE(has({"interior"}, {-1, 1}));  // nor do the sides
  EXPECT_FALSE(has({"interior"}, {3, 1}));
  EXPECT_FALSE(has({"interior"}, {0, 5.1}));
  EXPECT_TRUE(has({"boundary"}, {-1, 0}));
  EXPECT_TRUE(has({"boundary"}, {3, 5}));
  EXPECT_FALSE(has({"boundary"}, {0, 0}));
  EXPECT_FALSE(has({"boundary"}, {3, 5.1}));
  EXPECT_FALSE(has({.word = "boundary", .choice = {.after_start = true}}, {-1, 0}));
  EXPECT_TRUE(has({"initial"}, {0, 0}));
  EXPECT_FALSE(has({"initial"}, {-1, 0}));
  EXPECT_TRUE(has({.word = "initial", .choice = {.closed = true}}, {-1, 0}));
  EXPECT_TRUE(has(plane_at(0, 0.3), {0.1 + 0.2, 0}));  // rounding
  EXPECT_FALSE(has(plane_at(0, 0.3), {0.31, 0}));
}

TEST(BoxRegion, ContainsItsPointsAndNoOtherNodes) {
  for (const Box& box : {line_box(), line_in_time(), plane_box(), plane_in_time(), solid_in_time()}) {
    const PointSet nodes = grid_points(box, std::vector<int>(box.names.size(), 5));
    for (const Named& named : all_regions(box)) {
      const RegionPointer region = region_in(box, named);
      RandomStream stream(1, "points");
      const PointSet random = region->sample(random_rule(7), stream);
      for (std::size_t i = 0; i < random.count; ++i) EXPECT_TRUE(region->contains(point_of(random, i)));
      const PointSet taken = region->sample(grid_rule(box, 5), stream);
      double inside = 0;
      for (const char in : region->contains(nodes)) inside += in;
      EXPECT_EQ(static_cast<double>(taken.count), inside) << region->text();
      for (std::size_t i = 0; i < taken.count; ++i) EXPECT_TRUE(region->contains(point_of(taken, i)));
    }
  }
}

TEST(BoxRegion, NormalsPointOutOfEveryFace) {
  for (const Box& box : {line_box(), line_in_time(), plane_box(), plane_in_time(), solid_in_time()}) {
    const RegionPointer boundary = region_in(box, {"boundary"});
    ASSERT_TRUE(boundary->has_normals());
    RandomStream stream(1, "points");
    const std::size_t per_face = box.dimension() == 1 ? 1 : 5;
    const PointSet points = boundary->sample(random_rule(5), stream, {.normals = true});
    EXPECT_EQ(points.columns.size(), box.names.size() - (box.time >= 0 ? 1 : 0));  // none for time
    std::size_t first = 0;
    for (int c = 0; c < box.dimension(); ++c) {
      if (c == box.time) continue;
      for (const double sign : {-1.0, 1.0}) {  // lower face, upper face
        for (std::size_t i = first; i < first + per_face; ++i)
          for (int d = 0; d < box.dimension(); ++d)
            if (d != box.time) EXPECT_EQ(points.column(kNormalColumn + box.names[d])[i], d == c ? sign : 0);
        first += per_face;
      }
    }
    EXPECT_EQ(points.count, first);
    for (const auto& [name, values] : points.columns) EXPECT_EQ(values.back(), values[points.count - 1]);
  }
}

TEST(BoxRegion, NormalsAtCornersAreOfTheFaceThatTookTheNode) {
  RandomStream stream(1, "points");
  const PointSet points = region_in(plane_box(), {"boundary"})->sample({.grid = {3, 3}}, stream, {.normals = true});
  std::map<std::vector<double>, std::vector<double>> normals;
  for (std::size_t i = 0; i < points.count; ++i)
    normals[point_of(points, i)] = {points.column("normal.x")[i], points.column("normal.y")[i]};
  EXPECT_EQ(normals.at({0, 0}), (std::vector<double>{-1, 0}));
  EXPECT_EQ(normals.at({2, 3}), (std::vector<double>{1, 0}));
  EXPECT_EQ(normals.at({1, 0}), (std::vector<double>{0, -1}));
  EXPECT_EQ(normals.at({1, 3}), (std::vector<double>{0, 1}));
}

TEST(BoxRegion, NormalsOfPlanesAndOfWhatIsNoBoundary) {
  RandomStream stream(1, "points");
  const auto normal = [&](const Named& named) {
    return region_in(plane_in_time(), named)->sample(random_rule(3), stream, {.normals = true});
  };
  EXPECT_EQ(normal(plane_at(0, 0)).column("normal.x")[0], -1);
  EXPECT_EQ(normal(plane_at(0, 2)).column("normal.x")[0], 1);
  EXPECT_EQ(normal(plane_at(2, 1)).column("normal.y")[0], 1);  // a plane inside: towards larger values
  EXPECT_EQ(normal(plane_at(2, 1)).column("normal.x")[0], 0);
  for (const Named& named : {Named{"interior"}, Named{"initial"}, Named{"final"}, plane_at(1, 2)}) {
    EXPECT_FALSE(region_in(plane_in_time(), named)->has_normals());
    try {
      normal(named);
      ADD_FAILURE() << named.word;
    } catch (const InputError& error) {
      EXPECT_THAT(error.what(), HasSubstr("does not bound the domain in space"));
    }
  }
}

TEST(BoxRegion, QuadratureWeightsAddUpToTheMeasure) {
  for (const Box& box : {line_box(), line_in_time(), plane_in_time(), solid_in_time()}) {
    for (const Named& named : all_regions(box)) {
      const RegionPointer region = region_in(box, named);
      RandomStream stream(1, "points");
      const PointSet points = region->sample(random_rule(50), stream, {.weights = true});
      double sum = 0;
      for (std::size_t i = 0; i < points.count; ++i) sum += points.column(kWeightColumn)[i];
      EXPECT_NEAR(sum, region->measure(), 1e-12 * region->measure()) << region->text();
    }
  }
  // ∮ x ds over the boundary of [0, 2] × [0, 3]: 0 + 2·3 + 2·(2²/2) = 10; faces of unequal length must not count alike.
  RandomStream stream(1, "points");
  const PointSet points = region_in(plane_box(), {"boundary"})
                              ->sample({.kind = PointRule::Kind::Sobol, .count = 4096}, stream, {.weights = true});
  double sum = 0;
  for (std::size_t i = 0; i < points.count; ++i) sum += points.column(kWeightColumn)[i] * points.coordinates[0][i];
  EXPECT_NEAR(sum, 10, 1e-3);
  EXPECT_THROW(region_in(plane_box(), {"boundary"})->sample({.grid = {3, 3}}, stream, {.weights = true}), InputError);
}

TEST(BoxRegion, ColumnsOfAUnionFollowThePoints) {
  RandomStream stream(1, "points");
  const PointSet points =
      sample(regions_in(plane_box(), {plane_at(0, 0, {.closed = true}), plane_at(1, 0, {.closed = true})}),
             {.grid = {3, 3}}, stream, {.normals = true});
  ASSERT_EQ(points.count, 5u);  // the corner once
  for (std::size_t i = 0; i < 5; ++i) {
    EXPECT_EQ(points.column("normal.x")[i], i < 3 ? -1 : 0);
    EXPECT_EQ(points.column("normal.y")[i], i < 3 ? 0 : -1);
  }
}

TEST(BoxRegion, PieceCountsSayWhichFacesAreBare) {
  const RegionPointer sides = region_in(plane_box(), {"boundary"});
  EXPECT_EQ(sides->piece_counts({.grid = {7, 5}}), (std::vector<double>{5, 5, 7, 7}));
  EXPECT_EQ(sides->count({.grid = {7, 5}}), 24);
  EXPECT_EQ(sides->piece_counts(random_rule(9)), (std::vector<double>{9, 9, 9, 9}));
  EXPECT_EQ(region_in(plane_box(), {"interior"})->piece_counts({.grid = {2, 5}}), (std::vector<double>{0}));
}

TEST(BoxRegion, FlatPartsFixCoordinates) {
  const std::vector<FlatPart> sides = region_in(plane_in_time(), {"boundary"})->flat_parts();
  ASSERT_EQ(sides.size(), 4u);
  EXPECT_EQ(sides[1], (FlatPart{2.0, std::nullopt, std::nullopt}));
  EXPECT_EQ(sides[2], (FlatPart{std::nullopt, std::nullopt, 0.0}));
  EXPECT_EQ(region_in(plane_in_time(), {"interior"})->flat_parts(), (std::vector<FlatPart>{FlatPart(3)}));
  EXPECT_EQ(region_in(plane_in_time(), {"final"})->flat_parts()[0], (FlatPart{std::nullopt, 5.0, std::nullopt}));
}

}  // namespace
}  // namespace pecann::sampling
