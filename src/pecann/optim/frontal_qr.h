// Least squares min ‖A d + b‖² + δ² ‖d‖² by Householder QR, for rows that depend on a few blocks of columns each
// (elimination_order.h): streamed_qr.h for matrices that are not dense.
//
// Block after block is eliminated. Its front, the blocks from it to reach(k), is a dense triangle that all rows which
// begin with this block are eliminated against; then its rows of R are final and leave the front:
//
//   [T; rows] = Q [R_k; T'],   T' the front of the next block.
//
// The caller scales the columns to length one, so that δ is relative to them; no column is left out, δ alone bounds
// coefficients that the rows do not determine. Bits do not depend on the number of threads (block_elimination.h).
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "pecann/base/aligned_vector.h"
#include "pecann/optim/block_elimination.h"
#include "pecann/optim/elimination_order.h"
#include "pecann/optim/lower_blocks.h"

namespace pecann::optim {

class FrontalQr {
 public:
  /// `sizes`: columns of each block, by block. The order must outlive this object.
  FrontalQr(const EliminationOrder& order, std::vector<std::size_t> sizes, double delta);

  /// Makes block order[k] the one that is eliminated; k counts up from 0.
  void begin_front(std::size_t k);
  /// Adds rows [A b] that begin with this block: panel[c·stride + row] for the columns of its FrontLayout, b behind
  /// them.
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
  struct
      Finished {  // the rows of R of a block: for each of its rows of 24, all stripes from it to the end of the front
    std::size_t stripes = 0;
    std::vector<AlignedVector<double>> rows;
  };
  void add_what_is_left();
  static std::size_t stripes_for(std::size_t columns) { return LowerBlocks::blocks_for(columns); }

  const EliminationOrder* order_;
  std::vector<std::size_t> sizes_;
  double delta_, left_ = 0;
  std::size_t front_ = 0, stripes_ = 0;  // position, stripes of the front without b
  LowerBlocks factor_;                   // [T z]ᵀ
  BlockElimination elimination_;
  std::vector<Finished> finished_;  // by position
};

}  // namespace pecann::optim
