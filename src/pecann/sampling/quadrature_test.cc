#include "pecann/sampling/quadrature.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include <gtest/gtest.h>

#include "pecann/base/input_error.h"
#include "pecann/sampling/box_region.h"
#include "pecann/sampling/sampler.h"

namespace pecann::sampling {
namespace {

TEST(Quadrature, GaussIsExactForPolynomials) {
  for (const int count : {1, 2, 3, 7, 20, 101}) {
    const LineRule rule = gauss_rule(-1, 3, count);
    ASSERT_EQ(rule.nodes.size(), static_cast<std::size_t>(count));
    EXPECT_TRUE(std::is_sorted(rule.nodes.begin(), rule.nodes.end()));
    for (int power = 0; power < std::min(2 * count, 12); ++power) {
      double sum = 0;
      for (std::size_t i = 0; i < rule.nodes.size(); ++i) sum += rule.weights[i] * std::pow(rule.nodes[i], power);
      const double exact = (std::pow(3, power + 1) - std::pow(-1, power + 1)) / (power + 1);
      EXPECT_NEAR(sum, exact, 1e-12 * std::abs(exact) + 1e-12) << count << " nodes, power " << power;
    }
  }
}

TEST(Quadrature, GridsAreExactForCubicsWithAndWithoutTheirEnds) {
  for (const std::size_t nodes : {4u, 5u, 9u, 40u})
    for (const bool first : {false, true})
      for (const bool last : {false, true}) {
        const double length = 2, spacing = length / static_cast<double>(nodes - 1 + (first ? 0 : 1) + (last ? 0 : 1));
        const std::vector<double> weights = grid_weights(spacing, nodes, first, last);
        for (int power = 0; power < 4; ++power) {
          double sum = 0;
          for (std::size_t j = 0; j < nodes; ++j)
            sum += weights[j] * std::pow(spacing * static_cast<double>(j + (first ? 0 : 1)), power);
          EXPECT_NEAR(sum, std::pow(length, power + 1) / (power + 1), 1e-12)
              << nodes << " nodes, ends " << first << last << ", power " << power;
        }
      }
}

TEST(Quadrature, GridsConvergeWithTheFifthPower) {
  const auto error = [](std::size_t nodes, bool ends) {
    const double spacing = 1.0 / static_cast<double>(ends ? nodes - 1 : nodes + 1);
    const std::vector<double> weights = grid_weights(spacing, nodes, ends, ends);
    double sum = 0;
    for (std::size_t j = 0; j < nodes; ++j)
      sum += weights[j] * std::exp(spacing * static_cast<double>(j + (ends ? 0 : 1)));
    return std::abs(sum - (std::numbers::e - 1));
  };
  for (const bool ends : {false, true}) EXPECT_LT(error(80, ends), error(40, ends) / 25) << ends;
}

/// Σ weight f over the points of a region.
double integral_over(const RegionPointer& region, const PointRule& rule, bool slices = false) {
  RandomStream stream(1, "test");
  const PointSet points = sample({region}, rule, stream, {.weights = true, .slices = slices});
  double sum = 0;
  for (std::size_t i = 0; i < points.count; ++i)
    sum += points.column(kWeightColumn)[i] * std::sin(points.coordinates[0][i]) * std::exp(points.coordinates[1][i]);
  return sum;
}

TEST(Quadrature, RegionsOfBoxes) {
  const Box box{{"x", "y"}, {0, -1}, {2, 1}};
  const double in_x = 1 - std::cos(2), in_y = std::exp(1) - std::exp(-1);
  const PointRule gauss{.kind = PointRule::Kind::Gauss, .grid = {12, 14}}, grid{.grid = {81, 91}};
  EXPECT_NEAR(integral_over(box_interior(box, {}), gauss), in_x * in_y, 1e-13);
  EXPECT_NEAR(integral_over(box_interior(box, {}), grid), in_x * in_y, 1e-7);
  EXPECT_NEAR(integral_over(box_plane(box, 0, 2, {}), gauss), std::sin(2) * in_y, 1e-13);
  EXPECT_NEAR(integral_over(box_plane(box, 0, 2, {.closed = true}), grid), std::sin(2) * in_y, 1e-7);
  EXPECT_NEAR(integral_over(box_boundary(box, {}), gauss), std::sin(2) * in_y + in_x * (std::exp(1) + std::exp(-1)),
              1e-13);
  EXPECT_THROW(integral_over(box_boundary(box, {}), grid), InputError);
}

TEST(Quadrature, SlicesLeaveTimeOut) {
  const Box box{{"x", "t"}, {0, 0}, {1, 5}, 1};
  RandomStream stream(1, "test");
  const PointSet points = sample({box_interior(box, {})}, {.kind = PointRule::Kind::Gauss, .grid = {9, 4}}, stream,
                                 {.weights = true, .slices = true});
  ASSERT_EQ(points.count, 36u);
  double sum = 0;
  for (std::size_t i = 0; i < points.count; ++i) sum += points.column(kWeightColumn)[i];
  EXPECT_NEAR(sum, 4 * 1.0, 1e-14);  // the length of space at each of four times
  EXPECT_THROW(sample({box_interior(box, {})}, {.kind = PointRule::Kind::Sobol, .count = 9}, stream,
                      {.weights = true, .slices = true}),
               InputError);
}

}  // namespace
}  // namespace pecann::sampling
