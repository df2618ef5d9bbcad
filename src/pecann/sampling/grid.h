// Nodes of a uniform grid, and the pieces of it that a region names. A piece is a product of axes: for every
// coordinate the values its nodes take, one value where the region fixes the coordinate.
#pragma once

#include <span>
#include <vector>

#include "pecann/sampling/points.h"
#include "pecann/sampling/sampler.h"

namespace pecann::sampling {

/// Equally spaced from lower to upper, both included exactly; symmetric about the middle in floating point.
std::vector<double> grid_nodes(double lower, double upper, int count);

struct GridPiece {
  std::vector<std::vector<double>> axes;  // [coordinate], ascending

  double size() const;  // as a floating-point number: it may be absurd
  bool contains(std::span<const double> point) const;
};

/// A boundary has one piece per face, others one; see Region for which nodes belong. An axis may come out
/// empty.
std::vector<GridPiece> grid_pieces(const Box& box, const Region& region, std::span<const int> counts);

}  // namespace pecann::sampling
