// Importance sampling against closed forms: the mean of e^(−x/w) over [0, 1] is w (1 − e^(−1/w)).
#include "pecann/sampling/density_choice.h"

#include <cmath>
#include <functional>
#include <limits>
#include <numeric>

#include <gtest/gtest.h>

#include "pecann/sampling/unit_points.h"

namespace pecann::sampling {
namespace {

constexpr double kWidth = 0.01;
double peak(double x) { return std::exp(-x / kWidth); }
const double kMeanOfPeak = kWidth * (1 - std::exp(-1 / kWidth));

struct Drawn {
  std::vector<double> x, weights;
};

/// `even` independent points and `near` chosen by the density from a pool.
Drawn draw(std::uint64_t seed, std::size_t even, std::size_t near, std::size_t pool,
           const std::function<double(double)>& density) {
  RandomStream stream(seed, "points");
  Drawn drawn;
  drawn.x = unit_points(PointRule::Kind::Uniform, 1, even, stream)[0];
  const std::vector<double> candidates = unit_points(PointRule::Kind::Uniform, 1, pool, stream)[0];
  const auto at = [&](const std::vector<double>& points) {
    std::vector<double> values;
    for (const double x : points) values.push_back(density(x));
    return values;
  };
  const DensityChoice choice = choose_by_density(at(drawn.x), at(candidates), near, stream);
  for (const std::size_t i : choice.chosen) drawn.x.push_back(candidates[i]);
  drawn.weights = choice.weights;
  return drawn;
}

double weighted_mean(const Drawn& drawn, const std::function<double(double)>& f) {
  double sum = 0;
  for (std::size_t i = 0; i < drawn.x.size(); ++i) sum += drawn.weights[i] * f(drawn.x[i]);
  return sum / static_cast<double>(drawn.x.size());
}

struct MeanAndSpread {
  double mean, spread;
};
MeanAndSpread over_seeds(const std::function<double(std::uint64_t)>& value, int seeds) {
  double sum = 0, squares = 0;
  for (int seed = 0; seed < seeds; ++seed) {
    const double v = value(static_cast<std::uint64_t>(seed));
    sum += v;
    squares += v * v;
  }
  const double mean = sum / seeds;
  return {mean, std::sqrt(std::max(0.0, squares / seeds - mean * mean))};
}

TEST(DensityChoice, WeightedMeansAreMeansOverTheDomain) {
  const int seeds = 400;
  const std::function<double(double)> functions[] = {peak, [](double) { return 1.0; }, [](double x) { return x * x; }};
  const double exact[] = {kMeanOfPeak, 1.0, 1.0 / 3};
  for (int f = 0; f < 3; ++f) {
    const auto [mean, spread] = over_seeds(
        [&](std::uint64_t seed) { return weighted_mean(draw(seed, 50, 150, 4000, peak), functions[f]); }, seeds);
    EXPECT_NEAR(mean, exact[f], 4 * spread / std::sqrt(seeds)) << f;
  }
}

TEST(DensityChoice, WhereTheDensityFollowsTheFunctionTheSpreadIsSmall) {
  const auto by_density =
      over_seeds([](std::uint64_t seed) { return weighted_mean(draw(seed, 50, 150, 4000, peak), peak); }, 200);
  const auto evenly = over_seeds(
      [](std::uint64_t seed) { return weighted_mean(draw(seed, 50, 150, 4000, [](double) { return 1.0; }), peak); },
      200);
  EXPECT_LT(by_density.spread, 0.25 * evenly.spread);
}

TEST(DensityChoice, PointsLieWhereTheDensityIsLarge) {
  const Drawn drawn = draw(1, 10, 1000, 100000, peak);
  int close = 0;
  for (std::size_t i = 10; i < drawn.x.size(); ++i) close += drawn.x[i] < 3 * kWidth;
  EXPECT_NEAR(close / static_cast<double>(drawn.x.size() - 10), 1 - std::exp(-3), 0.03);
}

TEST(DensityChoice, WeightsAreTheMixturesAndBounded) {
  // a = 1/4, d̄ = 2: where d = 0 a point counts 1/a = 4, where d = 4 it counts 1/(1/4 + 3/4 · 2) = 4/7.
  const std::vector<double> even = {0, 4}, pool = {0, 4, 0, 4, 0, 4, 0, 4, 0, 4, 0, 4};
  RandomStream stream(1, "points");
  const DensityChoice choice = choose_by_density(even, pool, 6, stream);
  EXPECT_EQ(choice.chosen, (std::vector<std::size_t>{1, 3, 5, 7, 9, 11}));
  ASSERT_EQ(choice.weights.size(), 8u);
  EXPECT_NEAR(choice.weights[0], 4.0, 1e-14);
  for (std::size_t i = 1; i < 8; ++i) EXPECT_NEAR(choice.weights[i], 4.0 / 7, 1e-14);
}

TEST(DensityChoice, ACandidateDrawnOftenIsOnePointThatCountsAsOften) {
  const std::vector<double> even = {0}, pool = {0, 0, 1, 0};
  RandomStream stream(1, "points");
  const DensityChoice choice = choose_by_density(even, pool, 3, stream);
  EXPECT_EQ(choice.chosen, (std::vector<std::size_t>{2}));
  // a = 1/4, d̄ = 1/4: weights 4 and 3 · 1/(1/4 + 3), over 4 draws in 2 points.
  ASSERT_EQ(choice.weights.size(), 2u);
  EXPECT_NEAR(choice.weights[0], 4.0 * 2 / 4, 1e-14);
  EXPECT_NEAR(choice.weights[1], 3 / 3.25 * 2 / 4, 1e-14);
}

TEST(DensityChoice, ADensityWithoutPositiveValuesIsFlat) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const std::vector<double> even = {0, -1}, pool = {0, -3, nan, 0, 0, 0};
  RandomStream stream(1, "points");
  const DensityChoice choice = choose_by_density(even, pool, 6, stream);
  EXPECT_EQ(choice.chosen.size(), 6u);
  for (const double weight : choice.weights) EXPECT_EQ(weight, 1.0);
}

/// n independent points of [0, 3] with the quadrature weights 3/n.
PointSet on_a_line(std::size_t count, RandomStream& stream) {
  std::vector<double> x = unit_points(PointRule::Kind::Uniform, 1, count, stream)[0];
  for (double& value : x) value *= 3;
  PointSet points;
  points.count = count;
  points.coordinates.push_back(padded_column(x));
  points.set_column(kWeightColumn, std::vector<double>(count, 3.0 / static_cast<double>(count)));
  return points;
}

TEST(DensityChoice, ChosenPointsKeepTheirColumnsAndQuadratureWeightsStayThoseOfAnIntegral) {
  // ∫ x² over [0, 3] = 9, by 60 even points and 40 where x² is large.
  const auto integral = [](std::uint64_t seed) {
    RandomStream stream(seed, "points");
    const PointSet even = on_a_line(60, stream), pool = on_a_line(3000, stream);
    const auto squares = [](const PointSet& points) {
      std::vector<double> values;
      for (std::size_t i = 0; i < points.count; ++i)
        values.push_back(points.coordinates[0][i] * points.coordinates[0][i]);
      return values;
    };
    const DensityChoice choice = choose_by_density(squares(even), squares(pool), 40, stream);
    const PointSet points = with_chosen(even, pool, choice);
    EXPECT_EQ(points.count, 60 + choice.chosen.size());
    double sum = 0;
    for (std::size_t i = 0; i < points.count; ++i) {
      EXPECT_EQ(points.column(kImportanceColumn)[i], choice.weights[i]);
      sum += points.column(kWeightColumn)[i] * squares(points)[i];
    }
    EXPECT_EQ(points.column(kWeightColumn)[points.padded() - 1], points.column(kWeightColumn)[points.count - 1]);
    return sum;
  };
  const auto [mean, spread] = over_seeds(integral, 400);
  EXPECT_NEAR(mean, 9, 4 * spread / std::sqrt(400));
  EXPECT_LT(spread, 0.5);
}

}  // namespace
}  // namespace pecann::sampling
