#include "pecann/optim/dense_gram.h"

#include <cblas.h>

#include <algorithm>
#include <cmath>
#include <string_view>
#include <vector>

#include "pecann/base/communicator.h"
#include "pecann/base/parallel.h"
#include "pecann/optim/tile_product.h"

namespace pecann::optim {
namespace {

using kernel::kBlockRows;

/// Rows of blocks of each rank: row i has i + 1 blocks, so that the shares grow with the square root.
std::vector<std::size_t> rank_blocks(std::size_t blocks) {
  const int ranks = communicator().size();
  std::vector<std::size_t> bounds;
  for (int rank = 0; rank <= ranks; ++rank)
    bounds.push_back(
        static_cast<std::size_t>(std::lround(static_cast<double>(blocks) * std::sqrt(1.0 * rank / ranks))));
  return bounds;
}

}  // namespace

template <class Pack>
void GramProduct::add(std::size_t depth, LowerBlocks& gram, const Pack& pack) {
  const std::vector<std::size_t> bounds = rank_blocks(gram.blocks());
  const std::size_t first = bounds[communicator().rank()], last = bounds[communicator().rank() + 1];
  const std::size_t row_tiles = (last - first + kTileBlocks - 1) / kTileBlocks;
  const std::size_t column_tiles = (last + kTileBlocks - 1) / kTileBlocks;
  for (std::size_t begin = 0; begin < depth; begin += kGramDepth) {
    const std::size_t panel = std::min(kGramDepth, depth - begin);
    if (packed_.size() < last * kBlockRows * panel) packed_.resize(last * kBlockRows * panel);
    parallel_for(last, thread_count(),
                 [&](std::size_t i, int) { pack(i, begin, panel, packed_.data() + i * kBlockRows * panel); });
    parallel_for(row_tiles * column_tiles, thread_count(), [&](std::size_t item, int) {
      const std::size_t row = first + item / column_tiles * kTileBlocks, column = item % column_tiles * kTileBlocks;
      const std::size_t row_end = std::min(row + kTileBlocks, last);
      for_products(
          {row, row_end, column, std::min(column + kTileBlocks, row_end)}, panel,
          [&](std::size_t i) { return packed_.data() + i * panel * kBlockRows; },
          [&](const double* a, const double* b, std::size_t chunk, std::size_t i, std::size_t j, const double* next) {
            kernel::add_block_product(a, b, chunk, gram.block(i, j), next);
          });
    });
  }
}

void GramProduct::add_outer(const double* a, std::size_t depth, std::size_t stride, LowerBlocks& gram) {
  add(depth, gram, [&](std::size_t i, std::size_t begin, std::size_t panel, double* packed) {
    kernel::pack_rows(a + i * kBlockRows * stride + begin, stride, gram.block_rows(i), panel, packed);
  });
}

void GramProduct::add_inner(const double* a, std::size_t depth, std::size_t stride, LowerBlocks& gram) {
  add(depth, gram, [&](std::size_t i, std::size_t begin, std::size_t panel, double* packed) {
    kernel::pack_columns(a + begin * stride + i * kBlockRows, stride, gram.block_rows(i), panel, packed);
  });
}

void share_gram(LowerBlocks& gram) {
  Communicator& ranks = communicator();
  if (ranks.size() == 1) return;
  std::vector<std::size_t> bounds = rank_blocks(gram.blocks());
  for (std::size_t& bound : bounds) bound = LowerBlocks::offset(bound);
  ranks.share({gram.block(0, 0), bounds.back()}, bounds);
}

void use_single_threaded_blas() {
  static const bool done = (openblas_set_num_threads(1), true);
  (void)done;
}

std::string blas_description() {
  // The configuration reads "OpenBLAS 0.3.21 NO_LAPACKE DYNAMIC_ARCH …".
  const std::string_view configuration = openblas_get_config();
  const std::size_t end_of_version = configuration.find(' ', configuration.find(' ') + 1);
  return std::string(configuration.substr(0, end_of_version)) + ", kernels " + openblas_get_corename();
}

}  // namespace pecann::optim
