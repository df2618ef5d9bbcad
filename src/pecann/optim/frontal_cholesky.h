// The normal equations (AᵀA + δ²I) d = −Aᵀb of rows that depend on a few blocks of columns each, by Cholesky's factor:
// frontal_qr.h for those who can do without the last digits, at a fifth of its operations.
//
// The products of rows reach two or three blocks and are added to their places in the front, which is never filled with
// zeros of other blocks; one block's columns are factored and leave the front, which takes their products. Squares of
// columns of length one lose all that is below 1e-8 of them, so δ must be well above: at 1e-6 a solution has as many
// right digits as δ leaves it. Bits do not depend on the number of threads.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "pecann/optim/frontal_factor.h"

namespace pecann::optim {

class FrontalCholesky {
 public:
  /// The least δ that it can be trusted with.
  static constexpr double kLeastDelta = 1e-6;

  /// `sizes`: columns of each block, by block. The order must outlive this object.
  FrontalCholesky(const EliminationOrder& order, std::vector<std::size_t> sizes, double delta);

  /// Makes block order[k] the one that is eliminated; k counts up from 0.
  void begin_front(std::size_t k);
  /// Adds products of rows that depend on some blocks of the front: of the columns of these blocks, in the order of
  /// elimination, each block filled up to whole stripes.
  void add(std::span<const int> blocks, const LowerBlocks& products);
  /// The rows of the factor of this block are final. False where the matrix is not positive definite to working
  /// precision, or not finite.
  [[nodiscard]] bool end_front();

  /// After the last front: (AᵀA + δ²I)⁻¹ g, by block, one after another in the order of blocks' numbers.
  std::vector<double> solve(std::span<const double> g) const;

 private:
  const EliminationOrder* order_;
  double delta_;
  std::size_t front_ = 0, stripes_ = 0, shifted_ = 0;  // position, stripes of the front, blocks whose diagonal has δ²
  LowerBlocks matrix_;
  FrontalFactor finished_;
};

}  // namespace pecann::optim
