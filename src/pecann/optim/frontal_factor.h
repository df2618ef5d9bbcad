// The triangular factor R of blocks that are eliminated one after another (elimination_order.h): of every block its
// rows, which reach to the end of its front. RᵀR is the matrix of the normal equations.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "pecann/base/aligned_vector.h"
#include "pecann/optim/elimination_order.h"
#include "pecann/optim/lower_blocks.h"

namespace pecann::optim {

class FrontalFactor {
 public:
  /// `sizes`: columns of each block, by block. The order must outlive this object.
  FrontalFactor(const EliminationOrder& order, std::vector<std::size_t> sizes);

  std::span<const std::size_t> sizes() const { return sizes_; }
  /// Stripes of 24 columns of the block at a position.
  std::size_t stripes_of(std::size_t position) const;

  /// Keeps the rows of R of the next block, in the order of elimination: the first stripes_of(position) columns of a
  /// factor Rᵀ whose first `stripes` rows of blocks are the front.
  void keep(const LowerBlocks& factor, std::size_t stripes);
  std::size_t kept() const { return rows_.size(); }

  /// Numbers by block, those of a block one after another, in the order of blocks' numbers, and back; in between they
  /// stand in the order of elimination, filled up to whole stripes.
  AlignedVector<double> in_order(std::span<const double> by_block) const;
  std::vector<double> by_block(std::span<const double> in_order) const;

  /// x ← R⁻ᵀ x and x ← R⁻¹ x, in the order of elimination; all blocks are kept.
  void solve_transposed(AlignedVector<double>& x) const;
  void solve(AlignedVector<double>& x) const;

 private:
  struct Rows {  // for each row of 24, all stripes from it to the end of the front
    std::size_t stripes = 0;
    std::vector<AlignedVector<double>> rows;
  };
  const EliminationOrder* order_;
  std::vector<std::size_t> sizes_;
  std::vector<std::size_t> first_stripe_ = {0};  // by position, and behind the last one
  std::vector<Rows> rows_;                       // by position
};

}  // namespace pecann::optim
