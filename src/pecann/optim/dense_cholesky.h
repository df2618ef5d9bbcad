// A + νI = L Lᵀ for a symmetric matrix in blocks, one column of tiles (4 × 4 blocks) at a time and left-looking: a tile
// takes the products of everything to its left at once, which reads the factor in the layout it is stored in. The order
// of operations on a block does not depend on threads, so the factor has the same bits on any number of them.
#pragma once

#include <span>

#include "pecann/base/aligned_vector.h"
#include "pecann/optim/lower_blocks.h"

namespace pecann::optim {

class DenseCholesky {
 public:
  explicit DenseCholesky(std::size_t size = 0) : factor_(size), padded_(factor_.blocks() * kernel::kBlockRows) {}

  /// False when A + shift·I is not positive definite to working precision, or not finite; there is then no factor.
  [[nodiscard]] bool factor(const LowerBlocks& a, double shift);

  /// b ← (A + shift·I)⁻¹ b with the last factor.
  void solve(std::span<double> b);

  const LowerBlocks& lower() const { return factor_; }

 private:
  void begin_tile(const LowerBlocks& a, double shift, std::size_t row, std::size_t end, std::size_t column,
                  std::size_t column_end);
  [[nodiscard]] bool finish_tile(std::size_t row, std::size_t end, std::size_t column, std::size_t column_end);

  LowerBlocks factor_;
  AlignedVector<double> padded_;  // the right side, filled up with zeros to whole blocks
};

}  // namespace pecann::optim
