#include "pecann/optim/dense_tiles.h"

#include <algorithm>
#include <cmath>

#include "pecann/base/require.h"

namespace pecann::optim {

DenseTiles::DenseTiles(std::size_t size)
    : size_(size), data_(tiles() * (tiles() + 1) / 2 * kDenseTile * kDenseTile, 0.0) {}

std::size_t DenseTiles::tile_rows(std::size_t i) const { return std::min(kDenseTile, size_ - i * kDenseTile); }

double DenseTiles::at(std::size_t row, std::size_t column) const {
  require(column <= row && row < size_, "only the lower triangle is stored");
  return tile(row / kDenseTile, column / kDenseTile)[(row % kDenseTile) * kDenseTile + column % kDenseTile];
}

void DenseTiles::set_zero() { std::fill(data_.begin(), data_.end(), 0.0); }

double DenseTiles::trace() const {
  double sum = 0;
  for (std::size_t i = 0; i < size_; ++i) sum += at(i, i);
  return sum;
}

void DenseTiles::add_to_diagonal(double shift) {
  for (std::size_t i = 0; i < tiles(); ++i) {
    double* diagonal = tile(i, i);
    for (std::size_t k = 0; k < tile_rows(i); ++k) diagonal[k * kDenseTile + k] += shift;
  }
}

double DenseTiles::bytes(std::size_t size) {
  const double edge = std::ceil(static_cast<double>(size) / kDenseTile);
  return edge * (edge + 1) / 2 * kDenseTile * kDenseTile * sizeof(double);
}

TileIndex tile_index(std::size_t linear) {
  auto i = static_cast<std::size_t>((std::sqrt(8.0 * static_cast<double>(linear) + 1.0) - 1.0) / 2.0);
  while (i * (i + 1) / 2 > linear) --i;
  while ((i + 1) * (i + 2) / 2 <= linear) ++i;
  return {i, linear - i * (i + 1) / 2};
}

}  // namespace pecann::optim
