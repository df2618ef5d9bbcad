#include "pecann/optim/dense_cholesky.h"

#include <cblas.h>
#include <lapacke.h>

#include <cmath>

#include "pecann/base/parallel.h"
#include "pecann/base/require.h"
#include "pecann/optim/dense_gram.h"

namespace pecann::optim {
namespace {

constexpr auto kTile = static_cast<blasint>(kDenseTile);
blasint lapack_size(std::size_t n) { return static_cast<blasint>(n); }

// Row-major lower L is column-major upper Lᵀ: LAPACK works on the tile in place, without the copies of
// its row-major mode.
bool factor_diagonal(double* tile, std::size_t rows) {
  if (LAPACKE_dpotrf_work(LAPACK_COL_MAJOR, 'U', static_cast<lapack_int>(rows), tile, kTile) != 0) return false;
  // A pivot that is not a number passes OpenBLAS's test "pivot ≤ 0".
  for (std::size_t k = 0; k < rows; ++k) {
    if (!std::isfinite(tile[k * kDenseTile + k])) return false;
  }
  return true;
}

}  // namespace

bool DenseCholesky::factor(const DenseTiles& a, double shift) {
  require(a.size() == factor_.size(), "the factor was made for another size");
  use_single_threaded_blas();
  factor_ = a;
  factor_.add_to_diagonal(shift);
  for (std::size_t k = 0; k < factor_.tiles(); ++k) {
    if (!factor_column(k)) return false;
  }
  return true;
}

bool DenseCholesky::factor_column(std::size_t k) {
  const std::size_t width = factor_.tile_rows(k);
  const std::size_t below = factor_.tiles() - k - 1;
  double* const pivot = factor_.tile(k, k);
  if (!factor_diagonal(pivot, width)) return false;
  parallel_for(below, thread_count(), [&](std::size_t item, int) {
    const std::size_t i = k + 1 + item;
    cblas_dtrsm(CblasRowMajor, CblasRight, CblasLower, CblasTrans, CblasNonUnit, lapack_size(factor_.tile_rows(i)),
                lapack_size(width), 1.0, pivot, kTile, factor_.tile(i, k), kTile);
  });
  parallel_for(below * (below + 1) / 2, thread_count(), [&](std::size_t item, int) {
    const auto [di, dj] = tile_index(item);
    const std::size_t i = k + 1 + di, j = k + 1 + dj;
    cblas_dgemm(CblasRowMajor, CblasNoTrans, CblasTrans, lapack_size(factor_.tile_rows(i)),
                lapack_size(factor_.tile_rows(j)), lapack_size(width), -1.0, factor_.tile(i, k), kTile,
                factor_.tile(j, k), kTile, 1.0, factor_.tile(i, j), kTile);
  });
  return true;
}

void DenseCholesky::solve(std::span<double> b) const {
  require(b.size() == factor_.size(), "right side of another size");
  const std::size_t tiles = factor_.tiles();
  const auto part = [&](std::size_t i) { return b.data() + i * kDenseTile; };
  const auto rows = [&](std::size_t i) { return lapack_size(factor_.tile_rows(i)); };
  for (std::size_t k = 0; k < tiles; ++k) {  // L z = b
    cblas_dtrsv(CblasRowMajor, CblasLower, CblasNoTrans, CblasNonUnit, rows(k), factor_.tile(k, k), kTile, part(k), 1);
    parallel_for(tiles - k - 1, thread_count(), [&](std::size_t item, int) {
      const std::size_t i = k + 1 + item;
      cblas_dgemv(CblasRowMajor, CblasNoTrans, rows(i), rows(k), -1.0, factor_.tile(i, k), kTile, part(k), 1, 1.0,
                  part(i), 1);
    });
  }
  for (std::size_t k = tiles; k-- > 0;) {  // Lᵀ x = z
    cblas_dtrsv(CblasRowMajor, CblasLower, CblasTrans, CblasNonUnit, rows(k), factor_.tile(k, k), kTile, part(k), 1);
    parallel_for(k, thread_count(), [&](std::size_t i, int) {
      cblas_dgemv(CblasRowMajor, CblasTrans, rows(k), rows(i), -1.0, factor_.tile(k, i), kTile, part(k), 1, 1.0,
                  part(i), 1);
    });
  }
}

}  // namespace pecann::optim
