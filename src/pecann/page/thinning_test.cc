#include "pecann/page/thinning.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>

namespace pecann::page {
namespace {

using testing::DoubleEq;
using testing::ElementsAre;

std::vector<double> counted(std::size_t n) {
  std::vector<double> x(n);
  for (std::size_t i = 0; i < n; ++i) x[i] = static_cast<double>(i + 1);
  return x;
}

TEST(ThinningTest, KeepsEverySpikeAndBothEnds) {
  const std::vector<double> x = counted(100000);
  std::vector<double> y(x.size());
  for (std::size_t i = 0; i < y.size(); ++i) y[i] = 1 / x[i];
  for (const std::size_t spike : {77u, 5000u, 5003u, 98765u}) y[spike] = 100 + static_cast<double>(spike);
  y[60000] = 1e-9;
  const Series series = thinned(x, y, 2000);
  EXPECT_LE(series.x.size(), 2000u);
  EXPECT_GE(series.x.size(), 500u);
  for (const double spike : {177.0, 5103.0, 98865.0, 1e-9})
    EXPECT_THAT(series.y, testing::Contains(spike)) << "5000 and 5003 share a bucket: its maximum stays";
  EXPECT_EQ(series.x.front(), 1);
  EXPECT_EQ(series.x.back(), 100000);
  EXPECT_TRUE(std::is_sorted(series.x.begin(), series.x.end()));
  for (std::size_t i = 0; i < series.x.size(); ++i)
    EXPECT_EQ(series.y[i], y[static_cast<std::size_t>(series.x[i]) - 1]) << "values at their own x";
}

TEST(ThinningTest, EpochsOfADamagedFileEnd) {
  const std::vector<double> y = counted(100);
  EXPECT_EQ(thinned(std::vector<double>(100, 3.0), y, 20).y.back(), 100);
  EXPECT_EQ(thinned(std::vector<double>(100, std::nan("")), y, 20).y.back(), 100);
}

TEST(ThinningTest, FirstEpochsStayDenseForLogarithmicAxes) {
  const std::vector<double> x = counted(100000);
  const Series series = thinned(x, x, 2000);
  EXPECT_GE(std::count_if(series.x.begin(), series.x.end(), [](double at) { return at <= 100; }), 50);
}

TEST(ThinningTest, LeavesShortSeriesAloneButForEmptyCells) {
  const std::vector<double> x = {1, 2, 3, 4}, y = {5, std::nan(""), 7, 8};
  EXPECT_THAT(thinned(x, y, 100).x, ElementsAre(1, 3, 4));
}

TEST(ThinningTest, BandIsMeanAndDeviationAtCommonEpochs) {
  const std::vector<Series> trials = {{{1, 2, 4}, {1, 10, 5}}, {{1, 3, 4, 5}, {3, 9, 7, 0}}};
  const Band band = band_over_trials(trials, 100);
  EXPECT_THAT(band.x, ElementsAre(1, 4));
  EXPECT_THAT(band.mean, ElementsAre(2, 6));
  EXPECT_THAT(band.high, ElementsAre(DoubleEq(2 + std::sqrt(2)), DoubleEq(6 + std::sqrt(2))));
  EXPECT_THAT(band.low, ElementsAre(DoubleEq(2 - std::sqrt(2)), DoubleEq(6 - std::sqrt(2))));
}

TEST(ThinningTest, LowerEdgeStaysPositiveForPositiveValues) {
  const std::vector<Series> trials = {{{1}, {1e-3}}, {{1}, {1}}, {{1}, {1e-3}}};
  EXPECT_THAT(band_over_trials(trials, 100).low, ElementsAre(1e-3));
}

}  // namespace
}  // namespace pecann::page
