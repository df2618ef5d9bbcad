#include "pecann/sampling/point_region.h"

#include <cmath>

#include "pecann/base/input_error.h"
#include "pecann/base/require.h"
#include "pecann/base/toml_number.h"
#include "pecann/sampling/grid.h"
#include "pecann/sampling/quadrature.h"
#include "pecann/sampling/unit_points.h"

namespace pecann::sampling {
namespace {

class PointRegion final : public Region {
 public:
  PointRegion(const Box& box, FlatPart place) : Region(box, {}), place_(std::move(place)) {
    for (int c = 0; c < box.dimension(); ++c)
      require(place_[c].has_value() || c == box.time, "a point has all its coordinates in space");
  }

  std::string name() const override {
    std::string list;
    for (int c = 0; c < box().dimension(); ++c)
      if (place_[c]) list += (list.empty() ? "" : ", ") + box().names[c] + " = " + toml_number(*place_[c]);
    return "{ " + list + " }";
  }
  std::string text() const override { return name(); }

  Times times() const override {
    if (runs_in_time() || box().time < 0) return Times::All;
    return *place_[box().time] == box().lower[box().time] ? Times::Start : Times::Later;
  }
  int dimension() const override { return runs_in_time() ? 1 : 0; }
  double measure() const override { return runs_in_time() ? box().upper[box().time] - box().lower[box().time] : 1; }

  std::vector<char> contains(const PointSet& points) const override {
    std::vector<char> here(points.count, 1);
    for (int c = 0; c < box().dimension(); ++c) {
      const double tolerance = 1e-12 * (box().upper[c] - box().lower[c]);
      for (std::size_t i = 0; i < points.count; ++i) {
        const double value = points.coordinates[c][i];
        const bool fits =
            place_[c] ? std::abs(value - *place_[c]) <= tolerance : value >= box().lower[c] && value <= box().upper[c];
        if (!fits) here[i] = 0;
      }
    }
    return here;
  }

  bool has_normals() const override { return false; }
  void add_normals(PointSet&) const override {
    throw InputError({.key = "region", .value = name(), .rule = "has no normal: it is a single point"});
  }

  RegionPointer within(const Box& window) const override {
    FlatPart place = place_;
    if (times() == Times::Start) place[window.time] = window.lower[window.time];
    return std::make_shared<PointRegion>(window, std::move(place));
  }

  std::vector<double> piece_counts(const PointRule& rule) const override {
    return {static_cast<double>(points_in_time(rule))};
  }

  PointSet sample(const PointRule& rule, RandomStream& stream, const WantedColumns& wanted) const override {
    const std::size_t count = points_in_time(rule);
    std::vector<std::vector<double>> axes;
    std::vector<double> weights(count, measure() / static_cast<double>(count));
    for (int c = 0; c < box().dimension(); ++c) axes.push_back({place_[c].value_or(0)});
    if (runs_in_time()) {
      const double begin = box().lower[box().time], end = box().upper[box().time];
      if (rule.kind == PointRule::Kind::Gauss) {
        LineRule line = gauss_rule(begin, end, static_cast<int>(count));
        axes[box().time] = std::move(line.nodes);
        weights = std::move(line.weights);
      } else if (rule.kind == PointRule::Kind::Grid) {
        axes[box().time] = grid_nodes(begin, end, static_cast<int>(count));
        if (count > 1) weights = grid_weights((end - begin) / static_cast<double>(count - 1), count, true, true);
      } else {
        axes[box().time] = unit_points(rule.kind, 1, count, stream)[0];
        for (double& t : axes[box().time]) t = begin + (end - begin) * t;
      }
    }
    PointSet points = grid_points(axes);
    if (wanted.slices) weights.assign(count, 1.0);
    if (wanted.weights) points.set_column(kWeightColumn, weights);
    if (wanted.normals) add_normals(points);
    return points;
  }

  std::vector<FlatPart> flat_parts() const override { return {place_}; }

 private:
  bool runs_in_time() const { return box().time >= 0 && !place_[box().time]; }

  std::size_t points_in_time(const PointRule& rule) const {
    if (!runs_in_time()) return 1;
    if (!rule.is_product()) return rule.count;
    if (rule.grid.size() != box().names.size())
      refuse_points("", "the grid has " + std::to_string(rule.grid.size()) + " entries; the problem has " +
                            std::to_string(box().names.size()) + " coordinates");
    require_reasonable(rule.grid[box().time], 1);
    return static_cast<std::size_t>(rule.grid[box().time]);
  }

  FlatPart place_;
};

}  // namespace

RegionPointer point_region(const Box& box, const FlatPart& place) { return std::make_shared<PointRegion>(box, place); }

}  // namespace pecann::sampling
