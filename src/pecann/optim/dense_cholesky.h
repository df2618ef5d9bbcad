// A + νI = L Lᵀ for a symmetric matrix in tiles, computed right-looking, one tile column at a time. The order of
// operations on a tile is that of the columns, whatever the threads, so the factor has the same bits on any
// number of them.
#pragma once

#include <span>

#include "pecann/optim/dense_tiles.h"

namespace pecann::optim {

class DenseCholesky {
 public:
  explicit DenseCholesky(std::size_t size = 0) : factor_(size) {}

  /// False when A + shift·I is not positive definite to working precision, or not finite; there is then no factor.
  [[nodiscard]] bool factor(const DenseTiles& a, double shift);

  /// b ← (A + shift·I)⁻¹ b with the last factor.
  void solve(std::span<double> b) const;

  const DenseTiles& lower() const { return factor_; }

 private:
  [[nodiscard]] bool factor_column(std::size_t k);

  DenseTiles factor_;
};

}  // namespace pecann::optim
