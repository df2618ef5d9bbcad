// The products of a tile of blocks over a long depth, in chunks whose operands stay in the second-level cache: those of
// the next chunk are fetched while one is computed. An entry is summed chunk after chunk, whatever the tile.
#pragma once

#include <algorithm>
#include <cstddef>

#include "pecann/kernel/block_algebra.h"

namespace pecann::optim {

inline constexpr std::size_t kTileBlocks = 4;    // along an edge of a tile: what a thread takes
inline constexpr std::size_t kChunkDepth = 128;  // 2 · 96 · 128 numbers of operands

/// Blocks (i, j), row ≤ i < row_end, column ≤ j < column_end, of them those with j ≤ i.
struct TileOfBlocks {
  std::size_t row, row_end, column, column_end;
};

/// Calls product(a, b, depth, i, j, next) for all blocks and chunks; panel(i) is where row of blocks i has its columns.
template <class Panel, class Product>
void for_products(const TileOfBlocks& tile, std::size_t depth, const Panel& panel, const Product& product) {
  const std::size_t rows = tile.row_end - tile.row, columns = tile.column_end - tile.column;
  for (std::size_t k = 0; k < depth; k += kChunkDepth) {
    const std::size_t chunk = std::min(kChunkDepth, depth - k);
    const std::size_t ahead = k + kChunkDepth + chunk <= depth ? k + kChunkDepth : k;
    std::size_t fetched = 0;
    for (std::size_t i = tile.row; i < tile.row_end; ++i) {
      for (std::size_t j = tile.column; j < std::min(tile.column_end, i + 1); ++j, ++fetched) {
        const std::size_t next = fetched < columns          ? tile.column + fetched
                                 : fetched < columns + rows ? tile.row + fetched - columns
                                                            : tile.row;
        product(panel(i) + k * kernel::kBlockRows, panel(j) + k * kernel::kBlockRows, chunk, i, j,
                panel(next) + ahead * kernel::kBlockRows);
      }
    }
  }
}

}  // namespace pecann::optim
