#include "pecann/page/domain_surface.h"

#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <numbers>

#include "pecann/problem/problem_file.h"
#include "pecann/sampling/box_domain.h"

namespace pecann::page {
namespace {

using Place = std::array<double, 3>;

double area_of(const Place& a, const Place& b, const Place& c) {
  Place u, v;
  for (int i = 0; i < 3; ++i) u[i] = b[i] - a[i], v[i] = c[i] - a[i];
  return 0.5 * std::hypot(u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]);
}

double area_of(const DomainSurface& surface) {
  double area = 0;
  for (const auto& facet : surface.facets) {
    const Place &a = surface.vertices[facet[0]], &b = surface.vertices[facet[1]], &c = surface.vertices[facet[2]],
                &d = surface.vertices[facet[3]];
    area += area_of(a, b, c) + area_of(a, c, d);
  }
  return area;
}

/// How many facets every edge has; two everywhere means that the surface is closed.
bool is_closed(const DomainSurface& surface) {
  std::map<std::pair<std::uint32_t, std::uint32_t>, int> count;
  for (const auto& facet : surface.facets)
    for (int n = 0; n < 4; ++n) ++count[std::minmax(facet[n], facet[(n + 1) % 4])];
  return std::ranges::all_of(count, [](const auto& edge) { return edge.second % 2 == 0; });
}

problem::Problem with_domain(const std::string& domain) {
  return problem::read_problem(
      "coordinates = { x = [-1, 1], y = [-1, 1], z = [0, 3], t = [0, 1] }\ndomain = " + domain + R"toml(
shapes = { ball = { ball = { centre = [0, 0, 1.5], radius = 0.75 } } }
network = [{ fields = ["u"], hidden = [3] }]
[[term]]
name = "pde"
role = "objective"
region = "interior"
equation = "u = 1"
points = { sobol = 5 }
)toml",
      "body.toml");
}

TEST(DomainSurfaceTest, ABoxHasItsSidesToTheLastBit) {
  const sampling::Box box{.names = {"x", "y", "z"}, .lower = {-1, 0, 2}, .upper = {1, 3, 2.5}};
  const DomainSurface surface = domain_surface(*sampling::box_domain(box), 12);
  EXPECT_NEAR(area_of(surface), 2 * (2 * 3 + 2 * 0.5 + 3 * 0.5), 1e-12);
  EXPECT_TRUE(is_closed(surface));
  for (const Place& vertex : surface.vertices) {
    bool on_side = false;
    for (int c = 0; c < 3; ++c) on_side = on_side || vertex[c] == box.lower[c] || vertex[c] == box.upper[c];
    EXPECT_TRUE(on_side);
  }
}

TEST(DomainSurfaceTest, ABallHasItsAreaAndIsRound) {
  const DomainSurface surface = domain_surface(*with_domain("\"ball\"").domain, 60);
  EXPECT_NEAR(area_of(surface), 4 * std::numbers::pi * 0.75 * 0.75, 0.01 * 4 * std::numbers::pi * 0.75 * 0.75);
  EXPECT_TRUE(is_closed(surface));
  for (const Place& vertex : surface.vertices)
    EXPECT_NEAR(std::hypot(vertex[0], vertex[1], vertex[2] - 1.5), 0.75, 3e-3);  // of cells of 0.05: h²/8R
}

TEST(DomainSurfaceTest, AHoleIsASurfaceOfItsOwnInside) {
  const DomainSurface surface = domain_surface(*with_domain("\"box - ball\"").domain, 60);
  const double ball = 4 * std::numbers::pi * 0.75 * 0.75, box = 2 * (2 * 2 + 2 * 3 + 2 * 3);
  EXPECT_NEAR(area_of(surface), box + ball, 0.01 * ball);
  EXPECT_TRUE(is_closed(surface));
}

TEST(DomainSurfaceTest, OnlyThreeCoordinatesInSpaceMakeABody) {
  EXPECT_EQ(three_in_space(with_domain("\"ball\"").box), (std::vector<int>{0, 1, 2}));
  EXPECT_TRUE(three_in_space({.names = {"x", "y", "t"}, .lower = {0, 0, 0}, .upper = {1, 1, 1}, .time = 2}).empty());
}

}  // namespace
}  // namespace pecann::page
