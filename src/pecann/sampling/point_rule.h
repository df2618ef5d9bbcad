// How the points of a region are chosen.
#pragma once

#include <cstddef>
#include <vector>

namespace pecann::sampling {

struct PointRule {
  enum class Kind { Grid, Gauss, Sobol, Uniform, LatinHypercube };
  Kind kind = Kind::Grid;
  std::vector<int> grid;  // Grid: nodes per coordinate, ends included; Gauss: nodes of Gauss–Legendre, all inside
  std::size_t count = 0;  // others: points per region piece; a box's boundary has `count` points on every face
  /// Others: g in (0, 1) puts the points at distances δ = g^U from the ends of every coordinate's range (U uniform, in
  /// units of half the range): as many at every width from 1 to g, for layers. 0: evenly.
  double graded = 0;
  int redraw_every = 0;  // epochs between draws; 0 = drawn once per trial

  /// A product of nodes in every coordinate; the others are random.
  bool is_product() const { return kind == Kind::Grid || kind == Kind::Gauss; }
};

}  // namespace pecann::sampling
