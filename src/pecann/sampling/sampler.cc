#include "pecann/sampling/sampler.h"

#include <algorithm>
#include <cstdio>
#include <span>
#include <string>

#include "pecann/base/input_error.h"
#include "pecann/base/require.h"
#include "pecann/sampling/grid.h"
#include "pecann/sampling/unit_points.h"

namespace pecann::sampling {
namespace {

constexpr double kMostPoints = 1e8;

[[noreturn]] void refuse(std::string value, std::string rule, std::string hint = "") {
  InputError::Parts parts;
  parts.key = "points";
  parts.value = std::move(value);
  parts.rule = std::move(rule);
  parts.hint = std::move(hint);
  throw InputError(std::move(parts));
}

[[noreturn]] void refuse_empty() {
  refuse("", "no point lies in the region", "a grid needs three nodes in a coordinate to have one inside");
}

void require_reasonable(double count, int dimension) {
  if (count <= kMostPoints) return;
  const double gigabytes = count * dimension * static_cast<double>(sizeof(double)) / 1e9;
  char text[160];
  std::snprintf(text, sizeof text,
                "%.3g points need %.3g GB (%.3g bytes) for their coordinates alone; at most %.0e points", count,
                gigabytes, gigabytes * 1e9, kMostPoints);
  refuse("", text, "take fewer points, or batch and redraw them");
}

void require_time(const Box& box, const Region& region) {
  const bool timed = region.kind == Region::Kind::Initial || region.kind == Region::Kind::Final;
  if (timed && box.time < 0)
    refuse("", "regions 'initial' and 'final' need a coordinate named t", "name a face, as in \"x = 0\"");
  if (region.kind == Region::Kind::Face) {
    require(region.coordinate >= 0 && region.coordinate < box.dimension(), "a face fixes a coordinate of the box");
  }
}

class Collector {
 public:
  explicit Collector(int dimension) : columns_(static_cast<std::size_t>(dimension)) {}

  /// Memory for so many points at once: growing takes twice as much for a moment.
  void reserve(double count) {
    for (auto& column : columns_) column.reserve(round_up(static_cast<std::size_t>(count), kLanes));
  }

  void add(std::span<const double> point) {
    for (std::size_t c = 0; c < columns_.size(); ++c) columns_[c].push_back(point[c]);
  }

  PointSet finish() && {
    PointSet points;
    points.count = columns_[0].size();
    if (points.count == 0) {
      refuse("", "no point lies in the region", "a grid needs three nodes in a coordinate to have one inside");
    }
    points.coordinates = std::move(columns_);
    for (auto& column : points.coordinates) {
      const double last = column.back();  // a copy: resize may move the column
      column.resize(points.padded(), last);
    }
    return points;
  }

