#include "pecann/sampling/grid.h"

#include <algorithm>
#include <cmath>

#include "pecann/base/input_error.h"
#include "pecann/base/require.h"

namespace pecann::sampling {
namespace {

enum class Nodes { All, WithoutFirst, Inside };

std::vector<double> part_of(std::vector<double> nodes, Nodes which) {
  if (which == Nodes::Inside) nodes.pop_back();
  if ((which == Nodes::Inside || which == Nodes::WithoutFirst) && !nodes.empty()) nodes.erase(nodes.begin());
  return nodes;
}

/// A value that is meant to be a node (0.1 + 0.2 for 0.3) becomes that node, so that equal points are found
/// equal.
double snapped(double value, const std::vector<double>& nodes) {
  const double tolerance = 1e-12 * (nodes.back() - nodes.front());
  const auto at = std::lower_bound(nodes.begin(), nodes.end(), value - tolerance);
  return at != nodes.end() && std::abs(*at - value) <= tolerance ? *at : value;
}

}  // namespace

std::vector<double> grid_nodes(double lower, double upper, int count) {
  require(count >= 1, "a grid has at least one node");
  if (count == 1) return {0.5 * (lower + upper)};
  const double step = (upper - lower) / (count - 1);
  std::vector<double> nodes(static_cast<std::size_t>(count));
  for (int i = 0; i < count; ++i) {
    nodes[static_cast<std::size_t>(i)] = i < count / 2 ? lower + step * i : upper - step * (count - 1 - i);
  }
  return nodes;
}

double GridPiece::size() const {
  double product = 1;
  for (const auto& axis : axes) product *= static_cast<double>(axis.size());
  return product;
}

bool GridPiece::contains(std::span<const double> point) const {
  for (std::size_t c = 0; c < axes.size(); ++c) {
    if (!std::binary_search(axes[c].begin(), axes[c].end(), point[c])) return false;
  }
  return true;
}

std::vector<GridPiece> grid_pieces(const Box& box, const Region& region, std::span<const int> counts) {
  const int dimension = box.dimension();
  std::vector<std::vector<double>> nodes;
  for (int c = 0; c < dimension; ++c) nodes.push_back(grid_nodes(box.lower[c], box.upper[c], counts[c]));

  // The piece where coordinate `fixed` has one value (-1: none), with the given nodes of the others.
  const auto piece = [&](int fixed, double value, Nodes space, Nodes time) {
    GridPiece result;
    for (int c = 0; c < dimension; ++c) {
      if (c == fixed) {
        result.axes.push_back({snapped(value, nodes[c])});
      } else {
        result.axes.push_back(part_of(nodes[c], c == box.time ? time : space));
      }
    }
    return result;
  };
  const Nodes open_space = region.closed ? Nodes::All : Nodes::Inside;
  const Nodes side_times = region.after_start ? Nodes::WithoutFirst : Nodes::All;

  std::vector<GridPiece> pieces;
  switch (region.kind) {
    case Region::Kind::Interior:
      pieces.push_back(piece(-1, 0, Nodes::Inside, region.closed ? Nodes::All : Nodes::WithoutFirst));
      break;
    case Region::Kind::Boundary:
      for (int c = 0; c < dimension; ++c) {
        if (c == box.time) continue;
        pieces.push_back(piece(c, box.lower[c], Nodes::All, side_times));
        pieces.push_back(piece(c, box.upper[c], Nodes::All, side_times));
      }
      break;
    case Region::Kind::Initial:
      pieces.push_back(piece(box.time, box.lower[box.time], open_space, Nodes::All));
      break;
    case Region::Kind::Final:
      pieces.push_back(piece(box.time, box.upper[box.time], open_space, Nodes::All));
      break;
    case Region::Kind::Face:
      pieces.push_back(piece(region.coordinate, region.value, open_space, side_times));
      break;
  }
  return pieces;
}

}  // namespace pecann::sampling
