// The lower triangle of a symmetric matrix (or a triangular factor) as square tiles, each contiguous and
// row-major. Tiles are the units of work of the Gram product and the Cholesky factorisation: their borders
// depend on the matrix alone and each tile is computed by one thread with single-threaded BLAS calls, so
// results have the same bits for any number of threads.
#pragma once

#include <cstddef>

#include "pecann/base/aligned_vector.h"

namespace pecann::optim {

/// Edge of a tile. Measured on AVX2 with the 2601 × 3441 Gram product: 128, 192 and 256 reach the same rate
/// within noise; the smallest gives small matrices something to share between threads.
inline constexpr std::size_t kDenseTile = 128;

class DenseTiles {
 public:
  explicit DenseTiles(std::size_t size = 0);

  std::size_t size() const { return size_; }
  std::size_t tiles() const { return (size_ + kDenseTile - 1) / kDenseTile; }  // along one edge
  /// Rows in tile row i (the last one may be short; its storage is not).
  std::size_t tile_rows(std::size_t i) const;
  /// Tile (i, j), j ≤ i; consecutive rows are kDenseTile apart. Entries above the diagonal of the matrix
  /// have no meaning.
  double* tile(std::size_t i, std::size_t j) { return data_.data() + (i * (i + 1) / 2 + j) * kDenseTile * kDenseTile; }
  const double* tile(std::size_t i, std::size_t j) const { return const_cast<DenseTiles*>(this)->tile(i, j); }

  double at(std::size_t row, std::size_t column) const;  // column ≤ row
  void set_zero();
  double trace() const;
  void add_to_diagonal(double shift);

  static double bytes(std::size_t size);  // a double: sizes out of reach must not overflow

 private:
  std::size_t size_;
  AlignedVector<double> data_;
};

/// The pair (i, j) of the linear index i(i+1)/2 + j, j ≤ i.
struct TileIndex {
  std::size_t i, j;
};
TileIndex tile_index(std::size_t linear);

}  // namespace pecann::optim
