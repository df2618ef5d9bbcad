#include "pecann/sampling/mesh_patches.h"

#include <algorithm>
#include <cmath>
#include <unordered_map>

#include "pecann/sampling/patches.h"

namespace pecann::sampling {
namespace {

using mesh::Facet;
using mesh::Facets;
using mesh::Point3;

/// Triangles, chosen by area; within one as Turk, Graphics Gems, 1990.
class TrianglesPatch final : public Patch {
 public:
  TrianglesPatch(std::vector<std::array<Point3, 3>> corners, std::vector<double> ends)
      : Patch(2, ends.back()), corners_(std::move(corners)), ends_(std::move(ends)) {}

  void place(const Columns& unit, std::size_t count, Columns& space) const override {
    space.assign(3, std::vector<double>(count));
    for (std::size_t i = 0; i < count; ++i) {
      const double along = unit[0][i] * measure();
      const auto at = static_cast<std::size_t>(std::upper_bound(ends_.begin(), ends_.end() - 1, along) - ends_.begin());
      const double begin = at == 0 ? 0 : ends_[at - 1];
      const double rest = std::clamp((along - begin) / (ends_[at] - begin), 0.0, 1.0);
      const double root = std::sqrt(rest), share[3] = {1 - root, root * (1 - unit[1][i]), root * unit[1][i]};
      for (std::size_t c = 0; c < 3; ++c)
        for (std::size_t k = 0; k < 3; ++k) space[c][i] += share[k] * corners_[at][k][c];
    }
  }
  bool is_continuous() const override { return false; }

 private:
  std::vector<std::array<Point3, 3>> corners_;
  std::vector<double> ends_;  // cumulative areas
};

double triangle_area(const Point3& a, const Point3& b, const Point3& c) {
  double square = 0;
  for (std::size_t k = 0; k < 3; ++k) {
    const std::size_t i = (k + 1) % 3, j = (k + 2) % 3;
    const double part = (b[i] - a[i]) * (c[j] - a[j]) - (b[j] - a[j]) * (c[i] - a[i]);
    square += part * part;
  }
  return 0.5 * std::sqrt(square);
}

/// Segments one after the other, from their beginnings or, where all have a predecessor, round a loop.
std::vector<PatchPointer> chains(const std::vector<Point3>& points, const Facets& facets) {
  std::unordered_multimap<std::uint32_t, std::size_t> from;
  std::unordered_map<std::uint32_t, int> arriving;
  for (std::size_t f = 0; f < facets.size(); ++f) {
    from.emplace(facets[f][0], f);
    ++arriving[facets[f][1]];
  }
  std::vector<char> used(facets.size(), 0);
  std::vector<PatchPointer> patches;
  const auto follow = [&](std::size_t first) {
    std::vector<std::array<double, 2>> corners = {{points[facets[first][0]][0], points[facets[first][0]][1]}};
    for (std::size_t at = first; at < facets.size();) {
      used[at] = 1;
      const std::uint32_t node = facets[at][1];
      corners.push_back({points[node][0], points[node][1]});
      const auto [begin, end] = from.equal_range(node);
      at = facets.size();
      for (auto next = begin; next != end; ++next)
        if (used[next->second] == 0) at = std::min(at, next->second);
    }
    patches.push_back(polyline_patch(corners));
  };
  for (std::size_t f = 0; f < facets.size(); ++f)
    if (used[f] == 0 && arriving.find(facets[f][0]) == arriving.end()) follow(f);
  for (std::size_t f = 0; f < facets.size(); ++f)
    if (used[f] == 0) follow(f);
  return patches;
}

}  // namespace

std::vector<PatchPointer> facet_patches(const std::vector<Point3>& points, const Facets& facets, int dimension) {
  if (dimension == 2) return chains(points, facets);
  std::vector<std::array<Point3, 3>> corners;
  std::vector<double> ends;
  double total = 0;
  for (const Facet& facet : facets) {
    const Point3 &a = points[facet[0]], &b = points[facet[1]], &c = points[facet[2]];
    const double before = total;
    total += triangle_area(a, b, c);
    if (!(total > before)) continue;
    corners.push_back({a, b, c});
    ends.push_back(total);
  }
  if (corners.empty()) return {};
  return {std::make_shared<TrianglesPatch>(std::move(corners), std::move(ends))};
}

Facets in_order(const mesh::FacetTree& tree, const Facets& facets) {
  Facets ordered;
  for (const std::uint32_t facet : tree.order()) ordered.push_back(facets[facet]);
  return ordered;
}

}  // namespace pecann::sampling
