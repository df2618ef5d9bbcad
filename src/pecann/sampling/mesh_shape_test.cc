// Shapes from meshes: levels, normals and measures against sums over all facets, and regions of the groups.
#include "pecann/sampling/mesh_shape.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "pecann/base/input_error.h"
#include "pecann/mesh/facet_tree.h"
#include "pecann/sampling/shape_domain.h"
#include "pecann/sampling/shapes.h"
#include "pecann/sampling/unit_points.h"

namespace pecann::sampling {
namespace {

using mesh::Point3;

const std::string kMeshes = "tests/meshes/";

/// The generalized winding number: the sum of the solid angles of all triangles over 4π (Van Oosterom and Strackee,
/// 1983; Jacobson et al., 2013).
double solid_angles(const mesh::Body& body, const Point3& p) {
  double sum = 0;
  for (const mesh::Facet& facet : body.whole) {
    double v[3][3], length[3];
    for (int k = 0; k < 3; ++k) {
      for (int c = 0; c < 3; ++c) v[k][c] = body.points[facet[k]][c] - p[c];
      length[k] = std::hypot(v[k][0], v[k][1], v[k][2]);
    }
    const auto dot = [&](int i, int j) { return v[i][0] * v[j][0] + v[i][1] * v[j][1] + v[i][2] * v[j][2]; };
    const double triple = v[0][0] * (v[1][1] * v[2][2] - v[1][2] * v[2][1]) +
                          v[0][1] * (v[1][2] * v[2][0] - v[1][0] * v[2][2]) +
                          v[0][2] * (v[1][0] * v[2][1] - v[1][1] * v[2][0]);
    sum += 2 * std::atan2(triple, length[0] * length[1] * length[2] + dot(0, 1) * length[2] + dot(1, 2) * length[0] +
                                      dot(2, 0) * length[1]);
  }
  return sum / (4 * M_PI);
}

/// The angle that a closed curve goes round a point, over 2π.
double angles(const mesh::Body& body, const Point3& p) {
  double sum = 0;
  for (const mesh::Facet& facet : body.whole) {
    const Point3 &a = body.points[facet[0]], &b = body.points[facet[1]];
    const double ax = a[0] - p[0], ay = a[1] - p[1], bx = b[0] - p[0], by = b[1] - p[1];
    sum += std::atan2(ax * by - ay * bx, ax * bx + ay * by);
  }
  return sum / (2 * M_PI);
}

/// The distance from a facet by golden sections over its parameters, which are convex.
double distance_of(const mesh::Body& body, const mesh::Facet& facet, const Point3& p) {
  const auto at = [&](double s, double t) {
    double square = 0;
    for (std::size_t c = 0; c < 3; ++c) {
      const double a = body.points[facet[0]][c], b = body.points[facet[1]][c],
                   d = body.dimension == 3 ? body.points[facet[2]][c] : a;
      const double x = a + s * (b - a) + (1 - s) * t * (d - a) - p[c];
      square += x * x;
    }
    return square;
  };
  const auto least = [](const std::function<double(double)>& f) {
    double low = 0, high = 1;
    for (int i = 0; i < 36; ++i) {
      const double a = low + 0.382 * (high - low), b = low + 0.618 * (high - low);
      (f(a) < f(b) ? high : low) = f(a) < f(b) ? b : a;
    }
    return f(0.5 * (low + high));
  };
  if (body.dimension == 2) return std::sqrt(least([&](double s) { return at(s, 0); }));
  return std::sqrt(least([&](double s) { return least([&](double t) { return at(s, t); }); }));
}

Columns points_in(const Bounds& box, std::size_t count) {
  RandomStream stream(3, "mesh test");
  Columns points = unit_points(PointRule::Kind::Sobol, box.dimension(), count, stream);
  for (std::size_t c = 0; c < points.size(); ++c)
    for (double& value : points[c]) value = box.lower[c] + value * (box.upper[c] - box.lower[c]);
  return points;
}

Point3 point_of(const Columns& points, std::size_t i) {
  return {points[0][i], points[1][i], points.size() == 3 ? points[2][i] : 0};
}

class MeshLevels : public ::testing::TestWithParam<const char*> {};

TEST_P(MeshLevels, AreThoseOfAllFacets) {
  const mesh::Mesh read = mesh::read_mesh(kMeshes + GetParam());
  const int dimension = std::string(GetParam()).starts_with("plate") ? 2 : 3;
  const mesh::Body body = mesh::body_of(read, dimension);
  const ShapePointer shape = mesh_shapes(read, {SpacePoint(dimension, -9), SpacePoint(dimension, 9)}).whole;
  Bounds around = shape->bounds();
  for (int c = 0; c < dimension; ++c) {
    around.lower[c] -= 0.1;
    around.upper[c] += 0.1;
  }
  const Columns points = points_in(around, 4000);
  std::vector<double> levels(points[0].size());
  shape->levels(points, levels);
  std::size_t inside = 0;
  for (std::size_t i = 0; i < levels.size(); ++i) {
    const Point3 p = point_of(points, i);
    const double winding = dimension == 2 ? angles(body, p) : solid_angles(body, p);
    EXPECT_EQ(levels[i]<0, winding> 0.5) << i;
    inside += winding > 0.5;
    if (i % 1000 != 0) continue;
    double nearest = 1e9;
    for (const mesh::Facet& facet : body.whole) nearest = std::min(nearest, distance_of(body, facet, p));
    EXPECT_LE(std::abs(levels[i]), nearest + 1e-7) << i;
    const mesh::FacetTree tree(body.points, body.whole, dimension);
    EXPECT_NEAR(tree.nearest(p, 1e9).distance, nearest, 1e-6 + 1e-6 * nearest) << i;
  }
  EXPECT_GT(inside, 100u);
}

/// Points of the patches lie on the surface, and the level rises along the normal there.
TEST_P(MeshLevels, RiseAlongNormals) {
  const int dimension = std::string(GetParam()).starts_with("plate") ? 2 : 3;
  const Bounds box{SpacePoint(dimension, -1), SpacePoint(dimension, 2)};
  const ShapePointer shape = mesh_shapes(mesh::read_mesh(kMeshes + GetParam()), box).whole;
  for (const PatchPointer& patch : shape->surface(box)) {
    RandomStream stream(5, "patch");
    const Columns unit = unit_points(PointRule::Kind::Sobol, dimension - 1, 500, stream);
    Columns points, normals;
    patch->place(unit, 500, points);
    shape->normals(points, normals);
    std::vector<double> level(500), ahead(500), behind(500);
    shape->levels(points, level);
    Columns up = points, down = points;
    for (std::size_t c = 0; c < points.size(); ++c)
      for (std::size_t i = 0; i < 500; ++i) {
        up[c][i] += 1e-7 * normals[c][i];
        down[c][i] -= 1e-7 * normals[c][i];
      }
    shape->levels(up, ahead);
    shape->levels(down, behind);
    for (std::size_t i = 0; i < 500; ++i) {
      EXPECT_LT(std::abs(level[i]), 1e-14);
      EXPECT_NEAR(ahead[i], 1e-7, 1e-13);
      EXPECT_NEAR(behind[i], -1e-7, 1e-13);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Files, MeshLevels,
                         ::testing::Values("plate-msh41-text.msh", "block-msh41-binary.msh", "bracket-binary.stl"));

std::vector<NamedShape> shapes_of(const std::string& file, const Box& box) {
  const Bounds bounds{box.lower, box.upper};
  MeshShapes read = mesh_shapes(mesh::read_mesh(kMeshes + file), bounds);
  std::vector<NamedShape> shapes = {{"part", read.whole}};
  for (auto& [name, shape] : read.volumes) shapes.push_back({name, shape, "part", name});
  return shapes;
}

TEST(MeshDomain, GroupsAreRegions) {
  const Box box{{"x", "y"}, {-1, -1}, {1, 1}, -1};
  const DomainPointer domain = shape_domain(box, "part", shapes_of("plate-msh22-binary.msh", box));
  const mesh::Mesh read = mesh::read_mesh(kMeshes + "plate-msh22-binary.msh");
  const mesh::Body body = mesh::body_of(read, 2);
  EXPECT_NEAR(domain->interior({})->measure(), mesh::enclosed_measure(body.points, body.whole, 2), 1e-12);
  EXPECT_NEAR(domain->on_shape("left", {})->measure(), 2, 1e-12);
  EXPECT_NEAR(domain->on_shape("right side", {})->measure(), 2, 1e-12);
  EXPECT_NEAR(domain->on_shape("part.ends", {})->measure(), 4, 1e-12);
  const double hole = domain->on_shape("hole", {})->measure();
  EXPECT_NEAR(domain->boundary({})->measure(), 8 + hole, 1e-9);
  EXPECT_NEAR(domain->on_shape("part", {})->measure(), 8 + hole, 1e-9);
  EXPECT_NEAR(domain->inside_shape("core", {})->measure() + domain->inside_shape("part.plate", {})->measure(),
              domain->interior({})->measure(), 1e-9);
  EXPECT_EQ(domain->on_shape("cor", {}), nullptr);
  EXPECT_EQ(domain->inside_shape("left", {}), nullptr);
  EXPECT_EQ(domain->on_shape("right side", {})->text(), "\"right side\"");
  EXPECT_THAT(domain->shape_names(), ::testing::IsSupersetOf({"part", "core", "plate", "left", "hole", "box"}));

  RandomStream stream(1, "points");
  const PointRule rule{.kind = PointRule::Kind::Sobol, .count = 300};
  const PointSet left = domain->on_shape("left", {})->sample(rule, stream, {.normals = true});
  for (std::size_t i = 0; i < left.count; ++i) {
    EXPECT_EQ(left.coordinates[0][i], -1);
    EXPECT_EQ(left.column("normal.x")[i], -1);
  }
  EXPECT_EQ(domain->on_shape("ends", {})->contains(left), std::vector<char>(left.count, 1));
  EXPECT_EQ(domain->on_shape("hole", {})->contains(left), std::vector<char>(left.count, 0));
  const PointSet rim = domain->on_shape("hole", {})->sample(rule, stream, {.normals = true});
  for (std::size_t i = 0; i < rim.count; ++i) {  // out of the plate means into the hole
    const double x = 0.4 - rim.coordinates[0][i], y = 0.4 - rim.coordinates[1][i];
    EXPECT_GT(rim.column("normal.x")[i] * x + rim.column("normal.y")[i] * y, 0.28);
  }
  // An interface: its own points, and both names for it.
  EXPECT_NEAR(domain->on_shape("rim of the core", {})->measure(), domain->on_shape("core", {})->measure(), 1e-12);
}

TEST(MeshDomain, MeshesJoinShapesWithFormulas) {
  const Box box{{"x", "y"}, {-1, -1}, {1, 1}, -1};
  std::vector<NamedShape> shapes = shapes_of("plate-msh41-text.msh", box);
  shapes.push_back({"bite", ball({0.0, -1.0}, 0.2)});
  const DomainPointer whole = shape_domain(box, "part", shapes), cut = shape_domain(box, "part - bite - core", shapes);
  EXPECT_NEAR(cut->interior({})->measure(),
              whole->interior({})->measure() - M_PI * 0.04 / 2 - whole->inside_shape("core", {})->measure(), 1e-9);
  EXPECT_NEAR(cut->on_shape("bite", {})->measure(), M_PI * 0.2, 1e-9);
  EXPECT_NEAR(cut->on_shape("core", {})->measure(), whole->on_shape("core", {})->measure(), 1e-9);
}

TEST(MeshDomain, InteriorAndSurfaceInSpace) {
  const Box box{{"x", "y", "z"}, {0, 0, 0}, {1, 1, 1}, -1};
  const DomainPointer domain = shape_domain(box, "part", shapes_of("block-msh41-text.msh", box));
  const mesh::Body body = mesh::body_of(mesh::read_mesh(kMeshes + "block-msh41-text.msh"), 3);
  EXPECT_NEAR(domain->interior({})->measure(), mesh::enclosed_measure(body.points, body.whole, 3), 1e-12);
  EXPECT_NEAR(domain->on_shape("bottom", {})->measure(), 1, 1e-12);
  EXPECT_NEAR(domain->inside_shape("bar", {})->measure(), 0.09, 1e-12);
  EXPECT_NEAR(domain->boundary({})->measure(), 6 + domain->on_shape("cavity", {})->measure(), 1e-9);
  RandomStream stream(1, "points");
  const PointSet points = domain->interior({})->sample({.kind = PointRule::Kind::Sobol, .count = 4000}, stream);
  // True to volume: the share of the bar, within four standard deviations of random points (Sobol points do better).
  const std::vector<char> in_bar = domain->inside_shape("bar", {})->contains(points);
  const double share = 0.09 / domain->interior({})->measure(), count = 4000;
  EXPECT_NEAR(std::count(in_bar.begin(), in_bar.end(), 1), share * count, 4 * std::sqrt(share * count));
}

TEST(MeshDomain, SinglePrecisionReachesTheRangesEnds) {
  const Box box{{"x", "y", "z"}, {0, 0, 0}, {2, 1, 0.5}, -1};
  const DomainPointer domain = shape_domain(box, "part", shapes_of("bracket-binary.stl", box));
  EXPECT_NEAR(domain->boundary({})->measure(), domain->on_shape("part", {})->measure(), 1e-12);
}

}  // namespace
}  // namespace pecann::sampling
