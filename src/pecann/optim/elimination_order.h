// The order in which blocks of columns are eliminated, where every row depends on a few blocks only: the parts of a
// domain, whose equations see the part itself and its neighbours.
//
// Blocks that share rows are neighbours of a graph; its Cuthill–McKee order keeps neighbours close to each other. When
// block k of that order is eliminated, the rows that depend on it reach as far as block reach(k): what lies between
// makes up a dense front (frontal_qr.h, frontal_cholesky.h).
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace pecann::optim {

struct EliminationOrder {
  /// blocks_of[i]: the blocks that tile i of rows depends on.
  EliminationOrder(std::size_t blocks, std::span<const std::vector<int>> blocks_of);

  /// Tiles whose rows depend on the same blocks.
  struct Group {
    std::vector<int> blocks;  // in the order of elimination
    std::vector<std::size_t> tiles;
  };

  /// The blocks of the front of the block at a position: itself and those up to reach.
  std::span<const int> front(std::size_t at) const { return std::span(order).subspan(at, reach[at] - at + 1); }

  std::vector<int> order;                  // position -> block
  std::vector<std::size_t> position;       // block -> position
  std::vector<std::size_t> reach;          // position -> the last position of its front
  std::vector<std::vector<Group>> groups;  // position -> the tiles whose first block it is
};

/// The columns of some blocks one after another, each block filled up to whole stripes of kernel/block_algebra.h.
struct ColumnLayout {
  ColumnLayout(std::span<const int> blocks, std::span<const std::size_t> sizes);

  std::size_t columns = 0;
  std::vector<std::ptrdiff_t> first_column;  // by block; −1 for those that are not among them
};

}  // namespace pecann::optim
