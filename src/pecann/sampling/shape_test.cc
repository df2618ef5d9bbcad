// Shapes against independent formulas: levels, normals, measures of their surfaces and volumes.
#include "pecann/sampling/shape.h"

#include <gtest/gtest.h>

#include <boost/math/special_functions/ellint_2.hpp>
#include <cmath>
#include <numbers>

#include "pecann/base/random_stream.h"
#include "pecann/sampling/level_set.h"
#include "pecann/sampling/shapes.h"
#include "pecann/sampling/unit_points.h"

namespace pecann::sampling {
namespace {

constexpr double kPi = std::numbers::pi;

struct Sample {
  std::string name;
  ShapePointer shape;
  double volume, area;
};

std::vector<Sample> closed_shapes() {
  const double k = std::sqrt(1 - 0.25);  // ellipse with radii 2 and 1
  return {{"interval", ball({1}, 0.5), 1, 2},
          {"disc", ball({0.3, -0.2}, 0.7), kPi * 0.49, 2 * kPi * 0.7},
          {"ball", ball({0.1, 0.2, 0.3}, 2), 4.0 / 3 * kPi * 8, 4 * kPi * 4},
          {"ball in five dimensions", ball({0, 0, 0, 0, 1}, 2), 8 * kPi * kPi / 15 * 32, 8 * kPi * kPi / 3 * 16},
          {"rectangle", box_shape({-1, 2}, {1, 5}), 6, 10},
          {"box", box_shape({0, 0, 0}, {1, 2, 3}), 6, 22},
          {"ellipse", ellipsoid({1, 1}, {2, 1}), 2 * kPi, 8 * boost::math::ellint_2(k)},
          // The prolate spheroid: 2πb² (1 + a/(b e) asin e) with a = 2, b = 1, e = √3/2.
          {"ellipsoid", ellipsoid({1, 1, 0}, {1, 2, 1}), 8.0 / 3 * kPi, 2 * kPi * (1 + 2 / k * std::asin(k))},
          {"polygon", polygon({{0, 0}, {2, 0}, {2, 1}, {1, 1}, {1, 2}, {0, 2}}), 3, 8},
          {"cylinder", cylinder({1, 0, 0}, {1, 3, 4}, 0.5), kPi * 0.25 * 5, 2 * kPi * 0.5 * 5 + 2 * kPi * 0.25},
          {"turned rectangle", turned(box_shape({-1, 2}, {1, 5}), {.angle = 0.7, .about = {0.3, 1}}), 6, 10},
          {"turned ellipse", turned(ellipsoid({1, 1}, {2, 1}), {.angle = -2, .about = {1, 1}}), 2 * kPi,
           8 * boost::math::ellint_2(k)},
          {"turned box", turned(box_shape({0, 0, 0}, {1, 2, 3}), {.angle = 1, .axis = {1, 1, 2}, .about = {0, 1, 0}}),
           6, 22}};
}

/// Points of every patch of the surface, away from its corners with certainty one.
Columns surface_points(const Shape& shape, std::size_t per_patch) {
  RandomStream stream(3, "surface");
  Columns all(static_cast<std::size_t>(shape.dimension()));
  for (const PatchPointer& patch : shape.surface({})) {
    const Columns unit = unit_points(PointRule::Kind::Uniform, patch->parameters(), per_patch, stream);
    Columns some;
    patch->place(unit, patch->parameters() == 0 ? 1 : per_patch, some);
    for (std::size_t c = 0; c < all.size(); ++c) all[c].insert(all[c].end(), some[c].begin(), some[c].end());
  }
  return all;
}

double level_at(const Shape& shape, const std::vector<double>& point) {
  Columns one;
  for (const double value : point) one.push_back({value});
  double level = 0;
  shape.levels(one, std::span(&level, 1));
  return level;
}

TEST(Shape, VolumesAndAreasAreThoseOfClosedForms) {
  for (const Sample& sample : closed_shapes()) {
    EXPECT_NEAR(sample.shape->volume().value(), sample.volume, 1e-12 * sample.volume) << sample.name;
    double area = 0;
    for (const PatchPointer& patch : sample.shape->surface({})) area += patch->measure();
    EXPECT_NEAR(area, sample.area, 1e-12 * sample.area) << sample.name;
  }
}

/// A circle of radius ½ around the middle of the unit square, whose function and gradient are `scale` times theirs.
ShapePointer level_circle(double scale) {
  const auto function = [scale](const SpacePoints& points, std::vector<double>& values, Columns& gradient) {
    values.resize(points.count);
    gradient.assign(2, std::vector<double>(points.count));
    for (std::size_t i = 0; i < points.count; ++i) {
      const double x = points[0][i], y = points[1][i];
      values[i] = scale * (x * x + y * y - 0.25);
      gradient[0][i] = scale * 2 * x;
      gradient[1][i] = scale * 2 * y;
    }
  };
  return level_set(function, {{-1, -1}, {1, 1}}, "circle", {});
}

TEST(Shape, TheScaleOfItsNumbersChangesNothing) {
  for (const double scale : {1e-300, 1e-170, 1.0, 1e170, 1e300}) {
    const ShapePointer circle = level_circle(scale);
    EXPECT_NEAR(level_at(*circle, {0.6, 0.0}), level_at(*level_circle(1), {0.6, 0.0}), 1e-15) << scale;
    double length = 0;
    for (const PatchPointer& patch : circle->surface({{-1, -1}, {1, 1}})) length += patch->measure();
    EXPECT_NEAR(length, kPi, 2e-6) << scale;
    Columns normals;
    circle->normals(Columns{{0.3}, {0.4}}, normals);
    EXPECT_NEAR(normals[0][0], 0.6, 1e-15) << scale;
    EXPECT_NEAR(normals[1][0], 0.8, 1e-15) << scale;
    const ShapePointer half = half_space({0.5, 0}, {3 * scale, 4 * scale});
    EXPECT_NEAR(level_at(*half, {1.5, 0}), 0.6, 1e-15) << scale;
    EXPECT_EQ(half->surface({{0, 0}, {1, 1}}).size(), 1u) << scale;
    const ShapePointer box =
        turned(box_shape({0, 0, 0}, {1, 1, 1}), {.angle = kPi / 2, .axis = {0, 0, scale}, .about = {0, 0, 0}});
    EXPECT_NEAR(level_at(*box, {-0.5, 0.5, 0.5}), -0.5, 1e-15) << scale;
  }
}

TEST(Shape, PatchesLieOnTheSurface) {
  for (const Sample& sample : closed_shapes()) {
    const Columns points = surface_points(*sample.shape, 100);
    std::vector<double> levels(points[0].size());
    sample.shape->levels(points, levels);
    for (const double level : levels) EXPECT_NEAR(level, 0, 1e-14 * 20) << sample.name;
  }
}

TEST(Shape, NormalsAreDifferencesOfTheLevel) {
  int all = 0, compared = 0;
  for (const Sample& sample : closed_shapes()) {
    const Columns points = surface_points(*sample.shape, 50);
    Columns normals;
    sample.shape->normals(points, normals);
    for (std::size_t i = 0; i < points[0].size(); ++i) {
      const auto direction = [&](double h) {  // by fourth-order central differences
        std::vector<double> gradient;
        double square = 0;
        for (std::size_t c = 0; c < points.size(); ++c) {
          const auto moved = [&](double step) {
            std::vector<double> point;
            for (std::size_t k = 0; k < points.size(); ++k) point.push_back(points[k][i] + (k == c ? step : 0));
            return level_at(*sample.shape, point);
          };
          gradient.push_back((8 * (moved(h) - moved(-h)) - (moved(2 * h) - moved(-2 * h))) / (12 * h));
          square += gradient.back() * gradient.back();
        }
        for (double& component : gradient) component /= std::sqrt(square);
        return gradient;
      };
      const std::vector<double> wide = direction(1e-3), narrow = direction(5e-4);
      ++all;
      bool across = false;  // differences across a corner are not those of a smooth surface
      for (std::size_t c = 0; c < points.size(); ++c) across = across || std::abs(wide[c] - narrow[c]) > 1e-7;
      if (across) continue;
      ++compared;
      for (std::size_t c = 0; c < points.size(); ++c) EXPECT_NEAR(normals[c][i], narrow[c], 1e-8) << sample.name;
    }
  }
  EXPECT_GT(compared, 0.97 * all);
}

/// Balls smaller than the level do not reach the surface, hence the level changes by no more than the way.
TEST(Shape, LevelsAreAtMostDistances) {
  RandomStream stream(5, "levels");
  for (const Sample& sample : closed_shapes()) {
    const Bounds bounds = sample.shape->bounds();
    for (int trial = 0; trial < 300; ++trial) {
      std::vector<double> a, b;
      double square = 0;
      for (std::size_t c = 0; c < bounds.lower.size(); ++c) {
        const double width = bounds.upper[c] - bounds.lower[c];
        a.push_back(bounds.lower[c] + width * (1.4 * stream.uniform() - 0.2));
        b.push_back(bounds.lower[c] + width * (1.4 * stream.uniform() - 0.2));
        square += (a[c] - b[c]) * (a[c] - b[c]);
      }
      EXPECT_LE(std::abs(level_at(*sample.shape, a) - level_at(*sample.shape, b)), std::sqrt(square) * (1 + 1e-12))
          << sample.name;
    }
  }
}

/// By hand: the corner (1, 0) of the square turns to (0, 1) by a right angle, round the third axis in space too, and
/// (0, 1, 0) to (0, 0, 1) round the first.
TEST(Shape, TurnsGoFromTheFirstCoordinateToTheSecond) {
  const Turn right{.angle = kPi / 2, .about = {0, 0}};
  const ShapePointer flat = turned(box_shape({0.9, -0.2}, {1, 0.1}), right);
  EXPECT_LT(level_at(*flat, {0.15, 0.95}), 0);
  EXPECT_GT(level_at(*flat, {-0.15, 0.95}), 0);
  EXPECT_GT(level_at(*flat, {0.95, -0.15}), 0);
  EXPECT_NEAR(flat->bounds().lower[1], 0.9, 1e-15);
  const ShapePointer up =
      turned(box_shape({-0.1, 0.9, -0.1}, {0.1, 1, 0.1}), {.angle = kPi / 2, .axis = {3, 0, 0}, .about = {0, 0, 0}});
  EXPECT_LT(level_at(*up, {0, 0, 0.95}), 0);
  EXPECT_GT(level_at(*up, {0, 0, -0.95}), 0);
  EXPECT_GT(level_at(*up, {0, 0.95, 0}), 0);
  const ShapePointer about = turned(box_shape({0, 0}, {2, 1}), {.angle = kPi / 2, .about = {2, 0}});
  EXPECT_LT(level_at(*about, {1.5, -1.5}), 0);
  EXPECT_EQ(about->text(), "{ box = { lower = [0, 0], upper = [2, 1] }, angle = 1.5707963267948966, about = [2, 0] }");
}

TEST(Shape, PolygonsKnowTheirInsideAtTheHeightOfCorners) {
  const ShapePointer notched = polygon({{0, 2}, {0, 0}, {2, 0}, {2, 2}, {1, 1}});  // the other sense
  EXPECT_LT(level_at(*notched, {0.5, 1}), 0);
  EXPECT_GT(level_at(*notched, {1, 1.5}), 0);
  EXPECT_GT(level_at(*notched, {-0.5, 1}), 0);
  EXPECT_GT(level_at(*notched, {2.5, 2}), 0);
  EXPECT_NEAR(level_at(*notched, {1, 1}), 0, 1e-15);
}

TEST(Shape, FaultsOfPolygonsAreNamed) {
  EXPECT_EQ(polygon_fault({{0, 0}, {1, 0}, {1, 1}, {0, 1}}), "");
  EXPECT_NE(polygon_fault({{0, 0}, {1, 0}}), "");
  EXPECT_NE(polygon_fault({{0, 0}, {1, 1}, {1, 0}, {0, 1}}).find("cross"), std::string::npos);
  EXPECT_NE(polygon_fault({{0, 0}, {1, 0}, {1, 1}, {0, 0}}).find("closes itself"), std::string::npos);
  EXPECT_NE(polygon_fault({{0, 0}, {2, 0}, {1, 0}}).find("cross"), std::string::npos);  // turns back on itself
  EXPECT_NE(polygon_fault({{0, 0}, {2, 0}, {2, 2}, {1, 0}, {0, 2}}).find("touch"), std::string::npos);
  EXPECT_EQ(polygon_fault({{0, 0}, {1, 0}, {2, 0}, {2, 2}}), "");  // a corner on a straight side is harmless
}

TEST(Shape, HalfSpacesHaveAPlaneThatCoversTheBox) {
  const ShapePointer half = half_space({1, 1}, {3, 4});
  EXPECT_NEAR(level_at(*half, {1 + 0.6, 1 + 0.8}), 1, 1e-15);
  const Bounds box{{0, 0}, {2, 2}};
  Columns ends;
  half->surface(box)[0]->place({{0, 1}}, 2, ends);
  for (std::size_t i = 0; i < 2; ++i) {
    EXPECT_NEAR(level_at(*half, {ends[0][i], ends[1][i]}), 0, 1e-15);
    EXPECT_TRUE(ends[0][i] < 0 || ends[0][i] > 2 || ends[1][i] < 0 || ends[1][i] > 2);
  }
}

}  // namespace
}  // namespace pecann::sampling
