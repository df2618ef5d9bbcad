#include "pecann/page/thinning.h"

#include <algorithm>
#include <cmath>

#include "pecann/base/require.h"
#include "pecann/results/statistics.h"

namespace pecann::page {

std::vector<std::size_t> thinned_rows(std::span<const double> x, std::span<const double> y, std::size_t limit) {
  require(x.size() == y.size() && limit >= 8, "one x for each y, and room for some points");
  std::vector<std::size_t> present;
  for (std::size_t i = 0; i < y.size(); ++i)
    if (!std::isnan(y[i])) present.push_back(i);
  if (present.size() <= limit) return present;

  // Half of the bucket borders are equidistant, half of them are in equal ratios; a bucket keeps two samples.
  const double half = static_cast<double>(limit) / 4 - 1;
  const double first = x[present.front()], last = x[present.back()];
  const double width = (last - first) / half;
  const double ratio = first > 0 ? std::log(last / first) / half : 0;
  const auto linear_bucket = [&](double at) { return std::floor((at - first) / width); };
  const auto ratio_bucket = [&](double at) { return ratio > 0 ? std::floor(std::log(at / first) / ratio) : 0.0; };

  std::vector<std::size_t> kept;
  const auto keep = [&](std::size_t i) {
    if (kept.empty() || kept.back() != i) kept.push_back(i);
  };
  for (std::size_t begin = 0; begin < present.size();) {
    const double linear = linear_bucket(x[present[begin]]), by_ratio = ratio_bucket(x[present[begin]]);
    std::size_t low = present[begin], high = low, end = begin + 1;  // x of a damaged file may be no numbers
    for (; end < present.size(); ++end) {
      const std::size_t i = present[end];
      if (linear_bucket(x[i]) != linear || ratio_bucket(x[i]) != by_ratio) break;
      if (y[i] < y[low]) low = i;
      if (y[i] > y[high]) high = i;
    }
    if (begin == 0) keep(present.front());
    keep(std::min(low, high));
    keep(std::max(low, high));
    begin = end;
  }
  keep(present.back());
  return kept;
}

Series thinned(std::span<const double> x, std::span<const double> y, std::size_t limit) {
  Series series;
  for (const std::size_t i : thinned_rows(x, y, limit)) {
    series.x.push_back(x[i]);
    series.y.push_back(y[i]);
  }
  return series;
}

Band band_over_trials(std::span<const Series> trials, std::size_t limit) {
  Band all;
  std::vector<std::size_t> at(trials.size(), 0);
  std::vector<double> values(trials.size());
  if (trials.empty()) return all;
  for (std::size_t i = 0; i < trials[0].x.size(); ++i) {
    const double x = trials[0].x[i];
    bool common = true;
    for (std::size_t t = 0; t < trials.size(); ++t) {
      while (at[t] < trials[t].x.size() && trials[t].x[at[t]] < x) ++at[t];
      common = common && at[t] < trials[t].x.size() && trials[t].x[at[t]] == x;
      if (common) values[t] = trials[t].y[at[t]];
    }
    if (!common) continue;
    const results::Spread spread = results::spread_of(values);
    if (!std::isfinite(spread.mean)) continue;
    const double deviation = std::isnan(spread.std) ? 0 : spread.std;
    const bool no_place = spread.mean <= deviation && spread.best > 0;
    all.x.push_back(x);
    all.mean.push_back(spread.mean);
    all.low.push_back(no_place ? spread.best : spread.mean - deviation);
    all.high.push_back(spread.mean + deviation);
  }
  Band band;
  for (const std::size_t i : thinned_rows(all.x, all.mean, limit)) {
    band.x.push_back(all.x[i]);
    band.mean.push_back(all.mean[i]);
    band.low.push_back(all.low[i]);
    band.high.push_back(all.high[i]);
  }
  return band;
}

}  // namespace pecann::page
