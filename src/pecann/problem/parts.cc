#include "pecann/problem/parts.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "pecann/base/require.h"

namespace pecann::problem {

std::vector<double> equal_planes(double lower, double upper, int parts) {
  std::vector<double> planes;
  for (int i = 1; i < parts; ++i) planes.push_back(lower + (upper - lower) * i / parts);
  return planes;
}

Parts::Parts(const sampling::Box& box, Planes planes) : box_(box), planes_(std::move(planes)) {
  require(planes_.empty() || planes_.size() == box.names.size(), "planes for every coordinate");
  planes_.resize(box.names.size());
  for (const std::vector<double>& along : planes_) count_ *= static_cast<int>(along.size()) + 1;
}

int Parts::widest_front() const {
  std::size_t most = 1;
  for (const std::vector<double>& planes : planes_) most = std::max(most, planes.size() + 1);
  return std::min(count_, count_ / static_cast<int>(most) + 1);
}

sampling::Box Parts::box(int part) const {
  sampling::Box own = box_;
  for (std::size_t c = planes_.size(); c-- > 0;) {
    const int along = static_cast<int>(planes_[c].size()) + 1, index = part % along;
    part /= along;
    if (index > 0) own.lower[c] = planes_[c][index - 1];
    if (index + 1 < along) own.upper[c] = planes_[c][index];
  }
  return own;
}

double Parts::spread(int coordinate, double place) const {
  const auto c = static_cast<std::size_t>(coordinate);
  const std::vector<double>& planes = planes_[c];
  const double lower = box_.lower[c], upper = box_.upper[c], layers = static_cast<double>(planes.size() + 1);
  if (planes.empty() || place <= lower || place >= upper) return place;
  const double scaled = layers * (place - lower) / (upper - lower);
  const auto layer = static_cast<std::size_t>(std::min(std::floor(scaled), layers - 1));
  const double from = layer == 0 ? lower : planes[layer - 1], to = layer == planes.size() ? upper : planes[layer];
  return from + (to - from) * (scaled - static_cast<double>(layer));
}

std::vector<int> Parts::of(std::span<const double* const> columns, std::size_t points) const {
  std::vector<int> parts(points, 0);
  for (std::size_t c = 0; c < planes_.size(); ++c) {
    if (planes_[c].empty()) continue;
    const int along = static_cast<int>(planes_[c].size()) + 1;
    for (std::size_t i = 0; i < points; ++i) {
      const auto below = std::ranges::lower_bound(planes_[c], columns[c][i]) - planes_[c].begin();
      parts[i] = parts[i] * along + static_cast<int>(below);
    }
  }
  return parts;
}

std::vector<std::size_t> Parts::order(std::span<const double* const> columns, std::size_t points) const {
  const std::vector<int> parts = of(columns, points);
  std::vector<std::size_t> order(points);
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, {}, [&](std::size_t i) { return parts[i]; });
  return order;
}

}  // namespace pecann::problem
