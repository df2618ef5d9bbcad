// Nodes of uniform grids and products of them.
#pragma once

#include <span>
#include <vector>

#include "pecann/sampling/points.h"

namespace pecann::sampling {

/// Nodes equally spaced from lower to upper, both included exactly; symmetric about the middle in floating point.
std::vector<double> grid_nodes(double lower, double upper, int count);

/// A product of axes: for every coordinate the values its nodes take, one value where a region fixes the coordinate.
struct GridPiece {
  std::vector<std::vector<double>> axes;  // [coordinate], ascending

  double size() const;  // number of nodes, as a floating-point number: it may be absurd
  bool contains(std::span<const double> point) const;
};

/// All nodes of the product, first coordinate fastest.
PointSet grid_points(const std::vector<std::vector<double>>& axes);

/// All nodes of a uniform grid over the box, ends included, first coordinate fastest. A single node of a coordinate
/// is its middle.
PointSet grid_points(const Box& box, std::span<const int> grid);

}  // namespace pecann::sampling
