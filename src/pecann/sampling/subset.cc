#include "pecann/sampling/subset.h"

namespace pecann::sampling {

PointSet subset(const PointSet& points, std::span<const std::size_t> chosen) {
  PointSet result;
  result.count = chosen.size();
  for (const auto& coordinate : points.coordinates) {
    AlignedVector<double> values;
    values.reserve(result.padded());
    for (const std::size_t i : chosen) values.push_back(coordinate[i]);
    values.resize(result.padded(), values.empty() ? 0.0 : values.back());
    result.coordinates.push_back(std::move(values));
  }
  return result;
}

}  // namespace pecann::sampling
