// Least squares min ‖A d + b‖ by Householder QR, with A handed over in panels of rows and never stored:
//
//   [R z; 0 ρ]  is the triangular factor of all rows [A b] so far; a panel is eliminated against it (LAPACK tpqrt),
//   R D = Q₂ S Πᵀ  QR with column pivoting, D scales the columns to length 1,
//   d = −D Π S₁⁻¹ (Q₂ᵀ z)₁  with the leading block S₁ whose diagonal is above cut · |S₁₁|; the rest of d is zero.
//
// QR keeps the last digits: the errors of A's columns are those of rounding, column by column, while normal equations
// would square the condition. One thread eliminates the panels in their order: the bits depend on nothing else.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "pecann/base/aligned_vector.h"

namespace pecann::optim {

class StreamedQr {
 public:
  explicit StreamedQr(std::size_t columns);
  static double bytes(std::size_t columns, std::size_t panel_rows);

  /// Adds rows [A b]: panel[c·stride + row] for the columns of A, then b as the last column. Overwrites the panel.
  void add_rows(double* panel, std::size_t rows, std::size_t stride);

  /// The d of least ‖A d + b‖ over all rows; returns the rank that the cut left.
  std::size_t solve(double cut, std::span<double> d) const;

 private:
  std::size_t columns_;
  AlignedVector<double> triangle_;  // [R z; 0 ρ], column-major
  std::vector<double> reflectors_, work_;
};

}  // namespace pecann::optim
