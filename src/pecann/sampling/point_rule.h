// How the points of a region are chosen.
#pragma once

#include <cstddef>
#include <vector>

namespace pecann::sampling {

struct PointRule {
  enum class Kind { Grid, Sobol, Uniform, LatinHypercube };
  Kind kind = Kind::Grid;
  std::vector<int> grid;  // Grid: nodes per coordinate, ends included
  std::size_t count = 0;  // others: points per region piece; a box's boundary has `count` points on every face
  int redraw_every = 0;   // epochs between draws; 0 = drawn once per trial
};

}  // namespace pecann::sampling
