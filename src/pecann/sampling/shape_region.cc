#include "pecann/sampling/shape_region.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "pecann/base/input_error.h"
#include "pecann/base/require.h"
#include "pecann/sampling/grid.h"
#include "pecann/sampling/space_set.h"

namespace pecann::sampling {
namespace {

class ShapeRegion final : public Region {
 public:
  ShapeRegion(const Box& box, GridChoice choice, std::string name, SpaceSetPointer set, TimePlace time)
      : Region(box, choice), name_(std::move(name)), set_(std::move(set)), time_(time) {}

  std::string name() const override { return name_; }

  Times times() const override {
    if (time_.kind == TimePlace::Kind::All) return Times::All;
    const bool start = time_.kind == TimePlace::Kind::First ||
                       (time_.kind == TimePlace::Kind::Fixed && time_.value == box().lower[box().time]);
    return start ? Times::Start : Times::Later;
  }

  int dimension() const override { return set_->dimension() + (runs_in_time() ? 1 : 0); }
  double measure() const override { return set_->measure() * duration(); }

  std::vector<char> contains(const PointSet& points) const override {
    std::vector<char> inside = set_->contains(space_of(points, box()), choice().closed);
    if (box().time < 0) return inside;
    const double begin = box().lower[box().time], end = box().upper[box().time];
    for (std::size_t i = 0; i < points.count; ++i) {
      const double t = points.coordinates[box().time][i];
      const bool now = runs_in_time() ? (without_first_time() ? t > begin : t >= begin) && t <= end
                                      : std::abs(t - time()) <= 1e-12 * (end - begin);
      if (!now) inside[i] = 0;
    }
    return inside;
  }

  bool has_normals() const override { return set_->has_normals(); }

  void add_normals(PointSet& points) const override {
    if (!has_normals())
      throw InputError({.key = "region",
                        .value = name(),
                        .rule = "has no normal: it does not bound the domain in space",
                        .hint = "use \"boundary\", a shape, or a face, as in \"x = 0\""});
    const Columns normals = set_->normals(space_of(points, box()));
    for (int c = 0, k = 0; c < box().dimension(); ++c)
      if (c != box().time) points.set_column(kNormalColumn + box().names[c], normals[k++]);
  }

  RegionPointer within(const Box& window) const override {
    TimePlace time = time_;
    if (time.kind == TimePlace::Kind::Fixed && times() == Times::Start) time.value = window.lower[window.time];
    return std::make_shared<ShapeRegion>(window, choice(), name_, set_, time);
  }

  std::vector<double> piece_counts(const PointRule& rule) const override {
    refuse_gauss(rule);
    if (rule.kind == PointRule::Kind::Grid) return {static_cast<double>(grid_nodes_here(rule).count)};
    std::vector<double> counts;
    for (const std::size_t count : counts_of(rule)) counts.push_back(static_cast<double>(count));
    require_reasonable(std::accumulate(counts.begin(), counts.end(), 0.0), box().dimension());
    return counts;
  }

  PointSet sample(const PointRule& rule, RandomStream& stream, const WantedColumns& wanted) const override {
    PointSet points;
    refuse_gauss(rule);
    if (wanted.slices)
      refuse_points("", "integrals over space at every time are known for boxes only",
                    "write a term for each time, with the region \"t = 1\"");
    if (rule.kind == PointRule::Kind::Grid) {
      if (wanted.weights)
        refuse_points("grid", "a grid has no quadrature weights", "use sobol, uniform or latin points");
      points = grid_nodes_here(rule);
    } else {
      points = random_points(rule, stream, wanted.weights);
    }
    if (wanted.normals) add_normals(points);
    return points;
  }

  std::vector<FlatPart> flat_parts() const override { return {}; }

 private:
  static void refuse_gauss(const PointRule& rule) {
    if (rule.kind == PointRule::Kind::Gauss)
      refuse_points("gauss", "Gauss points are known for boxes only, not for shapes", "use sobol points");
  }
  bool runs_in_time() const { return box().time >= 0 && time_.kind == TimePlace::Kind::All; }
  double duration() const { return runs_in_time() ? box().upper[box().time] - box().lower[box().time] : 1; }
  double time() const {
    if (time_.kind == TimePlace::Kind::Fixed) return time_.value;
    return time_.kind == TimePlace::Kind::First ? box().lower[box().time] : box().upper[box().time];
  }
  /// As with boxes: the interior begins after the first time, unless it is closed; others where they say so.
  bool without_first_time() const {
    const bool interior = set_->place().kind == SolidPlace::Kind::Interior;
    return interior ? !choice().closed : choice().after_start;
  }

