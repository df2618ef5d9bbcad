// A box cut into parts by planes across its coordinates ([decompose]): every part has networks of its own.
#pragma once

#include <span>
#include <vector>

#include "pecann/sampling/points.h"

namespace pecann::problem {

using Planes = std::vector<std::vector<double>>;  // by coordinate, ascending

/// The planes that cut a range into so many equal parts.
std::vector<double> equal_planes(double lower, double upper, int parts);

class Parts {
 public:
  /// No planes at all: the box is the only part.
  Parts(const sampling::Box& box, Planes planes);

  int count() const { return count_; }
  int along(int coordinate) const { return static_cast<int>(planes_[static_cast<std::size_t>(coordinate)].size()) + 1; }
  /// How many parts have equations with others at once, when they are taken one after another along the coordinate
  /// that has the most: a layer of them, and the next one.
  int widest_front() const;
  /// The ranges of a part.
  sampling::Box box(int part) const;

  /// The part of every point, the lower one on a plane between two. columns[c] has `points` numbers; it may be null for
  /// coordinates that are not cut.
  std::vector<int> of(std::span<const double* const> columns, std::size_t points) const;
  /// The points part by part, each part's in the order that they have.
  std::vector<std::size_t> order(std::span<const double* const> columns, std::size_t points) const;

  /// Moves a place so that what is spread evenly over the range falls into all layers across the coordinate alike. The
  /// ends of the range stay.
  double spread(int coordinate, double place) const;

 private:
  sampling::Box box_;
  Planes planes_;
  int count_ = 1;
};

}  // namespace pecann::problem
