// Least squares min ‖A d + b‖ by Householder QR, with A handed over in panels of rows and never stored:
//
//   [R z]  is the triangular factor of all rows [A b] so far; a panel is eliminated against it,
//   [S y]  that of [R D z; δ I 0]: D scales the columns to length 1, δ is the cut,
//   d = −D S⁻¹ y, in which columns c with |S_cc| ≤ 3 δ are left out (D_cc = 0, and S once more).
//
// QR keeps the last digits: the errors of A's columns are those of rounding, column by column, while normal equations
// would square the condition. δ is at the level of rounding: it bounds coefficients in directions that the rows do not
// see, and others do not notice. A column is left out when those before it make it up to 3 δ, with coefficients of
// that size: what is left of it is rounding, which must not be fitted to.
//
// While R has fewer rows than columns, a panel is used up as soon as it has given R its rows: the columns beyond have
// nothing left to eliminate. That saves n³/3 multiply-adds of the n² times the number of rows that all panels cost.
//
// Everything is made of products of blocks (kernel/block_algebra.h), R being stored as Rᵀ. Threads share out columns,
// and while most columns take part in the reflectors of a block of columns, one thread makes those of the next block:
// the operations on a column and their order depend on nothing else, so the bits are the same for any thread count.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "pecann/base/aligned_vector.h"
#include "pecann/optim/block_elimination.h"
#include "pecann/optim/lower_blocks.h"

namespace pecann::optim {

class StreamedQr {
 public:
  explicit StreamedQr(std::size_t columns);
  static double bytes(std::size_t columns, std::size_t panel_rows);

  /// Adds rows [A b]: panel[c·stride + row] for the columns of A, then b as the last column.
  void add_rows(const double* panel, std::size_t rows, std::size_t stride);

  /// The d of least ‖A d + b‖² + δ² ‖D⁻¹ d‖² over all rows; returns the number of columns that were not left out.
  std::size_t solve(double cut, std::span<double> d) const;

 private:
  [[nodiscard]] bool used_up(std::size_t eliminated);
  std::size_t blocks() const { return LowerBlocks::blocks_for(columns_); }  // of A's columns; z is a row of blocks more
  std::vector<double> scales() const;
  void shift(std::span<const double> scale, double delta, LowerBlocks& factor) const;

  std::size_t columns_;
  std::size_t filled_ = 0;  // blocks of R's rows that are not zero
  LowerBlocks factor_;      // [R z]ᵀ
  BlockElimination elimination_;
};

}  // namespace pecann::optim
