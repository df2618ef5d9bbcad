#include "pecann/sampling/patches.h"

#include <algorithm>
#include <cmath>

#include "pecann/base/require.h"

namespace pecann::sampling {
namespace {

double length_of(const SpacePoint& vector) {
  double square = 0;
  for (const double component : vector) square += component * component;
  return std::sqrt(square);
}

double product_of_lengths(const std::vector<SpacePoint>& edges) {
  double product = 1;
  for (const SpacePoint& edge : edges) product *= length_of(edge);
  return product;
}

class FlatPatch final : public Patch {
 public:
  FlatPatch(SpacePoint origin, std::vector<SpacePoint> edges)
      : Patch(static_cast<int>(edges.size()), product_of_lengths(edges)),
        origin_(std::move(origin)),
        edges_(std::move(edges)) {}

  void place(const Columns& unit, std::size_t count, Columns& space) const override {
    space.resize(origin_.size());
    for (std::size_t c = 0; c < origin_.size(); ++c) {
      space[c].assign(count, origin_[c]);
      for (std::size_t k = 0; k < edges_.size(); ++k) {
        if (edges_[k][c] == 0) continue;
        for (std::size_t i = 0; i < count; ++i) space[c][i] += edges_[k][c] * unit[k][i];
      }
    }
  }

 private:
  SpacePoint origin_;
  std::vector<SpacePoint> edges_;
};

using PlanePoint = std::array<double, 2>;

class PolylinePatch final : public Patch {
 public:
  PolylinePatch(std::vector<PlanePoint> corners, std::vector<double> lengths)
      : Patch(1, lengths.back()), corners_(std::move(corners)), lengths_(std::move(lengths)) {}

  void place(const Columns& unit, std::size_t count, Columns& space) const override {
    space.resize(2);
    space[0].resize(count);
    space[1].resize(count);
    for (std::size_t i = 0; i < count; ++i) {
      const double along = unit[0][i] * measure();
      const auto next = std::upper_bound(lengths_.begin() + 1, lengths_.end() - 1, along);
      const auto piece = static_cast<std::size_t>(next - lengths_.begin());
      const double share = (along - lengths_[piece - 1]) / (lengths_[piece] - lengths_[piece - 1]);
      for (std::size_t c = 0; c < 2; ++c)
        space[c][i] = corners_[piece - 1][c] + share * (corners_[piece][c] - corners_[piece - 1][c]);
    }
  }

  std::vector<double> corners() const override {
    std::vector<double> places;
    for (const double length : lengths_) places.push_back(length / measure());
    return places;
  }

 private:
  std::vector<PlanePoint> corners_;
  std::vector<double> lengths_;  // from the beginning to each corner
};

}  // namespace

PatchPointer point_patch(const SpacePoint& point) {
  return std::make_shared<FlatPatch>(point, std::vector<SpacePoint>{});
}

PatchPointer flat_patch(const SpacePoint& origin, const std::vector<SpacePoint>& edges) {
  return std::make_shared<FlatPatch>(origin, edges);
}

PatchPointer box_patch(const Bounds& bounds) {
  std::vector<SpacePoint> edges;
  for (std::size_t c = 0; c < bounds.lower.size(); ++c) {
    edges.emplace_back(bounds.lower.size(), 0.0);
    edges.back()[c] = bounds.upper[c] - bounds.lower[c];
  }
  return flat_patch(bounds.lower, edges);
}

PatchPointer polyline_patch(const std::vector<PlanePoint>& corners) {
  std::vector<double> lengths = {0};
  for (std::size_t i = 1; i < corners.size(); ++i)
    lengths.push_back(lengths.back() +
                      std::hypot(corners[i][0] - corners[i - 1][0], corners[i][1] - corners[i - 1][1]));
  return std::make_shared<PolylinePatch>(corners, std::move(lengths));
}

std::vector<SpacePoint> basis_of_plane(const SpacePoint& normal) {
  std::vector<SpacePoint> all = {normal};
  // The axes along which the normal is shortest come first: their rests are the longest.
  std::vector<std::size_t> axes(normal.size());
  for (std::size_t c = 0; c < axes.size(); ++c) axes[c] = c;
  std::stable_sort(axes.begin(), axes.end(),
                   [&](std::size_t a, std::size_t b) { return std::abs(normal[a]) < std::abs(normal[b]); });
  for (std::size_t k = 0; k + 1 < axes.size(); ++k) {
    SpacePoint next(normal.size(), 0.0);
    next[axes[k]] = 1;
    for (int twice = 0; twice < 2; ++twice)  // Gram–Schmidt; the second time takes away what rounding left
      for (const SpacePoint& other : all) {
        double along = 0;
        for (std::size_t c = 0; c < next.size(); ++c) along += next[c] * other[c];
        for (std::size_t c = 0; c < next.size(); ++c) next[c] -= along * other[c];
      }
    const double length = length_of(next);
    require(length > 1e-8, "axes that differ from the normal span its plane");
    for (double& component : next) component /= length;
    all.push_back(std::move(next));
  }
  all.erase(all.begin());
  return all;
}

}  // namespace pecann::sampling
