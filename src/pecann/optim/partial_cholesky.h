// Columns of a symmetric matrix in blocks factored in place, as many of them as are wanted: all for a Cholesky factor,
// those of one block of a front for a sparse one.
//
//   [A B'; B C] = [L 0; M I] [I 0; 0 C − M M'] [L' M'; 0 I],   A = L L',   M = B L'⁻¹
//
// One column of tiles (4 × 4 blocks) at a time and left-looking: a tile takes the products of everything to its left at
// once, which reads the factor in the layout it is stored in. The order of operations on a block does not depend on
// threads, so the factor has the same bits on any number of them.
#pragma once

#include <algorithm>
#include <cstddef>

#include "pecann/base/parallel.h"
#include "pecann/optim/lower_blocks.h"
#include "pecann/optim/tile_product.h"

namespace pecann::optim {

/// Threads that are worth waking for a matrix of this size.
int cholesky_threads(std::size_t size);

/// The tile less the products of all columns of blocks before `before`.
void subtract_products(LowerBlocks& matrix, const TileOfBlocks& tile, std::size_t before);

/// What is left of a tile of columns that are factored: products within its columns, and the division by the factor of
/// the diagonal block. False where a pivot is not positive or not finite.
[[nodiscard]] bool finish_tile(LowerBlocks& matrix, const TileOfBlocks& tile);

/// Factors the first `columns` columns of blocks: L and M stand where A and B were. load(tile) is called for every tile
/// before it is touched, for those who bring the matrix from elsewhere. False where A is not positive definite to
/// working precision, or not finite; there is then no factor.
template <class Load>
[[nodiscard]] bool factor_columns(LowerBlocks& matrix, std::size_t columns, const Load& load) {
  const std::size_t blocks = matrix.blocks();
  const int threads = cholesky_threads(matrix.size());
  for (std::size_t column = 0; column < columns; column += kTileBlocks) {
    const std::size_t end = std::min(column + kTileBlocks, columns);
    const auto begin_tile = [&](std::size_t row, std::size_t row_end) {
      const TileOfBlocks tile{row, row_end, column, end};
      load(tile);
      subtract_products(matrix, tile, column);
    };
    parallel_for(end - column, threads, [&](std::size_t item, int) {
      const std::size_t row = end - 1 - item;  // the longest first
      begin_tile(row, row + 1);
    });
    if (!finish_tile(matrix, {column, end, column, end})) return false;
    parallel_for((blocks - end + kTileBlocks - 1) / kTileBlocks, threads, [&](std::size_t item, int) {
      const std::size_t row = end + item * kTileBlocks, row_end = std::min(row + kTileBlocks, blocks);
      begin_tile(row, row_end);
      (void)finish_tile(matrix, {row, row_end, column, end});  // has no diagonal block, so nothing that fails
    });
  }
  return true;
}

/// C ← C − M M' behind the first `columns` columns of blocks.
void subtract_eliminated(LowerBlocks& matrix, std::size_t columns);

}  // namespace pecann::optim
