// Regions of solids: parts by name, normals, planes, time, grids, weights, mistakes.
#include "pecann/sampling/shape_region.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <map>

#include "pecann/base/input_error.h"
#include "pecann/sampling/test_shapes.h"
#include "pecann/sampling/unit_points.h"

namespace pecann::sampling {
namespace {

using ::testing::HasSubstr;

TEST(ShapeRegion, PartsAreNamedByTheShapeTheyLieOn) {
  const DomainPointer domain =
      shape_domain(square(), "box - hole - bite", {{"hole", ball({0, 0}, 0.25)}, {"bite", ball({1, 0}, 0.5)}});
  EXPECT_NEAR(domain->on_shape("hole", {})->measure(), kCircle / 2, 1e-13);
  EXPECT_NEAR(domain->on_shape("bite", {})->measure(), kCircle / 2, 1e-9);  // one half of it lies in the box
  EXPECT_NEAR(domain->on_shape("box", {})->measure(), 8 - 1, 1e-9);
  EXPECT_EQ(domain->on_shape("hole", {})->text(), "\"hole\"");
  EXPECT_EQ(domain->on_shape("home", {}), nullptr);
  RandomStream stream(1, "parts");
  const PointSet points = domain->boundary({})->sample(drawn(1000), stream);
  std::map<std::string, int> on;
  for (const char* name : {"hole", "bite", "box"}) {
    const std::vector<char> here = domain->on_shape(name, {})->contains(points);
    on[name] = static_cast<int>(std::count(here.begin(), here.end(), 1));
  }
  EXPECT_EQ(on["hole"] + on["bite"] + on["box"], static_cast<int>(points.count));
  EXPECT_NEAR(on["hole"], 1000 * kCircle / 2 / (7 + kCircle), 2);
}

TEST(ShapeRegion, NormalsPointOutOfTheDomain) {
  for (const ShapeCase& one : shape_cases()) {
    RandomStream stream(7, "normals");
    const PointSet points = one.domain->boundary({})->sample(drawn(500), stream, {.normals = true});
    int wrong = 0;
    for (std::size_t i = 0; i < points.count; ++i) {
      std::vector<double> out, in;
      double square = 0;
      for (std::size_t c = 0; c < points.coordinates.size(); ++c) {
        const double normal = points.column(kNormalColumn + one.domain->box().names[c])[i];
        square += normal * normal;
        out.push_back(points.coordinates[c][i] + 1e-6 * normal);
        in.push_back(points.coordinates[c][i] - 1e-6 * normal);
      }
      EXPECT_NEAR(square, 1, 1e-12);
      wrong += one.domain->contains(out) || !one.domain->contains(in);
    }
    EXPECT_LE(wrong, 1) << one.name;  // a point within 1e-6 of a corner
  }
}

TEST(ShapeRegion, FacesThatCoincideAreNoBoundary) {
  // Two boxes that touch along x = 0, of different height.
  const DomainPointer domain = shape_domain(
      square(), "low + high", {{"low", box_shape({-1, -1}, {0, 0})}, {"high", box_shape({0, -1}, {1, 1})}});
  EXPECT_NEAR(domain->interior({})->measure(), 3, 1e-9);
  EXPECT_NEAR(domain->boundary({})->measure(), 8, 1e-9);
  EXPECT_TRUE(domain->interior({})->contains(std::vector<double>{0, -0.5}));
  EXPECT_FALSE(domain->interior({})->contains(std::vector<double>{0, 0.5}));
  EXPECT_TRUE(domain->boundary({})->contains(std::vector<double>{0, 0.5}));
  EXPECT_FALSE(domain->boundary({})->contains(std::vector<double>{0, -0.5}));
  // Shared faces of a union count once.
  const DomainPointer same =
      shape_domain(square(), "a + b", {{"a", box_shape({-1, -1}, {0.5, 0.5})}, {"b", box_shape({-1, -1}, {0, 1})}});
  EXPECT_NEAR(same->boundary({})->measure(), 7, 1e-9);
  EXPECT_NEAR(same->interior({})->measure(), 2.25 + 0.5, 1e-9);
}

TEST(ShapeRegion, TinyPartsAreKept) {
  const DomainPointer domain = shape_domain(square(), "box - pin", {{"pin", ball({0.3, 0.4}, 1e-5)}});
  EXPECT_NEAR(domain->on_shape("pin", {})->measure(), 2e-5 * kCircle, 1e-15);
  RandomStream stream(1, "tiny");
  const PointSet points = domain->boundary({})->sample(drawn(100, PointRule::Kind::Sobol), stream);
  const std::vector<char> on_pin = domain->on_shape("pin", {})->contains(points);
  EXPECT_EQ(std::count(on_pin.begin(), on_pin.end(), 1), 4);
  EXPECT_EQ(points.count, 104u);
  // A domain that is a thousandth of its box still has all its points.
  const DomainPointer small = shape_domain(square(), "pin", {{"pin", polygon({{0, 0}, {1, 1}, {1, 1.002}})}});
  EXPECT_EQ(small->interior({})->sample(drawn(1000), stream).count, 1000u);
}

TEST(ShapeRegion, PlanesAreWhatBelongsToTheDomain) {
  const DomainPointer domain = shape_domain(square(), "box - hole", {{"hole", ball({0, 0}, 0.5)}});
  EXPECT_NEAR(domain->plane(0, 0, {})->measure(), 1, 1e-9);
  EXPECT_NEAR(domain->plane(1, 1, {})->measure(), 2, 1e-9);
  RandomStream stream(2, "plane");
  const PointSet points = domain->plane(0, 0, {})->sample(drawn(50), stream, {.normals = true});
  for (std::size_t i = 0; i < points.count; ++i) {
    EXPECT_GT(std::abs(points.coordinates[1][i]), 0.5);
    EXPECT_EQ(points.column("normal.x")[i], 1);
  }
  const PointSet face = domain->plane(0, -1, {})->sample(drawn(50), stream, {.normals = true});
  for (std::size_t i = 0; i < face.count; ++i) EXPECT_EQ(face.column("normal.x")[i], -1);
}

TEST(ShapeRegion, MaterialsHaveAnInsideAndASurface) {
  const DomainPointer domain = shape_domain(square(), "box", {{"core", ball({1, 0}, 0.5)}});
  EXPECT_NEAR(domain->inside_shape("core", {})->measure(), kCircle / 8, 1e-9);
  const RegionPointer surface = domain->on_shape("core", {});
  EXPECT_NEAR(surface->measure(), kCircle / 2, 1e-9);
  RandomStream stream(2, "core");
  const PointSet points = surface->sample(drawn(50), stream, {.normals = true});
  for (std::size_t i = 0; i < points.count; ++i)
    EXPECT_NEAR(points.column("normal.x")[i], (points.coordinates[0][i] - 1) / 0.5, 1e-14);
  EXPECT_EQ(domain->boundary({})->piece_counts(drawn(7)).size(), 4u);  // the box's own regions
}

TEST(ShapeRegion, TimeRunsAlongAndWindowsMoveIt) {
  const DomainPointer domain = shape_domain(square_in_time(), "box - hole", {{"hole", ball({0, 0}, 0.5)}});
  const double area = 4 - kCircle / 4;
  EXPECT_NEAR(domain->interior({})->measure(), area * 5, 1e-10);
  EXPECT_NEAR(domain->on_shape("hole", {})->measure(), kCircle * 5, 1e-10);
  EXPECT_NEAR(domain->at_start({})->measure(), area, 1e-11);
  Box window = square_in_time();
  window.lower[1] = 2;
  window.upper[1] = 3;
  RandomStream stream(4, "time");
  for (const RegionPointer& region : {domain->interior({}), domain->on_shape("hole", {}), domain->at_start({}),
                                      domain->at_end({}), domain->plane(1, 0, {}), domain->plane(1, 5, {})}) {
    const PointSet all = region->sample(drawn(200), stream), some = region->within(window)->sample(drawn(200), stream);
    EXPECT_EQ(all.count, 200u);
    for (std::size_t i = 0; i < 200; ++i) {
      const double t = some.coordinates[1][i];
      if (region->times() == Times::All) EXPECT_TRUE(t > 2 && t < 3);
      if (region->times() == Times::Start) EXPECT_EQ(t, 2);
      EXPECT_TRUE(domain->contains(std::vector<double>{some.coordinates[0][i], t, some.coordinates[2][i]}) || t > 3);
    }
    for (const char inside : region->contains(all)) EXPECT_TRUE(inside);
  }
  EXPECT_EQ(domain->at_end({})->times(), Times::Later);
}

TEST(ShapeRegion, GridsKeepTheirNodesInside) {
  const DomainPointer domain = shape_domain(square(), "box - notch", {{"notch", box_shape({0, 0}, {1, 1})}});
  RandomStream stream(4, "grid");
  const PointRule rule{.grid = {5, 5}};
  EXPECT_EQ(domain->interior({})->sample(rule, stream).count, 5u);  // 9 inside the square, 4 in the notch
  EXPECT_EQ(domain->interior({.closed = true})->sample(rule, stream).count, 21u);
  EXPECT_EQ(domain->boundary({})->sample(rule, stream, {.normals = true}).count, 16u);
  EXPECT_EQ(domain->plane(0, 0, {})->sample(rule, stream).count, 3u);  // y = −0.5, and 0.5 beside the notch; the corner
  EXPECT_EQ(domain->plane(0, 0, {.closed = true})->sample(rule, stream).count, 5u);
  const DomainPointer round = shape_domain(square(), "box - hole", {{"hole", ball({0, 0}, 0.3)}});
  try {
    round->boundary({})->sample(rule, stream);
    FAIL();
  } catch (const InputError& error) {
    EXPECT_THAT(error.what(), HasSubstr("no nodes on 'hole'"));
  }
}

TEST(ShapeRegion, WeightsAddUpToTheMeasure) {
  for (const ShapeCase& one : shape_cases()) {
    RandomStream stream(9, "weights");
    for (const RegionPointer& region : {one.domain->interior({}), one.domain->boundary({})}) {
      const PointSet points = region->sample(drawn(300), stream, {.weights = true});
      double sum = 0;
      for (std::size_t i = 0; i < points.count; ++i) sum += points.column(kWeightColumn)[i];
      EXPECT_NEAR(sum, region->measure(), 1e-10 * sum) << one.name;
    }
  }
}

TEST(ShapeRegion, TheSameStreamGivesTheSamePoints) {
  const ShapeCase& one = shape_cases()[0];
  RandomStream first(3, "same"), second(3, "same");
  const PointSet a = one.domain->interior({})->sample(drawn(100), first),
                 b = one.domain->interior({})->sample(drawn(100), second);
  EXPECT_EQ(a.coordinates, b.coordinates);
  EXPECT_EQ(first.counter(), second.counter());
}

TEST(ShapeRegion, HighDimensionsAndLines) {
  const Box five{{"a", "b", "c", "d", "e"}, {-1, -1, -1, -1, -1}, {1, 1, 1, 1, 1}, -1};
  const DomainPointer ball5 = shape_domain(five, "ball", {{"ball", ball({0, 0, 0, 0, 0}, 1)}});
  EXPECT_NEAR(ball5->interior({})->measure(), 8 * kCircle * kCircle / 15, 1e-12);
  EXPECT_NEAR(ball5->boundary({})->measure(), 8 * kCircle * kCircle / 3, 1e-12);
  RandomStream stream(3, "five");
  const PointSet points = ball5->boundary({})->sample(drawn(4000, PointRule::Kind::Sobol), stream, {.normals = true});
  for (const auto& column : points.coordinates) {  // the second moments of the unit sphere are 1/5 each
    double sum = 0;
    for (std::size_t i = 0; i < points.count; ++i) sum += column[i] * column[i];
    EXPECT_NEAR(sum / static_cast<double>(points.count), 0.2, 2e-3);
  }
  const Box line{{"x"}, {0}, {1}, -1};
  const DomainPointer parts = shape_domain(line, "box - gap", {{"gap", ball({0.5}, 0.1)}});
  EXPECT_NEAR(parts->interior({})->measure(), 0.8, 1e-14);
  const PointSet ends = parts->boundary({})->sample(drawn(10), stream, {.normals = true});
  ASSERT_EQ(ends.count, 4u);
  for (std::size_t i = 0; i < 4; ++i) {
    const double x = ends.coordinates[0][i];
    EXPECT_EQ(ends.column("normal.x")[i], x == 0 || x > 0.55 && x < 0.9 ? -1 : 1) << x;
  }
}

TEST(ShapeRegion, MistakesAreNamed) {
  const auto message = [](const std::string& text) -> std::string {
    try {
      shape_domain(square(), text, {{"hole", ball({0, 0}, 0.3)}, {"far", ball({9, 9}, 0.3)}});
    } catch (const InputError& error) {
      return error.what();
    }
    return "";
  };
  EXPECT_EQ(message("box - hole"), "");
  EXPECT_THAT(message("box - hoel"), HasSubstr("hole"));
  EXPECT_THAT(message("box - (hole"), HasSubstr("')' is missing"));
  EXPECT_THAT(message("box - "), HasSubstr("is missing"));
  EXPECT_THAT(message("box hole"), HasSubstr("unexpected"));
  EXPECT_THAT(message("box + hole & far"), HasSubstr("parentheses"));
  EXPECT_THAT(message("hole - box"), HasSubstr("empty"));
  EXPECT_THAT(message("far"), HasSubstr("empty"));
}

}  // namespace
}  // namespace pecann::sampling
