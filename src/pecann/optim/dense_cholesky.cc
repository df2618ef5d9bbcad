#include "pecann/optim/dense_cholesky.h"

#include <algorithm>

#include "pecann/base/parallel.h"
#include "pecann/base/require.h"
#include "pecann/optim/tile_product.h"

namespace pecann::optim {
namespace {

using kernel::kBlockRows;

constexpr std::size_t kWorthThreads = 256;  // smaller matrices are done before a helper is awake

int threads_for_size(std::size_t size) { return size < kWorthThreads ? 1 : thread_count(); }

}  // namespace

/// The blocks [row, end) × [column, column_end) of A + shift·I, less the products of all columns of tiles before.
void DenseCholesky::begin_tile(const LowerBlocks& a, double shift, std::size_t row, std::size_t end, std::size_t column,
                               std::size_t column_end) {
  for (std::size_t i = row; i < end; ++i) {
    const std::size_t last = std::min(column_end, i + 1);
    std::copy(a.block(i, column), a.block(i, last), factor_.block(i, column));
    if (last <= i) continue;
    double* const diagonal = factor_.block(i, i);
    for (std::size_t k = 0; k < kBlockRows; ++k)
      diagonal[k * kBlockRows + k] = k < factor_.block_rows(i) ? diagonal[k * kBlockRows + k] + shift : 1.0;
  }
  for_products(
      {row, end, column, column_end}, column * kBlockRows, [&](std::size_t i) { return factor_.block(i, 0); },
      [&](const double* x, const double* y, std::size_t depth, std::size_t i, std::size_t j, const double* next) {
        kernel::subtract_block_product(x, y, depth, factor_.block(i, j), next);
      });
}

/// What is left of a tile: products within its columns, and the division by the factor of the diagonal block.
bool DenseCholesky::finish_tile(std::size_t row, std::size_t end, std::size_t column, std::size_t column_end) {
  for (std::size_t j = column; j < column_end; ++j) {
    for (std::size_t i = std::max(row, j); i < end; ++i) {
      kernel::subtract_block_product(factor_.block(i, column), factor_.block(j, column), (j - column) * kBlockRows,
                                     factor_.block(i, j), factor_.block(i, column));
      if (i != j) {
        kernel::solve_block(factor_.block(j, j), factor_.block(i, j));
      } else if (!kernel::factor_block(factor_.block(i, i))) {
        return false;
      }
    }
  }
  return true;
}

bool DenseCholesky::factor(const LowerBlocks& a, double shift) {
  require(a.size() == factor_.size(), "the factor was made for another size");
  const std::size_t blocks = factor_.blocks();
  const int threads = threads_for_size(factor_.size());
  for (std::size_t column = 0; column < blocks; column += kTileBlocks) {
    const std::size_t end = std::min(column + kTileBlocks, blocks);
    parallel_for(end - column, threads, [&](std::size_t item, int) {
      const std::size_t row = end - 1 - item;  // the longest first
      begin_tile(a, shift, row, row + 1, column, end);
    });
    if (!finish_tile(column, end, column, end)) return false;
    parallel_for((blocks - end + kTileBlocks - 1) / kTileBlocks, threads, [&](std::size_t item, int) {
      const std::size_t row = end + item * kTileBlocks, row_end = std::min(row + kTileBlocks, blocks);
      begin_tile(a, shift, row, row_end, column, end);
      (void)finish_tile(row, row_end, column, end);  // has no diagonal block, so nothing that fails
    });
  }
  return true;
}

void DenseCholesky::solve(std::span<double> b) {
  require(b.size() == factor_.size(), "right side of another size");
  const std::size_t blocks = factor_.blocks();
  const int threads = threads_for_size(factor_.size());
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
