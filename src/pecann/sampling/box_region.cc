#include "pecann/sampling/box_region.h"

#include <algorithm>
#include <charconv>
#include <cmath>

#include "pecann/base/input_error.h"
#include "pecann/base/require.h"
#include "pecann/sampling/grid.h"
#include "pecann/sampling/point_builder.h"
#include "pecann/sampling/quadrature.h"
#include "pecann/sampling/unit_points.h"

namespace pecann::sampling {
namespace {

constexpr double kOnPlane = 1e-12;  // of the coordinate's range: 0.1 + 0.2 is meant to be 0.3

/// The part of a coordinate's range that belongs to a region.
enum class Extent { All, WithoutFirst, Inside };

bool covers(Extent extent, double value, double lower, double upper) {
  const bool after = extent == Extent::All ? value >= lower : value > lower;
  return after && (extent == Extent::Inside ? value < upper : value <= upper);
}

std::vector<double> nodes_in(std::vector<double> nodes, Extent extent) {
  if (extent == Extent::Inside) nodes.pop_back();
  if (extent != Extent::All && !nodes.empty()) nodes.erase(nodes.begin());
  return nodes;
}

/// A value that is meant to be a node becomes that node, so that equal points are found equal.
double snapped(double value, const std::vector<double>& nodes) {
  const double tolerance = kOnPlane * (nodes.back() - nodes.front());
  const auto at = std::lower_bound(nodes.begin(), nodes.end(), value - tolerance);
  return at != nodes.end() && std::abs(*at - value) <= tolerance ? *at : value;
}

/// Adds the nodes that no earlier piece has, with their weights: the products of those of the axes.
void add_grid_piece(const GridPiece& piece, std::span<const GridPiece> earlier,
                    const std::vector<std::vector<double>>& axis_weights, PointBuilder& points,
                    std::vector<double>& weights) {
  const std::size_t dimension = piece.axes.size();
  if (piece.size() == 0) return;
  std::vector<std::size_t> at(dimension, 0);
  std::vector<double> point(dimension);
  for (bool more = true; more;) {
    for (std::size_t c = 0; c < dimension; ++c) point[c] = piece.axes[c][at[c]];
    const bool taken =
        std::any_of(earlier.begin(), earlier.end(), [&](const GridPiece& other) { return other.contains(point); });
    if (!taken) points.add(point);
    if (!taken && !axis_weights.empty()) {
      double weight = 1;
      for (std::size_t c = 0; c < dimension; ++c) weight *= axis_weights[c][at[c]];
      weights.push_back(weight);
    }
    more = false;
    for (std::size_t c = 0; c < dimension; ++c) {  // first coordinate fastest
      if (++at[c] < piece.axes[c].size()) {
        more = true;
        break;
      }
      at[c] = 0;
    }
  }
}

struct Place {
  enum class Kind { Interior, Boundary, Initial, Final, Plane };
  Kind kind;
  int coordinate = -1;  // Plane
  double value = 0;     // Plane
};

class BoxRegion final : public Region {
 public:
  BoxRegion(const Box& box, Place place, GridChoice choice) : Region(box, choice), place_(place) {
    using Kind = Place::Kind;
    switch (place.kind) {
      case Kind::Interior:
        space_ = Extent::Inside;
        time_ = choice.closed ? Extent::All : Extent::WithoutFirst;
        parts_ = {{}};
        return;
      case Kind::Boundary:
        for (int c = 0; c < box.dimension(); ++c)
          if (box.in_space(c)) parts_.insert(parts_.end(), {{c, box.lower[c]}, {c, box.upper[c]}});
        break;
      case Kind::Initial:
        if (box.time >= 0) parts_ = {{box.time, box.lower[box.time]}};
        break;
      case Kind::Final:
        if (box.time >= 0) parts_ = {{box.time, box.upper[box.time]}};
        break;
      case Kind::Plane:
        require(place.coordinate >= 0 && place.coordinate < box.dimension(), "a plane fixes a coordinate of the box");
        parts_ = {{place.coordinate, place.value}};
        break;
    }
    space_ = place.kind == Kind::Boundary || choice.closed ? Extent::All : Extent::Inside;
    time_ = choice.after_start ? Extent::WithoutFirst : Extent::All;
  }

