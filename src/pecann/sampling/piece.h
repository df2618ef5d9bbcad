// Pieces: parts of patches that belong to a set, with their measures, and points spread evenly over them.
//
// A piece of a curve is found as intervals of its parameter, to the last digits where the shapes' levels are distances:
// an interval that is shorter than the distance of its middle from all other surfaces is not cut. Of surfaces and
// of space the unit cube is divided in the same way into cells that belong, do not, or may be cut; the measure of
// the cut ones is estimated. Points on curves are placed on the intervals directly; elsewhere candidates that do not
// belong are left out, which keeps Sobol points spread as evenly as those of the cube.
#pragma once

#include <functional>
#include <vector>

#include "pecann/base/random_stream.h"
#include "pecann/sampling/point_rule.h"
#include "pecann/sampling/shape.h"

namespace pecann::sampling {

/// A set of points of space.
struct Membership {
  /// Which of the points belong, one entry each.
  std::function<std::vector<char>(const SpacePoints&)> belongs;
  /// For every point the radius of a ball around it within which all points of the patch belong or none does.
  std::function<void(const SpacePoints&, std::span<double>)> clearances;
};

class Piece {
 public:
  Piece(PatchPointer patch, Membership membership);

  /// Length, area or volume; a single point counts 1. Zero: nothing of the patch belongs.
  double measure() const { return measure_; }
  /// True where all of the patch belongs.
  bool is_whole() const { return whole_; }
  bool is_point() const { return patch_->parameters() == 0; }
  const Patch& patch() const { return *patch_; }

  /// `count` points by a random rule as [coordinate][point], followed by `more` columns of numbers in (0, 1) of
  /// the same sequence (time).
  Columns sample(PointRule::Kind kind, std::size_t count, int more, RandomStream& stream) const;

  /// The curves that a piece with one parameter consists of, as points along each, corners included.
  std::vector<Columns> curves() const;

  /// The integral of a function over the piece: to rounding on curves that are smooth between their corners, else an
  /// estimate with some 1e-4 of relative error.
  double integral(const std::function<std::vector<double>(const SpacePoints&)>& function) const;

 private:
  struct Interval {
    double begin, end;
  };
  struct Cell {  // of the unit cube
    std::vector<double> lower;
    double side;
  };

  void find_intervals();
  void find_cells();
  double content_of(const std::vector<Cell>& cut) const;
  void estimate_share();
  double end_between(double inside, double outside) const;
  std::vector<char> belongs_at(const Columns& unit) const;
  Columns sample_intervals(PointRule::Kind kind, std::size_t count, int more, RandomStream& stream) const;
  Columns sample_cells(PointRule::Kind kind, std::size_t count, int more, RandomStream& stream) const;
  void move_into_cells(Columns& unit) const;

  PatchPointer patch_;
  Membership membership_;
  double measure_ = 0;
  bool whole_ = false;
  std::vector<Interval> intervals_;  // one parameter
  std::vector<Cell> cells_;          // more parameters: those that candidates are drawn in
  std::vector<double> cell_ends_;    // cumulative measure of the cells, the last one 1
  double share_ = 0;                 // of the cells' measure that belongs
};

}  // namespace pecann::sampling