  /// The nodes of the grid over the box that belong to the region.
  PointSet grid_nodes_here(const PointRule& rule) const {
    const int dimension = box().dimension();
    if (static_cast<int>(rule.grid.size()) != dimension)
      refuse_points("", "the grid has " + std::to_string(rule.grid.size()) + " entries; the problem has " +
                            std::to_string(dimension) + " coordinates");
    double nodes = 1;
    for (const int count : rule.grid) {
      if (count < 1) refuse_points(std::to_string(count), "a grid has at least one node in every coordinate");
      nodes *= count;
    }
    require_reasonable(nodes, dimension);
    std::vector<std::vector<double>> axes;
    const SolidPlace& place = set_->place();
    for (int c = 0, k = 0; c < dimension; ++c) {
      axes.push_back(grid_nodes(box().lower[c], box().upper[c], rule.grid[c]));
      if (c == box().time && !runs_in_time()) axes.back() = {time()};
      if (c != box().time && place.kind == SolidPlace::Kind::Plane && place.coordinate == k)
        axes.back() = {place.value};
      k += c != box().time;
    }
    const PointSet all = grid_points(axes);
    std::vector<char> here = contains(all);
    if (place.kind == SolidPlace::Kind::Boundary || place.kind == SolidPlace::Kind::Surface)
      refuse_bare_pieces(all, here);
    std::vector<std::size_t> chosen;
    for (std::size_t i = 0; i < here.size(); ++i)
      if (here[i] != 0) chosen.push_back(i);
    return subset(all, chosen);
  }

  /// Refuses a grid that has no nodes on some of the region's surfaces: their conditions would be lost without a word.
  void refuse_bare_pieces(const PointSet& all, const std::vector<char>& here) const {
    for (const std::string& bare : set_->bare_surfaces(space_of(all, box()), here))
      refuse_points("grid", "the grid has no nodes on '" + bare + "'",
                    "use sobol points, which lie on curved boundaries too");
  }

  std::vector<std::size_t> counts_of(const PointRule& rule) const {
    if (set_->dimension() == 0)  // single points in space; each is a line in time
      return std::vector<std::size_t>(set_->pieces().size(), runs_in_time() ? rule.count : 1);
    return shared_out(rule.count, set_->measures());
  }

  PointSet random_points(const PointRule& rule, RandomStream& stream, bool weights) const {
    const std::vector<std::size_t> counts = counts_of(rule);
    const auto dimension = static_cast<std::size_t>(box().dimension());
    const std::size_t total = std::accumulate(counts.begin(), counts.end(), std::size_t{0});
    require_reasonable(static_cast<double>(total), box().dimension());
    Columns all(dimension);
    for (std::vector<double>& column : all) column.reserve(total);
    std::vector<double> weight;
    for (std::size_t p = 0; p < counts.size(); ++p) {
      const Columns some = set_->pieces()[p].sample(rule.kind, counts[p], runs_in_time() ? 1 : 0, stream);
      for (std::size_t c = 0, k = 0; c < dimension; ++c) {
        if (static_cast<int>(c) != box().time) {
          all[c].insert(all[c].end(), some[k].begin(), some[k].end());
          ++k;
        } else if (!runs_in_time()) {
          all[c].insert(all[c].end(), counts[p], time());
        } else {
          for (const double u : some.back()) all[c].push_back(box().lower[c] + duration() * u);
        }
      }
      weight.insert(weight.end(), counts[p], set_->measures()[p] * duration() / static_cast<double>(counts[p]));
    }
    PointSet points;
    points.count = total;
    for (const std::vector<double>& column : all) points.coordinates.push_back(padded_column(column));
    if (weights) points.set_column(kWeightColumn, weight);
    return points;
  }

  std::string name_;
  SpaceSetPointer set_;
  TimePlace time_;
};

}  // namespace

SpaceSetPointer space_set(const SolidPointer& solid, const SolidPlace& place, const std::string& name) {
  auto set = std::make_shared<const SpaceSet>(solid, place);
  if (set->pieces().empty())
    throw InputError({.key = "region",
                      .value = name,
                      .rule = "nothing of the domain lies there",
                      .hint = "look at the places of the shapes and at `domain`"});
  return set;
}

RegionPointer shape_region(const Box& box, GridChoice choice, std::string name, SpaceSetPointer set,
                           const TimePlace& time) {
  return std::make_shared<ShapeRegion>(box, choice, std::move(name), std::move(set), time);
}

SpacePoints space_of(const PointSet& points, const Box& box) {
  std::vector<const double*> columns;
  for (int c = 0; c < box.dimension(); ++c)
    if (c != box.time) columns.push_back(points.coordinates[c].data());
  return {std::move(columns), points.count};
}

std::vector<std::size_t> shared_out(std::size_t count, std::span<const double> measures) {
  const double total = std::accumulate(measures.begin(), measures.end(), 0.0);
  std::vector<std::size_t> counts;
  std::vector<std::pair<double, std::size_t>> rests;  // largest first; equal ones in the order of the pieces
  std::size_t given = 0;
  for (std::size_t i = 0; i < measures.size(); ++i) {
    const double share = static_cast<double>(count) * measures[i] / total;
    counts.push_back(static_cast<std::size_t>(share));
    rests.emplace_back(-(share - std::floor(share)), i);
    given += counts.back();
  }
  std::sort(rests.begin(), rests.end());
  for (std::size_t k = 0; given < count; ++k, ++given) ++counts[rests[k % rests.size()].second];
  for (std::size_t& own : counts) own = std::max(own, std::min(kLeastPoints, count));
  return counts;
}

}  // namespace pecann::sampling
