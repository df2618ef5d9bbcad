#include "pecann/optim/dense_gram.h"

#include <cblas.h>

#include <string_view>
#include <vector>

#include "pecann/base/communicator.h"
#include "pecann/base/parallel.h"

namespace pecann::optim {
namespace {

template <class Product>
void for_tiles(const DenseTiles& gram, const Product& product) {
  const Communicator& ranks = communicator();
  const std::vector<std::size_t> bounds = equal_bounds(gram.tiles() * (gram.tiles() + 1) / 2, ranks.size());
  const std::size_t first = bounds[ranks.rank()];
  parallel_for(bounds[ranks.rank() + 1] - first, thread_count(), [&](std::size_t item, int) {
    const auto [i, j] = tile_index(first + item);
    product(i, j);
  });
}

blasint to_blas(std::size_t n) { return static_cast<blasint>(n); }

}  // namespace

void add_outer_gram(const double* a, std::size_t depth, std::size_t stride, DenseTiles& gram) {
  use_single_threaded_blas();
  for_tiles(gram, [&](std::size_t i, std::size_t j) {
    cblas_dgemm(CblasRowMajor, CblasNoTrans, CblasTrans, to_blas(gram.tile_rows(i)), to_blas(gram.tile_rows(j)),
                to_blas(depth), 1.0, a + i * kDenseTile * stride, to_blas(stride), a + j * kDenseTile * stride,
                to_blas(stride), 1.0, gram.tile(i, j), to_blas(kDenseTile));
  });
}

void add_inner_gram(const double* a, std::size_t depth, std::size_t stride, DenseTiles& gram) {
  use_single_threaded_blas();
  for_tiles(gram, [&](std::size_t i, std::size_t j) {
    cblas_dgemm(CblasRowMajor, CblasTrans, CblasNoTrans, to_blas(gram.tile_rows(i)), to_blas(gram.tile_rows(j)),
                to_blas(depth), 1.0, a + i * kDenseTile, to_blas(stride), a + j * kDenseTile, to_blas(stride), 1.0,
                gram.tile(i, j), to_blas(kDenseTile));
  });
}

void share_gram(DenseTiles& gram) {
  Communicator& ranks = communicator();
  if (ranks.size() == 1) return;
  const std::size_t tiles = gram.tiles() * (gram.tiles() + 1) / 2;
  std::vector<std::size_t> bounds = equal_bounds(tiles, ranks.size());
  for (std::size_t& bound : bounds) bound *= kDenseTile * kDenseTile;
  ranks.share({gram.tile(0, 0), tiles * kDenseTile * kDenseTile}, bounds);
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
