// Rows B eliminated against a triangular factor: [R; B] = Q [R'; 0], by block reflectors I − V T Vᵀ of a few blocks of
// columns (compact WY; Schreiber & Van Loan 1989).
//
// R is stored as Rᵀ in blocks, and the rows as stripes of 24 columns: both are the operands of kernel products as they
// are. Threads share out stripes; one of them makes the next reflectors meanwhile. The bits do not depend on threads.
#pragma once

#include <cstddef>

#include "pecann/base/aligned_vector.h"
#include "pecann/optim/lower_blocks.h"

namespace pecann::optim {

/// Which entries of the rows are zero from the start.
enum class RowShape {
  Full,
  Staircase  // row k of the rows begins at column k after the first one
};

class BlockElimination {
 public:
  static double bytes(std::size_t stripes, std::size_t rows);

  /// Room for `rows` rows (filled up to whole blocks) of `stripes` stripes of 24 columns, all zero. Keeps its memory.
  void begin(std::size_t stripes, std::size_t rows);
  /// Stripe s: stripe(s)[k·24 + j] is the entry of row k and column 24·s + j.
  double* stripe(std::size_t s) { return rows_.data() + s * padded_ * kernel::kBlockRows; }
  std::size_t padded_rows() const { return padded_; }

  /// Eliminates the columns of stripes [first, last) and applies the reflectors to all later stripes as well. Column c
  /// of R is row c of `factor`.
  void run(LowerBlocks& factor, std::size_t first, std::size_t last, RowShape shape);

 private:
  struct Reflectors {  // of up to kReflectorBlocks stripes
    std::size_t first = 0, blocks = 0, rows = 0;
    AlignedVector<double> columns;   // V transposed: per 24 rows, all columns one after another
    AlignedVector<double> triangle;  // T, stripe by stripe
  };

  void make(LowerBlocks& factor, std::size_t first, std::size_t end, Reflectors& made, double* work);
  void apply(const Reflectors& reflectors, LowerBlocks& factor, std::size_t s, double* work);

  std::size_t stripes_ = 0, padded_ = 0;
  AlignedVector<double> rows_;
  Reflectors made_[2];          // those that are applied and those of the next block of columns
  AlignedVector<double> work_;  // of every thread
};

}  // namespace pecann::optim