 private:
  std::vector<AlignedVector<double>> columns_;
};

void add_grid_piece(const GridPiece& piece, std::span<const GridPiece> earlier, Collector& points) {
  const std::size_t dimension = piece.axes.size();
  if (piece.size() == 0) return;
  std::vector<std::size_t> at(dimension, 0);
  std::vector<double> point(dimension);
  for (bool more = true; more;) {
    for (std::size_t c = 0; c < dimension; ++c) point[c] = piece.axes[c][at[c]];
    const bool taken =
        std::any_of(earlier.begin(), earlier.end(), [&](const GridPiece& other) { return other.contains(point); });
    if (!taken) points.add(point);
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

/// A lower bound of the nodes in a region, from the numbers alone: absurd grids are refused before their axes
/// are made.
double least_nodes(const Box& box, const Region& region, const std::vector<int>& counts) {
  const auto inside = [&](int c) { return std::max(1.0, counts[c] - 2.0); };
  double product = 1;
  for (int c = 0; c < box.dimension(); ++c) product *= inside(c);
  switch (region.kind) {
    case Region::Kind::Interior:
      return product;
    case Region::Kind::Boundary: {
      double largest = 0;
      for (int c = 0; c < box.dimension(); ++c) {
        if (c != box.time) largest = std::max(largest, product / inside(c));
      }
      return largest;
    }
    case Region::Kind::Face:
      return product / inside(region.coordinate);
    default:
      return product / inside(box.time);
  }
}

std::vector<GridPiece> pieces_of(const Box& box, const std::vector<Region>& regions, const PointRule& rule) {
  const int dimension = box.dimension();
  if (static_cast<int>(rule.grid.size()) != dimension) {
    refuse("", "the grid has " + std::to_string(rule.grid.size()) + " entries; the problem has " +
                   std::to_string(dimension) + " coordinates");
  }
  double axes = 0;
  for (const int count : rule.grid) {
    if (count < 1) refuse(std::to_string(count), "a grid has at least one node in every coordinate");
    axes += count;
  }
  require_reasonable(axes, 1);
  for (const Region& region : regions) require_reasonable(least_nodes(box, region, rule.grid), dimension);
  std::vector<GridPiece> pieces;
  for (const Region& region : regions) {
    for (GridPiece& piece : grid_pieces(box, region, rule.grid)) pieces.push_back(std::move(piece));
  }
  return pieces;
}

double grid_count(const Box& box, const std::vector<GridPiece>& pieces) {
  double total = 0;
  for (const GridPiece& piece : pieces) total += piece.size();
  require_reasonable(total, box.dimension());
  return total;
}

void sample_grid(const Box& box, const std::vector<Region>& regions, const PointRule& rule, Collector& points) {
  const std::vector<GridPiece> pieces = pieces_of(box, regions, rule);
  points.reserve(grid_count(box, pieces));
  const std::span<const GridPiece> all(pieces);
  for (std::size_t i = 0; i < pieces.size(); ++i) add_grid_piece(pieces[i], all.first(i), points);
}

/// `count` points of the box with coordinate `fixed` (-1: none) at `value`; one point when nothing is left to
/// choose.
void add_random_piece(const Box& box, int fixed, double value, const PointRule& rule, RandomStream& stream,
                      Collector& points) {
  const int dimension = box.dimension();
  const int free = fixed < 0 ? dimension : dimension - 1;
  const std::size_t count = free == 0 ? 1 : rule.count;
  const auto unit = unit_points(rule.kind, free, count, stream);
  std::vector<double> point(static_cast<std::size_t>(dimension));
  for (std::size_t i = 0; i < count; ++i) {
    std::size_t next = 0;
    for (int c = 0; c < dimension; ++c) {
      point[c] = c == fixed ? value : box.lower[c] + (box.upper[c] - box.lower[c]) * unit[next++][i];
    }
    points.add(point);
  }
}

double random_count(const Box& box, const std::vector<Region>& regions, const PointRule& rule) {
  const int space = box.dimension() - (box.time >= 0 ? 1 : 0);
  double total = 0;
  for (const Region& region : regions) {
    const double pieces = region.kind == Region::Kind::Boundary ? 2 * space : 1;
    const bool single = region.kind != Region::Kind::Interior && box.dimension() == 1;
    total += pieces * (single ? 1 : static_cast<double>(rule.count));
  }
  require_reasonable(total, box.dimension());
  return total;
}

void sample_random(const Box& box, const std::vector<Region>& regions, const PointRule& rule, RandomStream& stream,
                   Collector& points) {
  points.reserve(random_count(box, regions, rule));
  for (const Region& region : regions) {
    switch (region.kind) {
      case Region::Kind::Interior:
        add_random_piece(box, -1, 0, rule, stream, points);
        break;
      case Region::Kind::Boundary:
        for (int c = 0; c < box.dimension(); ++c) {
          if (c == box.time) continue;
          add_random_piece(box, c, box.lower[c], rule, stream, points);
          add_random_piece(box, c, box.upper[c], rule, stream, points);
        }
        break;
      case Region::Kind::Initial:
        add_random_piece(box, box.time, box.lower[box.time], rule, stream, points);
        break;
      case Region::Kind::Final:
        add_random_piece(box, box.time, box.upper[box.time], rule, stream, points);
        break;
      case Region::Kind::Face:
        add_random_piece(box, region.coordinate, region.value, rule, stream, points);
        break;
    }
  }
}

}  // namespace

double count_points(const Box& box, const std::vector<Region>& regions, const PointRule& rule) {
  for (const Region& region : regions) require_time(box, region);
  const bool grid = rule.kind == PointRule::Kind::Grid;
  const double count = grid ? grid_count(box, pieces_of(box, regions, rule)) : random_count(box, regions, rule);
  if (count == 0) refuse_empty();
  return count;
}

PointSet sample(const Box& box, const std::vector<Region>& regions, const PointRule& rule, RandomStream& stream) {
  require(box.dimension() > 0, "a box has coordinates");
  for (const Region& region : regions) require_time(box, region);
  Collector points(box.dimension());
  if (rule.kind == PointRule::Kind::Grid) {
    sample_grid(box, regions, rule, points);
  } else {
    sample_random(box, regions, rule, stream, points);
  }
  return std::move(points).finish();
}

}  // namespace pecann::sampling
