// A + νI = L Lᵀ for a symmetric matrix in blocks (partial_cholesky.h); the bits do not depend on threads.
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
  LowerBlocks factor_;
  AlignedVector<double> padded_;  // the right side, filled up with zeros to whole blocks
};

}  // namespace pecann::optim