  std::string name() const override {
    switch (place_.kind) {
      case Place::Kind::Interior:
        return "interior";
      case Place::Kind::Boundary:
        return "boundary";
      case Place::Kind::Initial:
        return "initial";
      case Place::Kind::Final:
        return "final";
      case Place::Kind::Plane:
        break;
    }
    char buffer[32];
    const auto [end, error] = std::to_chars(buffer, buffer + sizeof buffer, place_.value);
    return box().names[place_.coordinate] + " = " + std::string(buffer, end);
  }

  Times times() const override {
    if (place_.kind == Place::Kind::Initial) return Times::Start;
    if (place_.kind == Place::Kind::Final) return Times::Later;
    if (place_.kind != Place::Kind::Plane || place_.coordinate != box().time) return Times::All;
    return place_.value == box().lower[box().time] ? Times::Start : Times::Later;
  }

  int dimension() const override { return box().dimension() - (place_.kind == Place::Kind::Interior ? 0 : 1); }

  double measure() const override {
    double sum = 0;
    for (const Part& part : parts_) sum += measure_of(part);
    return sum;
  }

  std::vector<char> contains(const PointSet& points) const override {
    std::vector<char> inside(points.count, 0);
    for (const Part& part : parts_)
      for (std::size_t i = 0; i < points.count; ++i) inside[i] |= static_cast<char>(has(part, points, i));
    return inside;
  }

  bool has_normals() const override {
    return std::all_of(parts_.begin(), parts_.end(),
                       [&](const Part& part) { return part.fixed >= 0 && box().in_space(part.fixed); });
  }

  void add_normals(PointSet& points) const override {
    if (!has_normals())
      throw InputError({.key = "region",
                        .value = name(),
                        .rule = "has no normal: it does not bound the domain in space",
                        .hint = "use \"boundary\" or a face, as in \"x = 0\""});
    for (int c = 0; c < box().dimension(); ++c)
      if (box().in_space(c)) points.set_column(kNormalColumn + box().names[c], std::vector<double>(points.count, 0.0));
    if (points.count == 0) return;
    std::vector<char> done(points.count, 0);
    for (const Part& part : parts_) {
      AlignedVector<double>& normal = points.columns.at(kNormalColumn + box().names[part.fixed]);
      const double sign = is_at(part.fixed, part.value, box().lower[part.fixed]) ? -1 : 1;
      for (std::size_t i = 0; i < points.count; ++i)
        if (!done[i] && is_at(part.fixed, points.coordinates[part.fixed][i], part.value)) {
          normal[i] = sign;
          done[i] = 1;
        }
      std::fill(normal.begin() + static_cast<std::ptrdiff_t>(points.count), normal.end(), normal[points.count - 1]);
    }
    require(std::find(done.begin(), done.end(), 0) == done.end(), "normals are those of the region's own points");
  }

  RegionPointer within(const Box& window) const override {
    Place place = place_;
    if (place.kind == Place::Kind::Plane && times() == Times::Start) place.value = window.lower[window.time];
    return std::make_shared<BoxRegion>(window, place, choice());
  }

  std::vector<double> piece_counts(const PointRule& rule) const override {
    require_time();
    std::vector<double> counts;
    double total = 0;
    if (rule.is_product()) {
      for (const GridPiece& piece : grid_pieces(rule)) counts.push_back(piece.size());
    } else {
      for (const Part& part : parts_) counts.push_back(is_point(part) ? 1 : static_cast<double>(rule.count));
    }
    for (const double count : counts) total += count;
    require_reasonable(total, box().dimension());
    return counts;
  }

