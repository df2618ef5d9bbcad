#include "pecann/optim/partial_cholesky.h"

namespace pecann::optim {

using kernel::kBlockRows;

int cholesky_threads(std::size_t size) {
  constexpr std::size_t kWorthThreads = 256;  // smaller matrices are done before a helper is awake
  return size < kWorthThreads ? 1 : thread_count();
}

void subtract_products(LowerBlocks& matrix, const TileOfBlocks& tile, std::size_t before) {
  for_products(
      tile, before * kBlockRows, [&](std::size_t i) { return matrix.block(i, 0); },
      [&](const double* x, const double* y, std::size_t depth, std::size_t i, std::size_t j, const double* next) {
        kernel::subtract_block_product(x, y, depth, matrix.block(i, j), next);
      });
}

bool finish_tile(LowerBlocks& matrix, const TileOfBlocks& tile) {
  for (std::size_t j = tile.column; j < tile.column_end; ++j) {
    for (std::size_t i = std::max(tile.row, j); i < tile.row_end; ++i) {
      kernel::subtract_block_product(matrix.block(i, tile.column), matrix.block(j, tile.column),
                                     (j - tile.column) * kBlockRows, matrix.block(i, j), matrix.block(i, tile.column));
      if (i != j) {
        kernel::solve_block(matrix.block(j, j), matrix.block(i, j));
      } else if (!kernel::factor_block(matrix.block(i, i))) {
        return false;
      }
    }
  }
  return true;
}

void subtract_eliminated(LowerBlocks& matrix, std::size_t columns) {
  const std::size_t blocks = matrix.blocks(), tiles = (blocks - columns + kTileBlocks - 1) / kTileBlocks;
  parallel_for(tiles * (tiles + 1) / 2, cholesky_threads(matrix.size()), [&](std::size_t item, int) {
    std::size_t row_tile = 0, column_tile = item;  // row by row of the lower triangle
    while (column_tile > row_tile) column_tile -= ++row_tile;
    const auto bounds = [&](std::size_t tile) { return columns + tile * kTileBlocks; };
    subtract_products(matrix,
                      {bounds(row_tile), std::min(bounds(row_tile + 1), blocks), bounds(column_tile),
                       std::min(bounds(column_tile + 1), blocks)},
                      columns);
  });
}

}  // namespace pecann::optim
