// The lower triangle of a symmetric matrix, or a triangular factor, as 24 × 24 blocks in the layout of
// kernel/block_algebra.h: row of blocks i holds the columns of its blocks 0..i one after another, so that it is a panel
// of kernel products over any of its columns. The last row of blocks is filled up with rows of zeros.
#pragma once

#include <cstddef>

#include "pecann/base/aligned_vector.h"
#include "pecann/kernel/block_algebra.h"

namespace pecann::optim {

class LowerBlocks {
 public:
  explicit LowerBlocks(std::size_t size = 0);

  std::size_t size() const { return size_; }
  std::size_t blocks() const { return blocks_for(size_); }  // along one edge
  static std::size_t blocks_for(std::size_t size) { return (size + kernel::kBlockRows - 1) / kernel::kBlockRows; }
  /// Rows in row of blocks i; the last one may be short, its storage is not.
  std::size_t block_rows(std::size_t i) const;
  /// Block (i, j), j ≤ i. Entries above the diagonal of the matrix have no meaning.
  double* block(std::size_t i, std::size_t j) { return data_.data() + offset(i) + j * kernel::kBlockSize; }
  const double* block(std::size_t i, std::size_t j) const { return data_.data() + offset(i) + j * kernel::kBlockSize; }
  /// Where row of blocks i begins among all numbers.
  static std::size_t offset(std::size_t i) { return i * (i + 1) / 2 * kernel::kBlockSize; }

  double at(std::size_t row, std::size_t column) const;  // column ≤ row
  double& at(std::size_t row, std::size_t column);
  void set_zero();
  double trace() const;

  static double bytes(std::size_t size);  // a double: sizes out of reach must not overflow

 private:
  std::size_t size_;
  AlignedVector<double> data_;
};

}  // namespace pecann::optim
