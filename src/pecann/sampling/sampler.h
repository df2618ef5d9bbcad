// Where a term's equations hold, and how its points are chosen.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "pecann/base/random_stream.h"
#include "pecann/sampling/points.h"

namespace pecann::sampling {

/// One piece of the domain. Faces fix one coordinate; `interior` and `boundary` mean space, at all times after the
/// first (interior) or at all times (boundary); `initial` is the first time, inside in space; `final` the last time,
/// inside in space.
struct Region {
  enum class Kind { Interior, Boundary, Initial, Final, Face };
  Kind kind = Kind::Interior;
  int coordinate =
      -1;  // Face: the coordinate that is fixed, at `value` (anywhere in its range: an interface is a face too)
  double value = 0;
  /// Grids: take the nodes of the edges too (initial with the sides; faces with their ends; interior: with t0).
  bool closed = false;
  bool after_start = false;  // grids: leave out the first time (boundary of the vortex)
  bool operator==(const Region&) const = default;
};

struct PointRule {
  enum class Kind { Grid, Sobol, Uniform, LatinHypercube };
  Kind kind = Kind::Grid;
  std::vector<int> grid;  // Grid: nodes per coordinate, ends included
  std::size_t count = 0;  // others: points per region piece; a boundary has `count` points on every face
  int redraw_every = 0;   // epochs; 0 = drawn once per trial
};

/// Points of the union of the regions (in their order, faces in the order lower x, upper x, lower y, …; first
/// coordinate fastest on grids). Grid corners that belong to two faces of a boundary are taken once. Throws InputError
/// when no point results.
///
/// More than 1e8 points are refused (InputError naming the memory they would need) before anything is allocated for
/// them.
PointSet sample(const Box& box, const std::vector<Region>& regions, const PointRule& rule, RandomStream& stream);

/// How many points sample() would give, at most (shared nodes of a grid count once per piece), with the same refusals.
double count_points(const Box& box, const std::vector<Region>& regions, const PointRule& rule);

}  // namespace pecann::sampling
