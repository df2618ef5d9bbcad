// Point sets: one array per coordinate, padded to a multiple of kLanes by repeating the last point.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "pecann/base/aligned_vector.h"

namespace pecann::sampling {

/// The domain: a box, one coordinate of which may be time.
struct Box {
  std::vector<std::string> names;
  std::vector<double> lower, upper;
  int time = -1;  // index of the time coordinate, -1 = none

  int dimension() const { return static_cast<int>(names.size()); }
  int index_of(const std::string& name) const;  // -1 when unknown
};

struct PointSet {
  std::size_t count = 0;                           // real points
  std::vector<AlignedVector<double>> coordinates;  // [coordinate][padded()]

  std::size_t padded() const { return round_up(count, kLanes); }
};

}  // namespace pecann::sampling
