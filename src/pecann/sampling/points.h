// Point sets: one array per coordinate and named columns of further numbers, all padded to a multiple of kLanes by
// repeating the last point.
#pragma once

#include <cstddef>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "pecann/base/aligned_vector.h"

namespace pecann::sampling {

/// The ranges of the coordinates, one of which may be time: the box around the domain (sampling/domain.h).
struct Box {
  std::vector<std::string> names;
  std::vector<double> lower, upper;
  int time = -1;            // index of the time coordinate, -1 = none
  std::vector<int> family;  // indices of coordinates that number the members of a family of problems

  int dimension() const { return static_cast<int>(names.size()); }
  int index_of(const std::string& name) const;  // -1 when unknown
  bool in_space(int coordinate) const;          // neither time nor of a family
};

/// Names of columns that the program itself gives to points. Measured values are "data.NAME".
inline constexpr const char* kNormalColumn = "normal.";  // "normal.x", …: the outward unit normal, in space
inline constexpr const char* kWeightColumn = "weight";   // quadrature: Σ weight · f estimates the integral of f
inline constexpr const char* kImportanceColumn = "importance";  // what a point counts in a mean or sum, 1 on average

struct PointSet {
  std::size_t count = 0;                                 // real points
  std::vector<AlignedVector<double>> coordinates;        // [coordinate][padded()]
  std::map<std::string, AlignedVector<double>> columns;  // by name, [padded()] each

  std::size_t padded() const { return round_up(count, kLanes); }
  /// Adds or replaces a column: one value per real point.
  void set_column(const std::string& name, std::span<const double> values);
  const double* column(const std::string& name) const;  // null when there is none
};

/// The values of real points, padded by repeating the last one.
AlignedVector<double> padded_column(std::span<const double> values);

/// Some points of a set with all their columns, in the given order.
PointSet subset(const PointSet& points, std::span<const std::size_t> chosen);

/// The points of `more` behind those of `points`, which must have the same columns (or no points at all).
void append(const PointSet& more, PointSet& points);

/// One point, without columns.
PointSet single_point(std::span<const double> coordinates);

}  // namespace pecann::sampling