  PointSet sample(const PointRule& rule, RandomStream& stream, const WantedColumns& wanted) const override {
    PointBuilder builder(box().dimension());
    builder.reserve(count(rule));
    std::vector<double> weights;
    if (rule.is_product()) {
      if (wanted.weights && rule.kind == PointRule::Kind::Grid && parts_.size() > 1)
        refuse_points("grid", "a grid has no quadrature weights where several sides share its nodes",
                      "use gauss = […] or sobol points");
      const std::vector<GridPiece> pieces = grid_pieces(rule);
      const std::span<const GridPiece> all(pieces);
      for (std::size_t i = 0; i < pieces.size(); ++i)
        add_grid_piece(pieces[i], all.first(i), wanted.weights ? axis_weights(parts_[i], rule, wanted) : AxisWeights{},
                       builder, weights);
    } else {
      if (wanted.slices)
        refuse_points("", "integrals over space at every time need the same times for all of space",
                      "use gauss = […] or grid = […]");
      if (wanted.weights && rule.graded > 0)
        refuse_points("graded", "graded points have no quadrature weights", "leave out graded");
      for (const Part& part : parts_) {
        const std::size_t count = is_point(part) ? 1 : rule.count;
        add_random_part(part, rule, count, stream, builder);
        if (wanted.weights) weights.insert(weights.end(), count, measure_of(part) / static_cast<double>(count));
      }
    }
    PointSet points = std::move(builder).finish();
    if (wanted.weights) points.set_column(kWeightColumn, weights);
    if (wanted.normals) add_normals(points);
    return points;
  }

  std::vector<FlatPart> flat_parts() const override {
    std::vector<FlatPart> flat;
    for (const Part& part : parts_) {
      flat.emplace_back(box().dimension());
      if (part.fixed >= 0) flat.back()[part.fixed] = part.value;
    }
    return flat;
  }

 private:
  /// The part of the box where one coordinate has one value, or (fixed < 0) all of the box.
  struct Part {
    int fixed = -1;
    double value = 0;
  };

  void require_time() const {
    const bool timed = place_.kind == Place::Kind::Initial || place_.kind == Place::Kind::Final;
    if (timed && box().time < 0)
      refuse_points("", "regions 'initial' and 'final' need a coordinate named t", "name a face, as in \"x = 0\"");
  }

  bool is_at(int coordinate, double value, double plane) const {
    return std::abs(value - plane) <= kOnPlane * (box().upper[coordinate] - box().lower[coordinate]);
  }

  /// The members at the ends of a family are as good as the others.
  Extent extent_of(int coordinate) const {
    if (coordinate == box().time) return time_;
    return box().in_space(coordinate) ? space_ : Extent::All;
  }

  bool is_point(const Part& part) const { return part.fixed >= 0 && box().dimension() == 1; }

  double measure_of(const Part& part) const {
    double product = 1;
    for (int c = 0; c < box().dimension(); ++c)
      if (c != part.fixed) product *= box().upper[c] - box().lower[c];
    return product;
  }

  bool has(const Part& part, const PointSet& points, std::size_t i) const {
    for (int c = 0; c < box().dimension(); ++c) {
      const double value = points.coordinates[c][i];
      const Extent extent = extent_of(c);
      if (c == part.fixed ? !is_at(c, value, part.value) : !covers(extent, value, box().lower[c], box().upper[c]))
        return false;
    }
    return true;
  }

  /// Refuses grids that do not fit the coordinates, and absurd ones before their axes are made.
  void check_grid(const PointRule& rule) const {
    const int dimension = box().dimension();
    if (static_cast<int>(rule.grid.size()) != dimension)
      refuse_points("", "the grid has " + std::to_string(rule.grid.size()) + " entries; the problem has " +
                            std::to_string(dimension) + " coordinates");
    double axes = 0;
    for (const int count : rule.grid) {
      if (count < 1) refuse_points(std::to_string(count), "a grid has at least one node in every coordinate");
      axes += count;
    }
    require_reasonable(axes, 1);
    for (const Part& part : parts_) {
      double least = 1;
      for (int c = 0; c < dimension; ++c)
        if (c != part.fixed) least *= std::max(1.0, rule.grid[c] - 2.0);
      require_reasonable(least, dimension);
    }
  }

  using AxisWeights = std::vector<std::vector<double>>;

