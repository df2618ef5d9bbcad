#include "pecann/sampling/sampler.h"

#include <algorithm>
#include <functional>
#include <unordered_set>

namespace pecann::sampling {
namespace {

/// The points that have no equal before them; 0 and −0 are equal.
std::vector<std::size_t> first_occurrences(const PointSet& points) {
  const auto hash = [&](std::size_t i) {
    std::size_t value = 0;
    for (const auto& column : points.coordinates)
      value = value * 0x9E3779B97F4A7C15u + std::hash<double>{}(column[i] == 0 ? 0.0 : column[i]);
    return value;
  };
  const auto equal = [&](std::size_t i, std::size_t j) {
    return std::all_of(points.coordinates.begin(), points.coordinates.end(),
                       [&](const auto& column) { return column[i] == column[j]; });
  };
  std::unordered_set<std::size_t, decltype(hash), decltype(equal)> taken(points.count, hash, equal);
  std::vector<std::size_t> first;
  for (std::size_t i = 0; i < points.count; ++i)
    if (taken.insert(i).second) first.push_back(i);
  return first;
}

}  // namespace

double count_points(const Regions& regions, const PointRule& rule) {
  double total = 0;
  for (const RegionPointer& region : regions) total += region->count(rule);
  if (!regions.empty()) require_reasonable(total, regions[0]->box().dimension());
  if (total == 0)
    refuse_points("", "no point lies in the region", "a grid needs three nodes in a coordinate to have one inside");
  return total;
}

PointSet sample(const Regions& regions, const PointRule& rule, RandomStream& stream, const WantedColumns& wanted) {
  count_points(regions, rule);  // refuses what sample() must refuse
  if (regions.size() == 1) return regions[0]->sample(rule, stream, wanted);
  if (wanted.weights && rule.kind == PointRule::Kind::Grid)
    refuse_points("grid", "a grid has no quadrature weights where several regions may share its nodes",
                  "use gauss = […] or sobol points");
  PointSet points;
  for (const RegionPointer& region : regions) append(region->sample(rule, stream, wanted), points);
  if (rule.kind != PointRule::Kind::Grid) return points;
  const std::vector<std::size_t> first = first_occurrences(points);
  return first.size() == points.count ? points : subset(points, first);
}

bool same_regions(const Regions& a, const Regions& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](const RegionPointer& x, const RegionPointer& y) { return x->text() == y->text(); });
}

}  // namespace pecann::sampling
