// The order in which blocks of columns are eliminated, where every row depends on a few blocks only: the parts of a
// domain, whose equations see the part itself and its neighbours.
//
// Blocks that share rows are neighbours of a graph; its Cuthill–McKee order keeps neighbours close to each other. When
// block k of that order is eliminated, the rows that depend on it reach as far as block reach(k): what lies between
// makes up a dense front (frontal_qr.h).
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace pecann::optim {

struct EliminationOrder {
  /// blocks_of[i]: the blocks that tile i of rows depends on.
  EliminationOrder(std::size_t blocks, std::span<const std::vector<int>> blocks_of);

  std::vector<int> order;                       // position -> block
  std::vector<std::size_t> position;            // block -> position
  std::vector<std::size_t> reach;               // position -> the last position of its front
  std::vector<std::vector<std::size_t>> tiles;  // position -> the tiles whose first block it is
};

/// The columns of the front of a block: its blocks one after another, each filled up to whole stripes of a QR.
struct FrontLayout {
  FrontLayout(const EliminationOrder& order, std::span<const std::size_t> sizes, std::size_t position);

  std::size_t columns = 0;
  std::vector<std::ptrdiff_t> first_column;  // by block; −1 for those that are not in the front
};

}  // namespace pecann::optim
