#include "pecann/sampling/grid.h"

#include <algorithm>

#include "pecann/base/require.h"

namespace pecann::sampling {

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

PointSet grid_points(const std::vector<std::vector<double>>& axes) {
  PointSet points;
  points.count = 1;
  for (const auto& axis : axes) points.count *= axis.size();
  points.coordinates.assign(axes.size(), AlignedVector<double>(points.padded()));
  for (std::size_t i = 0; i < points.padded(); ++i) {
    std::size_t rest = std::min(i, points.count - 1);
    for (std::size_t c = 0; c < axes.size(); ++c) {
      points.coordinates[c][i] = axes[c][rest % axes[c].size()];
      rest /= axes[c].size();
    }
  }
  return points;
}

PointSet grid_points(const Box& box, std::span<const int> grid) {
  std::vector<std::vector<double>> axes;
  for (std::size_t c = 0; c < grid.size(); ++c) axes.push_back(grid_nodes(box.lower[c], box.upper[c], grid[c]));
  return grid_points(axes);
}

}  // namespace pecann::sampling
