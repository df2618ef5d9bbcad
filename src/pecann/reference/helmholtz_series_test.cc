#include "pecann/reference/helmholtz_series.h"

#include <cmath>
#include <numbers>

#include <gtest/gtest.h>

namespace pecann::reference {
namespace {

constexpr double kPi = std::numbers::pi;

double relative_l2(const std::vector<double>& a, const std::vector<double>& b) {
  double difference = 0, norm = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    difference += (a[i] - b[i]) * (a[i] - b[i]);
    norm += b[i] * b[i];
  }
  return std::sqrt(difference / norm);
}

HelmholtzSource level(int l) { return {std::exp2(l) * kPi / 1.6, 0.8 / std::exp2(l)}; }

TEST(HelmholtzSeriesTest, DifferencesConvergeWithSecondOrder) {
  // u = x(1−x) sin 2πy e^x: neither an eigenfunction nor symmetric.
  const double k = 3;
  const auto u = [](double x, double y) { return x * (1 - x) * std::exp(x) * std::sin(2 * kPi * y); };
  const auto s = [&](double x, double y) {
    const double uxx = (-3 * x - x * x) * std::exp(x) * std::sin(2 * kPi * y);  // (x − x²)eˣ twice differentiated
    return uxx + (k * k - 4 * kPi * kPi) * u(x, y);
  };
  std::vector<double> errors;
  for (const int n : {17, 33, 65}) {
    std::vector<double> source, exact;
    for (int j = 0; j < n; ++j)
      for (int i = 0; i < n; ++i) {
        source.push_back(s(i / (n - 1.0), j / (n - 1.0)));
        exact.push_back(u(i / (n - 1.0), j / (n - 1.0)));
      }
    errors.push_back(relative_l2(helmholtz_differences(k, source, n), exact));
  }
  EXPECT_NEAR(std::log2(errors[0] / errors[1]), 2, 0.05);
  EXPECT_NEAR(std::log2(errors[1] / errors[2]), 2, 0.05);
}

TEST(HelmholtzSeriesTest, ThePapersReferenceIsThisFarFromTheSeries) {
  for (const auto& [l, distance] : {std::pair(5, 7.05e-2), std::pair(4, 1.29e-2)}) {
    const HelmholtzSource source = level(l);
    const auto series = helmholtz_series(source, 361);
    const auto differences = helmholtz_differences(source.k, source_values(source, 361), 361);
    EXPECT_NEAR(relative_l2(differences, series), distance, 0.01 * distance) << "level " << l;
  }
}

TEST(HelmholtzSeriesTest, ResonantModesAreKnownAndTakenOut) {
  EXPECT_EQ(free_modes(level(5).k), (std::vector<std::pair<int, int>>{{12, 16}, {16, 12}}));
  EXPECT_EQ(free_modes(level(4).k), (std::vector<std::pair<int, int>>{{6, 8}, {8, 6}}));
  const int n = 41;
  std::vector<double> clean, polluted;
  for (int j = 0; j < n; ++j)
    for (int i = 0; i < n; ++i) {
      const double x = i / (n - 1.0), y = j / (n - 1.0);
      clean.push_back(std::sin(kPi * x) * std::sin(3 * kPi * y));
      polluted.push_back(clean.back() + 0.7 * std::sin(6 * kPi * x) * std::sin(8 * kPi * y));
    }
  const auto modes = free_modes(level(4).k);
  EXPECT_LT(relative_l2(without_modes(polluted, n, modes), clean), 1e-13);
}

Subject level_four(std::vector<int> grid) {
  const HelmholtzSource source = level(4);
  const sampling::Box square{{"x", "y"}, {0, 0}, {1, 1}};
  return {.file = "p.toml",
          .name = "helmholtz-source",
          .fields = {"u"},
          .constants = {{"k", source.k}, {"width", source.width}},
          .domain = square,
          .part = square,
          .grid = std::move(grid)};
}

TEST(HelmholtzSeriesTest, AsAReferenceItMeasuresInBothWays) {
  const auto reference = make_helmholtz_series(level_four({41, 41}));
  EXPECT_TRUE(reference->knows("u"));
  EXPECT_FALSE(reference->knows("energy")) << "a function of fields is no field";
  EXPECT_EQ(reference->points(), nullptr);
  const std::vector<double> series = reference->values("u");
  EXPECT_EQ(series, helmholtz_series(level(4), 41));
  const auto of_series = reference->measures(series);
  EXPECT_LT(of_series.at("projected"), 1e-13);
  EXPECT_GT(of_series.at("finite_differences"), 1e-3);
  const auto differences = helmholtz_differences(level(4).k, source_values(level(4), 41), 41);
  EXPECT_EQ(reference->measures(differences).at("finite_differences"), 0);
}

TEST(HelmholtzSeriesTest, ItSaysWhatItIsNotFor) {
  EXPECT_EQ(helmholtz_misfit(level_four({41, 41})), "");
  EXPECT_NE(helmholtz_misfit(level_four({41, 40})).find("[n, n]"), std::string::npos);
  Subject larger = level_four({41, 41});
  larger.domain.upper[1] = 2;
  EXPECT_NE(helmholtz_misfit(larger).find("unit square"), std::string::npos);
  Subject nameless = level_four({41, 41});
  nameless.constants.erase("width");
  EXPECT_EQ(helmholtz_misfit(nameless), "needs the constant 'width'");
}

}  // namespace
}  // namespace pecann::reference
