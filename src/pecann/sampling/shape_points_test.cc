// Points of solids against closed forms: measures, points true to length, area and volume.
#include <array>
#include <cmath>
#include <functional>
#include <map>

#include <gtest/gtest.h>

#include "pecann/sampling/shape_region.h"
#include "pecann/sampling/test_shapes.h"
#include "pecann/sampling/unit_points.h"

namespace pecann::sampling {
namespace {

TEST(ShapePoints, MeasuresAreThoseOfClosedForms) {
  for (const ShapeCase& one : shape_cases()) {
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

TEST(ShapePoints, InteriorPointsAreTrueToVolume) {
  for (const ShapeCase& one : shape_cases()) {
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
TEST(ShapePoints, BoundaryPointsAreTrueToLengthAndArea) {
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
  const double root = std::sqrt(2.0);
  arcs["diamond"] = {line(root, 0, 0, root), line(0, root, -root, 0), line(-root, 0, 0, -root),
                     line(0, -root, root, 0)};
  arcs["triangle"] = {line(-1, -1, 1, -1), line(1, -1, -1, 1), line(-1, 1, -1, -1)};
  for (const ShapeCase& one : shape_cases()) {
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

TEST(ShapePoints, SurfacesInSpaceAreTrueToArea) {
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

}  // namespace
}  // namespace pecann::sampling
