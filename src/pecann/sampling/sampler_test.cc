#include "pecann/sampling/sampler.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <set>

#include "pecann/base/input_error.h"
#include "pecann/sampling/test_regions.h"
#include "pecann/sampling/unit_points.h"

namespace pecann::sampling {
namespace {

using testing::HasSubstr;
using Kind = PointRule::Kind;

Box short_space_time() { return {{"x", "t"}, {-1, 0}, {1, 4}, 1}; }

PointSet draw(const Box& box, Named region, Kind kind, std::size_t count, std::uint64_t seed = 7) {
  RandomStream stream(seed, "points");
  PointRule rule;
  rule.kind = kind;
  rule.count = count;
  return sample(regions_in(box, {region}), rule, stream);
}

TEST(SobolTest, DirectionsAreThoseOfJoeAndKuo) {
  // First dimension: van der Corput; second: polynomial x + 1, m = 1, 3, 5, 15, 17, 51 (Joe and Kuo, table).
  // Third: x^2 + x + 1 with m = 1, 3, hence m_j = 2 m_{j-1} ⊕ 4 m_{j-2} ⊕ m_{j-2}.
  const auto first = sobol_directions(0), second = sobol_directions(1), third = sobol_directions(2);
  for (int j = 0; j < 64; ++j) EXPECT_EQ(first[j], std::uint64_t{1} << (63 - j));
  const std::uint64_t m2[] = {1, 3, 5, 15, 17, 51};
  for (int j = 0; j < 6; ++j) EXPECT_EQ(second[j], m2[j] << (63 - j));
  std::uint64_t m[6] = {1, 3};
  for (int j = 2; j < 6; ++j) m[j] = 2 * m[j - 1] ^ 4 * m[j - 2] ^ m[j - 2];
  for (int j = 0; j < 6; ++j) EXPECT_EQ(third[j], m[j] << (63 - j));
}

TEST(SobolTest, ScrambledPointsFillEveryDyadicIntervalEqually) {
  RandomStream stream(3, "net");
  const int log_count = 10;
  const auto points = unit_points(Kind::Sobol, 6, std::size_t{1} << log_count, stream);
  for (const auto& values : points) {
    for (int level = 1; level <= log_count; ++level) {
      std::vector<int> hits(std::size_t{1} << level, 0);
      for (const double value : values) ++hits[static_cast<std::size_t>(std::ldexp(value, level))];
      for (const int count : hits) ASSERT_EQ(count, 1 << (log_count - level));
    }
  }
}

TEST(SobolTest, FirstTwoDimensionsAreANetOfQualityZero) {
  // 2^8 points: every elementary box 2^-a × 2^-b with a + b = 8 has exactly one point, scrambled or not.
  RandomStream stream(4, "net");
  const auto points = unit_points(Kind::Sobol, 2, 256, stream);
  for (int a = 0; a <= 8; ++a) {
    std::set<std::pair<int, int>> boxes;
    for (std::size_t i = 0; i < 256; ++i) {
      boxes.emplace(static_cast<int>(std::ldexp(points[0][i], a)), static_cast<int>(std::ldexp(points[1][i], 8 - a)));
    }
    EXPECT_EQ(boxes.size(), 256u) << a;
  }
}

TEST(SobolTest, ScramblingMovesDigitsNotOnlyTheShift) {
  // With a shift alone, x_0 ⊕ x_1 would be the same for every stream (the first direction number).
  std::set<double> gaps;
  for (std::uint64_t seed = 0; seed < 8; ++seed) {
    RandomStream stream(seed, "net");
    const auto points = unit_points(Kind::Sobol, 1, 2, stream);
    gaps.insert(std::abs(points[0][1] - points[0][0]));
  }
  EXPECT_EQ(gaps.size(), 8u);
}

TEST(LatinTest, EveryCellOfEveryCoordinateHasOnePoint) {
  RandomStream stream(5, "latin");
  const auto points = unit_points(Kind::LatinHypercube, 3, 100, stream);
  for (const auto& values : points) {
    std::set<int> cells;
    for (const double value : values) cells.insert(static_cast<int>(value * 100));
    EXPECT_EQ(cells.size(), 100u);
  }
  EXPECT_NE(points[0], points[1]);
}

class RandomRuleTest : public testing::TestWithParam<Kind> {};

TEST_P(RandomRuleTest, CountsAndPlaces) {
  const PointSet interior = draw(short_space_time(), {"interior"}, GetParam(), 100);
  EXPECT_EQ(interior.count, 100u);
  for (std::size_t i = 0; i < 100; ++i) {
    EXPECT_LT(std::abs(interior.coordinates[0][i]), 1);
    EXPECT_GT(interior.coordinates[1][i], 0);
    EXPECT_LT(interior.coordinates[1][i], 4);
  }
  const PointSet sides = draw(short_space_time(), {"boundary"}, GetParam(), 50);
  EXPECT_EQ(sides.count, 100u);
  for (std::size_t i = 0; i < 100; ++i) EXPECT_EQ(sides.coordinates[0][i], i < 50 ? -1 : 1);
  const PointSet initial = draw(short_space_time(), {"initial"}, GetParam(), 9);
  const PointSet last = draw(short_space_time(), {"final"}, GetParam(), 9);
  EXPECT_EQ(initial.count, 9u);
  for (std::size_t i = 0; i < 16; ++i) {  // padding included
    EXPECT_EQ(initial.coordinates[1][i], 0);
    EXPECT_EQ(last.coordinates[1][i], 4);
  }
  const PointSet plane = draw(short_space_time(), plane_at(0, 0.25), GetParam(), 5);
  for (std::size_t i = 0; i < 5; ++i) EXPECT_EQ(plane.coordinates[0][i], 0.25);
}

TEST_P(RandomRuleTest, GradedPointsLieAtEveryDistanceFromTheEnds) {
  const Box box{.names = {"x"}, .lower = {1}, .upper = {3}};
  RandomStream stream(5, "graded");
  const PointSet points = sample({box_interior(box, {})}, {.kind = GetParam(), .count = 4000, .graded = 1e-4}, stream);
  int decades[4] = {}, right = 0;
  for (std::size_t i = 0; i < points.count; ++i) {
    const double x = points.coordinates[0][i], distance = std::min(x - 1, 3 - x);
    ASSERT_GE(distance, 1e-4 * (1 - 1e-9));
    ASSERT_LE(distance, 1);
    ++decades[std::clamp(static_cast<int>(-std::log10(distance)), 0, 3)];
    right += x > 2;
  }
  for (const int count : decades) EXPECT_NEAR(count, 1000, 120);
  EXPECT_NEAR(right, 2000, 160);
  EXPECT_THROW(
      sample({box_interior(box, {})}, {.kind = GetParam(), .count = 9, .graded = 0.1}, stream, {.weights = true}),
      InputError);
}

TEST_P(RandomRuleTest, CountIsKnownBeforeSampling) {
  const std::vector<Named> regions = {{"interior"}, {"boundary"}, plane_at(1, 2)};
  RandomStream stream(1, "points");
  PointRule rule;
  rule.kind = GetParam();
  rule.count = 10;
  for (const Box& box : {short_space_time(), Box{{"x", "y", "t"}, {0, 0, 0}, {1, 1, 2}, 2}}) {
    EXPECT_EQ(count_points(regions_in(box, regions), rule),
              static_cast<double>(sample(regions_in(box, regions), rule, stream).count));
  }
  EXPECT_EQ(count_points(regions_in({{"x"}, {0}, {1}, -1}, {Named{"boundary"}}), rule), 2);
}

TEST_P(RandomRuleTest, OneCoordinateHasOnePointPerFace) {
  const Box line{{"x"}, {0}, {1}, -1};
  const PointSet ends = draw(line, {"boundary"}, GetParam(), 500);
  EXPECT_EQ(ends.count, 2u);
  EXPECT_EQ(ends.coordinates[0][0], 0);
  EXPECT_EQ(ends.coordinates[0][1], 1);
}

TEST_P(RandomRuleTest, SameStreamSamePointsAndOtherStreamsDiffer) {
  const auto values = [&](std::uint64_t seed) {
    return draw(short_space_time(), {"interior"}, GetParam(), 64, seed).coordinates;
  };
  EXPECT_EQ(values(1), values(1));
  EXPECT_NE(values(1), values(2));
  // A redraw goes on in the same stream and gives new points.
  RandomStream stream(1, "points");
  PointRule rule;
  rule.kind = GetParam();
  rule.count = 64;
  const PointSet once = sample(regions_in(short_space_time(), {Named{}}), rule, stream),
                 again = sample(regions_in(short_space_time(), {Named{}}), rule, stream);
  EXPECT_EQ(once.coordinates, values(1));
  EXPECT_NE(once.coordinates, again.coordinates);
}

TEST_P(RandomRuleTest, MeanIsThatOfTheBox) {
  const PointSet points = draw(short_space_time(), Named{}, GetParam(), 4096);
  double mean = 0;
  for (std::size_t i = 0; i < points.count; ++i) mean += points.coordinates[1][i] / 4096;
  EXPECT_NEAR(mean, 2, 0.1);  // standard error of plain random points: 0.018
}

TEST_P(RandomRuleTest, RefusesAbsurdCountsAndEmptySets) {
  try {
    draw(short_space_time(), Named{}, GetParam(), 1000000000000000);
    FAIL();
  } catch (const InputError& error) {
    EXPECT_THAT(error.what(), HasSubstr("bytes"));
  }
  EXPECT_THROW(draw(short_space_time(), Named{}, GetParam(), 0), InputError);
  const Box clock{{"t"}, {0}, {1}, 0};
  EXPECT_THROW(draw(clock, {"boundary"}, GetParam(), 5), InputError);
}

INSTANTIATE_TEST_SUITE_P(Rules, RandomRuleTest, testing::Values(Kind::Sobol, Kind::Uniform, Kind::LatinHypercube));

}  // namespace
}  // namespace pecann::sampling
