// A point set that grows point by point.
#pragma once

#include <span>
#include <utility>

#include "pecann/sampling/points.h"

namespace pecann::sampling {

class PointBuilder {
 public:
  explicit PointBuilder(int dimension) : columns_(static_cast<std::size_t>(dimension)) {}

  /// Takes the memory for so many points at once: growing would take twice as much for a moment.
  void reserve(double count) {
    for (auto& column : columns_) column.reserve(round_up(static_cast<std::size_t>(count), kLanes));
  }

  void add(std::span<const double> point) {
    for (std::size_t c = 0; c < columns_.size(); ++c) columns_[c].push_back(point[c]);
  }

  PointSet finish() && {
    PointSet points;
    points.count = columns_[0].size();
    points.coordinates = std::move(columns_);
    for (auto& column : points.coordinates) {
      const double last = column.empty() ? 0.0 : column.back();  // a copy: resize may move the column
      column.resize(points.padded(), last);
    }
    return points;
  }

 private:
  std::vector<AlignedVector<double>> columns_;
};

}  // namespace pecann::sampling
