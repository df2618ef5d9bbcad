#include "pecann/sampling/shape.h"

#include <cmath>

namespace pecann::sampling {

SpacePoints::SpacePoints(const Columns& points) : count(points.empty() ? 0 : points[0].size()) {
  for (const std::vector<double>& column : points) columns.push_back(column.data());
}

SpacePoints SpacePoints::part(std::size_t first, std::size_t size) const {
  std::vector<const double*> arrays;
  for (const double* column : columns) arrays.push_back(column + first);
  return {std::move(arrays), size};
}

double Bounds::diagonal() const {
  double square = 0;
  for (std::size_t c = 0; c < lower.size(); ++c) square += (upper[c] - lower[c]) * (upper[c] - lower[c]);
  return std::sqrt(square);
}

double Bounds::volume() const {
  double product = 1;
  for (std::size_t c = 0; c < lower.size(); ++c) product *= upper[c] - lower[c];
  return product;
}

}  // namespace pecann::sampling
