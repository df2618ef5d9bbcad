#include "pecann/optim/dense_cholesky.h"

#include <algorithm>

#include "pecann/base/parallel.h"
#include "pecann/base/require.h"
#include "pecann/optim/partial_cholesky.h"

namespace pecann::optim {
using kernel::kBlockRows;

bool DenseCholesky::factor(const LowerBlocks& a, double shift) {
  require(a.size() == factor_.size(), "the factor was made for another size");
  return factor_columns(factor_, factor_.blocks(), [&](const TileOfBlocks& tile) {
    for (std::size_t i = tile.row; i < tile.row_end; ++i) {
      const std::size_t last = std::min(tile.column_end, i + 1);
      std::copy(a.block(i, tile.column), a.block(i, last), factor_.block(i, tile.column));
      if (last <= i) continue;
      double* const diagonal = factor_.block(i, i);
      for (std::size_t k = 0; k < kBlockRows; ++k)
        diagonal[k * kBlockRows + k] = k < factor_.block_rows(i) ? diagonal[k * kBlockRows + k] + shift : 1.0;
    }
  });
}

void DenseCholesky::solve(std::span<double> b) {
  require(b.size() == factor_.size(), "right side of another size");
  const std::size_t blocks = factor_.blocks();
  const int threads = cholesky_threads(factor_.size());
  std::copy(b.begin(), b.end(), padded_.begin());
  std::fill(padded_.begin() + static_cast<std::ptrdiff_t>(b.size()), padded_.end(), 0.0);
  const auto part = [&](std::size_t i) { return padded_.data() + i * kBlockRows; };
  for (std::size_t first = 0; first < blocks; first += kTileBlocks) {  // L z = b
    const std::size_t end = std::min(first + kTileBlocks, blocks);
    for (std::size_t i = first; i < end; ++i) {
      kernel::subtract_panel_product(factor_.block(i, first), (i - first) * kBlockRows, part(first), part(i));
      kernel::solve_lower(factor_.block(i, i), part(i));
    }
    parallel_for((blocks - end + kTileBlocks - 1) / kTileBlocks, threads, [&](std::size_t item, int) {
      const std::size_t row = end + item * kTileBlocks;
      for (std::size_t i = row; i < std::min(row + kTileBlocks, blocks); ++i)
        kernel::subtract_panel_product(factor_.block(i, first), (end - first) * kBlockRows, part(first), part(i));
    });
  }
  for (std::size_t end = blocks; end > 0;) {  // Lᵀ x = z
    const std::size_t first = (end - 1) / kTileBlocks * kTileBlocks;
    for (std::size_t i = end; i-- > first;) {
      kernel::solve_lower_transposed(factor_.block(i, i), part(i));
      kernel::subtract_panel_transposed(factor_.block(i, first), (i - first) * kBlockRows, part(i), part(first));
    }
    parallel_for((first + kTileBlocks - 1) / kTileBlocks, threads, [&](std::size_t item, int) {
      const std::size_t column = item * kTileBlocks;
      const std::size_t width = std::min(kTileBlocks, first - column) * kBlockRows;
      for (std::size_t i = end; i-- > first;)
        kernel::subtract_panel_transposed(factor_.block(i, column), width, part(i), part(column));
    });
    end = first;
  }
  std::copy_n(padded_.begin(), b.size(), b.begin());
}

}  // namespace pecann::optim
