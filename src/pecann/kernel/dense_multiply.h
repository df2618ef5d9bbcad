// Z = A B for the small matrices of a network layer: A (weights, rows × depth) is packed once per evaluation, B and Z
// are tiles whose rows are neurons and whose columns are all channels of all points, row-major with a stride.
//
// Packed A: blocks of kRowBlock rows, each [depth][rows of the block], so that the kernel reads one
// contiguous stream; the last block may have fewer rows. The order of every sum is k = 0, 1, …: an element's
// bits do not depend on the column it stands in nor on the number of columns.
#pragma once

#include <cstddef>

namespace pecann::kernel {

inline constexpr std::size_t kRowBlock = 4;

/// Distance between rows for matrices of `columns` columns (a multiple of kLanes): an odd number of cache lines,
/// because walking down a column with a power-of-two stride would use a few sets of the first-level cache only.
constexpr std::size_t row_stride(std::size_t columns) { return columns / 8 % 2 == 1 ? columns : columns + 8; }

/// Packs element (r, k) = matrix[r * row_step + k * column_step]; `packed` has room for rows * depth doubles.
void pack_rows(const double* matrix, std::size_t row_step, std::size_t column_step, std::size_t rows, std::size_t depth,
               double* packed);

/// result (rows × columns) = A right; right has `depth` rows. columns is a multiple of kLanes, rows start
/// on cache lines.
void multiply(const double* packed, std::size_t rows, std::size_t depth, const double* right, std::size_t right_stride,
              double* result, std::size_t result_stride, std::size_t columns);

}  // namespace pecann::kernel
