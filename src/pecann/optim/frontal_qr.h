// Least squares min ‖A d + b‖² + δ² ‖d‖² by Householder QR, for rows that depend on a few blocks of columns each
// (elimination_order.h): streamed_qr.h for matrices that are not dense.
//
// Block after block is eliminated. Rows that depend on one block alone first become a triangle of its columns, which is
// a fraction of the work; then this triangle and the rows that it shares with later blocks meet its front, the dense
// triangle of the blocks from it to reach(k). Its rows of R are final then and leave the front:
//
//   [δI; own rows] = Q [R_own; 0],   [T; R_own; shared rows] = Q [R_k; T'],   T' the front of the next block.
//
// The caller scales the columns to length one, so that δ is relative to them; no column is left out, δ alone bounds
// coefficients that the rows do not determine. Bits do not depend on the number of threads (block_elimination.h).
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "pecann/base/aligned_vector.h"
#include "pecann/optim/block_elimination.h"
#include "pecann/optim/frontal_factor.h"

namespace pecann::optim {

class FrontalQr {
 public:
  /// `sizes`: columns of each block, by block. The order must outlive this object.
  FrontalQr(const EliminationOrder& order, std::vector<std::size_t> sizes, double delta);

  /// Makes block order[k] the one that is eliminated; k counts up from 0.
  void begin_front(std::size_t k);
  /// Adds rows [A b] that depend on this block alone: panel[c·stride + row] for its columns, filled up to whole
  /// stripes, b behind them.
  void add_own_rows(const double* panel, std::size_t rows, std::size_t stride);
  /// After all own rows, once.
  void join_own_rows();
  /// Adds rows that begin with this block: for the columns of its front, b behind them.
  void add_rows(const double* panel, std::size_t rows, std::size_t stride);
  /// The rows of R of this block are final.
  void end_front();

  /// After the last front: ‖A d + b‖² + δ²‖d‖² of the solution.
  double left() const { return left_; }
  /// After the last front: d by block, one after another in the order of blocks' numbers.
  std::vector<double> solution() const;

  /// About how many bytes it takes, for those who ask before: all rows of R, two triangles of the widest front, and a
  /// panel of so many rows, twice.
  static double bytes(std::size_t columns, std::size_t front, std::size_t panel_rows);

 private:
  void eliminate(const double* panel, std::size_t rows, std::size_t stride, LowerBlocks& factor, std::size_t stripes);
  void add_what_is_left(std::size_t stripes);

  const EliminationOrder* order_;
  double delta_, left_ = 0;
  std::size_t front_ = 0, stripes_ = 0;  // position, stripes of the front without b
  LowerBlocks factor_, own_;             // [T z]ᵀ and the same of the own rows
  BlockElimination elimination_;
  FrontalFactor finished_;
  AlignedVector<double> constant_;  // what R d + constant = 0 has, in the order of elimination
};

}  // namespace pecann::optim