  /// The quadrature weights of the nodes on every axis of a part; 1 on an axis that is not integrated over.
  AxisWeights axis_weights(const Part& part, const PointRule& rule, const WantedColumns& wanted) const {
    AxisWeights weights;
    for (int c = 0; c < box().dimension(); ++c) {
      const double lower = box().lower[c], upper = box().upper[c];
      const Extent extent = c == box().time ? time_ : space_;
      const auto nodes = static_cast<std::size_t>(rule.grid[c]);
      if (c == part.fixed) {
        weights.push_back({1.0});
      } else if (rule.kind == PointRule::Kind::Gauss) {
        weights.push_back(gauss_rule(lower, upper, rule.grid[c]).weights);
      } else if (nodes == 1) {
        weights.push_back({upper - lower});
      } else {
        const bool has_first = extent == Extent::All, has_last = extent != Extent::Inside;
        const std::size_t own = nodes - (has_first ? 0 : 1) - (has_last ? 0 : 1);
        weights.push_back(grid_weights((upper - lower) / static_cast<double>(nodes - 1), own, has_first, has_last));
      }
      if (wanted.slices && c == box().time) std::fill(weights.back().begin(), weights.back().end(), 1.0);
    }
    return weights;
  }

  /// One piece of the grid for each part; an axis may come out empty.
  std::vector<GridPiece> grid_pieces(const PointRule& rule) const {
    check_grid(rule);
    const bool gauss = rule.kind == PointRule::Kind::Gauss;
    std::vector<std::vector<double>> nodes;
    for (int c = 0; c < box().dimension(); ++c)
      nodes.push_back(gauss ? gauss_rule(box().lower[c], box().upper[c], rule.grid[c]).nodes
                            : grid_nodes(box().lower[c], box().upper[c], rule.grid[c]));
    std::vector<GridPiece> pieces;
    for (const Part& part : parts_) {
      GridPiece& piece = pieces.emplace_back();
      for (int c = 0; c < box().dimension(); ++c)
        if (c == part.fixed) {
          piece.axes.push_back({gauss ? part.value : snapped(part.value, nodes[c])});
        } else {
          piece.axes.push_back(gauss ? nodes[c] : nodes_in(nodes[c], extent_of(c)));
        }
    }
    return pieces;
  }

  /// Where a share in [0, 1) of a coordinate's range lies; graded: PointRule::graded. Distances are added to the end
  /// that they are measured from, so that small ones keep their digits.
  double place(int c, double share, double graded) const {
    const double lower = box().lower[c], upper = box().upper[c];
    if (graded == 0) return lower + (upper - lower) * share;
    const bool first_half = share < 0.5;
    const double distance = 0.5 * (upper - lower) * std::pow(graded, first_half ? 2 * share : 2 * share - 1);
    return first_half ? lower + distance : upper - distance;
  }

  void add_random_part(const Part& part, const PointRule& rule, std::size_t count, RandomStream& stream,
                       PointBuilder& points) const {
    const int dimension = box().dimension();
    const auto unit = unit_points(rule.kind, part.fixed < 0 ? dimension : dimension - 1, count, stream);
    std::vector<double> point(static_cast<std::size_t>(dimension));
    for (std::size_t i = 0; i < count; ++i) {
      std::size_t next = 0;
      for (int c = 0; c < dimension; ++c)
        point[c] = c == part.fixed ? part.value : place(c, unit[next++][i], rule.graded);
      points.add(point);
    }
  }

  Place place_;
  std::vector<Part> parts_;
  Extent space_ = Extent::All, time_ = Extent::All;  // extents of the coordinates that a part does not fix
};

}  // namespace

RegionPointer box_interior(const Box& box, GridChoice choice) {
  return std::make_shared<BoxRegion>(box, Place{Place::Kind::Interior}, choice);
}
RegionPointer box_boundary(const Box& box, GridChoice choice) {
  return std::make_shared<BoxRegion>(box, Place{Place::Kind::Boundary}, choice);
}
RegionPointer box_initial(const Box& box, GridChoice choice) {
  return std::make_shared<BoxRegion>(box, Place{Place::Kind::Initial}, choice);
}
RegionPointer box_final(const Box& box, GridChoice choice) {
  return std::make_shared<BoxRegion>(box, Place{Place::Kind::Final}, choice);
}
RegionPointer box_plane(const Box& box, int coordinate, double value, GridChoice choice) {
  return std::make_shared<BoxRegion>(box, Place{Place::Kind::Plane, coordinate, value}, choice);
}

}  // namespace pecann::sampling
