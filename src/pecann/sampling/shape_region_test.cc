// Regions of solids against closed forms: measures, points true to length, area and volume, normals, time, grids.
#include "pecann/sampling/shape_region.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <functional>
#include <map>
#include <numbers>

#include "pecann/base/input_error.h"
#include "pecann/sampling/shape_domain.h"
#include "pecann/sampling/shapes.h"
#include "pecann/sampling/unit_points.h"

namespace pecann::sampling {
namespace {

using ::testing::HasSubstr;
constexpr double kCircle = std::numbers::pi;

Box square(double half = 1) { return {{"x", "y"}, {-half, -half}, {half, half}, -1}; }
Box cube() { return {{"x", "y", "z"}, {-1, -1, -1}, {1, 1, 1}, -1}; }
Box square_in_time() { return {{"x", "t", "y"}, {-1, 0, -1}, {1, 5, 1}, 1}; }

PointRule drawn(std::size_t count, PointRule::Kind kind = PointRule::Kind::Uniform) {
  return {.kind = kind, .count = count};
}

struct Case {
  std::string name;
  DomainPointer domain;
  double volume, area;
  double tolerance = 1e-12;  // relative; clipped surfaces in three dimensions are estimated
};

/// Two discs of radius 1 whose centres are 1 apart: each has an arc of 4π/3 outside the other.
constexpr double kLens = 2 * kCircle / 3 - 0.8660254037844386;

const std::vector<Case>& cases() {
  const NamedShape hole{"hole", ball({0.2, 0.1}, 0.5)}, left{"left", ball({-0.5, 0}, 1)},
      right{"right", ball({0.5, 0}, 1)}, notch{"notch", box_shape({0, 0}, {1, 1})},
      bubble{"bubble", ball({0, 0, 0}, 0.5)}, big{"big", ball({0, 0, 0}, 1.2)},
      pipe{"pipe", cylinder({0, 0, -2}, {0, 0, 2}, 0.5)}, half{"half", half_space({0, 0}, {1, 1})};
  const double cap = 1.2 - 1;  // height of the caps that the cube cuts off the big ball
  static const std::vector<Case> all = {
      {"holed square", shape_domain(square(), "box - hole", {hole}), 4 - kCircle / 4, 8 + kCircle},
      {"two holes", shape_domain(square(), "box - hole - other", {hole, {"other", ball({-0.6, 0}, 0.2)}}),
       4 - kCircle * (0.25 + 0.04), 8 + 2 * kCircle * 0.7},
      {"union of discs", shape_domain(square(2), "left + right", {left, right}), 2 * kCircle - kLens, 8 * kCircle / 3},
      {"lens", shape_domain(square(2), "left & right", {left, right}), kLens, 4 * kCircle / 3},
      {"moon", shape_domain(square(2), "left - right", {left, right}), kCircle - kLens, 2 * kCircle},
      {"L", shape_domain(square(), "box - notch", {notch}), 3, 8},
      {"triangle", shape_domain(square(), "half", {half}), 2, 4 + 2 * std::sqrt(2)},
      {"cube with a bubble", shape_domain(cube(), "box - bubble", {bubble}), 8 - kCircle / 6, 24 + kCircle},
      {"cube with a pipe", shape_domain(cube(), "box - pipe", {pipe}), 8 - kCircle / 2, 24 - kCircle / 2 + 2 * kCircle,
       1e-3},
      {"ball with flat sides", shape_domain(cube(), "big", {big}),
       4.0 / 3 * kCircle * 1.728 - 6 * kCircle * cap * cap * (3.6 - cap) / 3,
       4 * kCircle * 1.44 - 6 * 2 * kCircle * 1.2 * cap + 6 * kCircle * (1.44 - 1), 1e-3}};
  return all;
}

TEST(ShapeRegion, MeasuresAreThoseOfClosedForms) {
  for (const Case& one : cases()) {
    EXPECT_NEAR(one.domain->interior({})->measure(), one.volume, one.tolerance * one.volume) << one.name;
    EXPECT_NEAR(one.domain->boundary({})->measure(), one.area, one.tolerance * one.area) << one.name;
  }
}

/// χ² of points in the cells of a grid over the box, against measures of the cells by another way: points of a fine
/// lattice (interior), or the share of the boundary that lies in a thin shell around it (boundary).
double chi_square(const std::vector<double>& expected, const std::vector<double>& found, double& freedom) {
  double total = 0, points = 0, sum = 0;
  for (const double value : expected) total += value;
  for (const double value : found) points += value;
  freedom = -1;
  for (std::size_t i = 0; i < expected.size(); ++i) {
    const double wanted = expected[i] / total * points;
    if (wanted < 5) continue;  // the rule of thumb for the χ² distribution
    sum += (found[i] - wanted) * (found[i] - wanted) / wanted;
    freedom += 1;
  }
  return sum;
}

std::size_t cell_of(const Box& box, const std::vector<double>& point, int cells) {
  std::size_t cell = 0;
  for (std::size_t c = 0; c < point.size(); ++c) {
    const double share = (point[c] - box.lower[c]) / (box.upper[c] - box.lower[c]);
    cell = cell * static_cast<std::size_t>(cells) +
           static_cast<std::size_t>(std::min(cells - 1, std::max(0, static_cast<int>(share * cells))));
  }
  return cell;
}

std::vector<double> counted(const Box& box, const PointSet& points, int cells) {
  std::vector<double> counts(static_cast<std::size_t>(std::pow(cells, box.dimension())), 0.0);
  for (std::size_t i = 0; i < points.count; ++i) {
    std::vector<double> point;
    for (const auto& column : points.coordinates) point.push_back(column[i]);
    counts[cell_of(box, point, cells)] += 1;
  }
  return counts;
}

/// The nodes of a fine lattice that the domain has, by cells.
std::vector<double> lattice(const Domain& domain, int cells) {
  const Box& box = domain.box();
  const int nodes = box.dimension() == 2 ? 500 : 60;  // a multiple of the cells, none on their sides
  PointSet all;
  all.count = static_cast<std::size_t>(std::pow(nodes, box.dimension()) + 0.5);
  all.coordinates.assign(box.names.size(), AlignedVector<double>(all.padded(), 0.0));
  for (std::size_t i = 0; i < all.count; ++i)
    for (std::size_t c = 0, rest = i; c < box.names.size(); ++c, rest /= static_cast<std::size_t>(nodes))
      all.coordinates[c][i] = box.lower[c] + (box.upper[c] - box.lower[c]) *
                                                 (static_cast<double>(rest % static_cast<std::size_t>(nodes)) + 0.5) /
                                                 nodes;
  const std::vector<char> inside = domain.mask(all);
  std::vector<std::size_t> chosen;
  for (std::size_t i = 0; i < all.count; ++i)
    if (inside[i] != 0) chosen.push_back(i);
  return counted(box, subset(all, chosen), cells);
}

TEST(ShapeRegion, InteriorPointsAreTrueToVolume) {
  for (const Case& one : cases()) {
    const int cells = one.domain->box().dimension() == 2 ? 10 : 5;
    const std::vector<double> expected = lattice(*one.domain, cells);
    for (const PointRule::Kind kind :
         {PointRule::Kind::Uniform, PointRule::Kind::Sobol, PointRule::Kind::LatinHypercube}) {
      RandomStream stream(11, "interior");
      const PointSet points = one.domain->interior({})->sample(drawn(20000, kind), stream);
      EXPECT_EQ(points.count, 20000u);
      double freedom = 0;
      const double value = chi_square(expected, counted(one.domain->box(), points, cells), freedom);
      EXPECT_LT(value, freedom + 4 * std::sqrt(2 * freedom)) << one.name;
      if (kind == PointRule::Kind::Sobol) EXPECT_LT(value, 0.6 * freedom) << one.name;
      for (const char inside : one.domain->mask(points)) EXPECT_TRUE(inside);
    }
  }
}

/// Boundary points against lengths and areas by the shell around the boundary: of points spread evenly in space, those
/// within a small distance of the boundary are as many in a cell as it has of the boundary.
TEST(ShapeRegion, BoundaryPointsAreTrueToLengthAndArea) {
  struct Arc {
    double length;
    std::function<std::array<double, 2>(double)> at;  // of a share of the length
  };
  const auto circle = [](double x, double y, double r, double begin, double end) {
    return Arc{r * (end - begin), [=](double s) {
                 const double angle = begin + s * (end - begin);
                 return std::array<double, 2>{x + r * std::cos(angle), y + r * std::sin(angle)};
               }};
  };
  const auto line = [](double x, double y, double to_x, double to_y) {
    return Arc{std::hypot(to_x - x, to_y - y), [=](double s) {
                 return std::array<double, 2>{x + s * (to_x - x), y + s * (to_y - y)};
               }};
  };
  const std::vector<Arc> sides = {line(-1, -1, 1, -1), line(1, -1, 1, 1), line(1, 1, -1, 1), line(-1, 1, -1, -1)};
  std::map<std::string, std::vector<Arc>> arcs;
  arcs["holed square"] = sides;
  arcs["holed square"].push_back(circle(0.2, 0.1, 0.5, 0, 2 * kCircle));
  arcs["two holes"] = arcs["holed square"];
  arcs["two holes"].push_back(circle(-0.6, 0, 0.2, 0, 2 * kCircle));
  arcs["union of discs"] = {circle(-0.5, 0, 1, kCircle / 3, 5 * kCircle / 3),
                            circle(0.5, 0, 1, -2 * kCircle / 3, 2 * kCircle / 3)};
  arcs["lens"] = {circle(-0.5, 0, 1, -kCircle / 3, kCircle / 3), circle(0.5, 0, 1, 2 * kCircle / 3, 4 * kCircle / 3)};
  arcs["moon"] = {circle(-0.5, 0, 1, kCircle / 3, 5 * kCircle / 3),
                  circle(0.5, 0, 1, 2 * kCircle / 3, 4 * kCircle / 3)};
  arcs["L"] = {line(-1, -1, 1, -1), line(1, -1, 1, 0), line(1, 0, 0, 0),
               line(0, 0, 0, 1),    line(0, 1, -1, 1), line(-1, 1, -1, -1)};
  arcs["triangle"] = {line(-1, -1, 1, -1), line(1, -1, -1, 1), line(-1, 1, -1, -1)};
  for (const Case& one : cases()) {
    RandomStream stream(11, "boundary");
    const PointSet points = one.domain->boundary({})->sample(drawn(8000), stream);
    EXPECT_NEAR(static_cast<double>(points.count), 8000, 40);
    if (!arcs.contains(one.name)) continue;
    std::vector<double> expected(400, 0.0);
    for (const Arc& arc : arcs.at(one.name))
      for (int k = 0; k < 20000; ++k) {
        const auto [x, y] = arc.at((k + 0.5) / 20000);
        expected[cell_of(one.domain->box(), {x, y}, 20)] += arc.length;
      }
    double freedom = 0;
    const double value = chi_square(expected, counted(one.domain->box(), points, 20), freedom);
    EXPECT_LT(value, freedom + 4 * std::sqrt(2 * freedom)) << one.name;
  }
}

TEST(ShapeRegion, SurfacesInSpaceAreTrueToArea) {
  for (const ShapePointer& shape :
       {ball({0, 0, 0}, 0.7), ellipsoid({0, 0, 0}, {0.9, 0.3, 0.5}), cylinder({0, 0, -0.5}, {0, 0, 0.5}, 0.6),
        box_shape({-0.5, -0.7, -0.2}, {0.5, 0.7, 0.2})}) {
    const DomainPointer domain = shape_domain(cube(), "part", {{"part", shape}});
    // The shell between the shape and the shape made larger by ε has ε times the area in every cell, up to curvature.
    constexpr double kShell = 0.01;
    RandomStream stream(12, "shell");
    std::vector<double> expected(27, 0.0);
    constexpr std::size_t kTried = 400'000;
    Columns tried = unit_points(PointRule::Kind::Uniform, 3, kTried, stream), normals;
    for (std::vector<double>& column : tried)
      for (double& value : column) value = 2 * value - 1;
    std::vector<double> level(kTried), beyond(kTried);
    shape->levels(tried, level);
    // The level of an ellipsoid is no distance: it is divided by its slope along the normal.
    shape->normals(tried, normals);
    Columns moved = tried;
    for (std::size_t c = 0; c < 3; ++c)
      for (std::size_t i = 0; i < kTried; ++i) moved[c][i] += 1e-4 * normals[c][i];
    shape->levels(moved, beyond);
    for (std::size_t i = 0; i < kTried; ++i)
      if (std::abs(level[i]) < kShell * (beyond[i] - level[i]) / 1e-4)
        expected[cell_of(cube(), {tried[0][i], tried[1][i], tried[2][i]}, 3)] += 1;
    const PointSet points = domain->boundary({})->sample(drawn(2000), stream);
    double freedom = 0;
    const double value = chi_square(expected, counted(cube(), points, 3), freedom);
    EXPECT_LT(value, freedom + 4 * std::sqrt(2 * freedom)) << shape->text();
  }
}

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
  for (const Case& one : cases()) {
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
  for (const Case& one : cases()) {
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
  const Case& one = cases()[0];
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
