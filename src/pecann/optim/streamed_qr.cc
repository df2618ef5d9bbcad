#include "pecann/optim/streamed_qr.h"

#include <cblas.h>
#include <lapacke.h>

#include <algorithm>
#include <cmath>

#include "pecann/base/require.h"
#include "pecann/optim/dense_gram.h"

namespace pecann::optim {
namespace {

constexpr std::size_t kBlock = 32;  // columns that are eliminated at once

lapack_int to_lapack(std::size_t n) { return static_cast<lapack_int>(n); }

}  // namespace

StreamedQr::StreamedQr(std::size_t columns)
    : columns_(columns),
      triangle_((columns + 1) * (columns + 1), 0.0),
      reflectors_(kBlock * (columns + 1)),
      work_(kBlock * (columns + 1)) {}

double StreamedQr::bytes(std::size_t columns, std::size_t panel_rows) {
  const double width = static_cast<double>(columns) + 1;
  return (2 * width * width + width * (static_cast<double>(panel_rows) + 2 * kBlock)) * sizeof(double);
}

void StreamedQr::add_rows(double* panel, std::size_t rows, std::size_t stride) {
  require(stride >= rows, "the columns of a panel are shorter than its rows");
  use_single_threaded_blas();
  const lapack_int width = to_lapack(columns_ + 1), block = std::min(to_lapack(kBlock), width);
  const lapack_int info = LAPACKE_dtpqrt_work(LAPACK_COL_MAJOR, to_lapack(rows), width, 0, block, triangle_.data(),
                                              width, panel, to_lapack(stride), reflectors_.data(), block, work_.data());
  require(info == 0, "tpqrt takes these arguments");
}

std::size_t StreamedQr::solve(double cut, std::span<double> d) const {
  require(d.size() == columns_, "one number per column");
  use_single_threaded_blas();
  const std::size_t n = columns_, width = n + 1;
  AlignedVector<double> matrix(n * n, 0.0);
  std::vector<double> scale(n), z(triangle_.begin() + static_cast<std::ptrdiff_t>(n * width),
                                  triangle_.begin() + static_cast<std::ptrdiff_t>(n * width + n));
  for (std::size_t c = 0; c < n; ++c) {
    const double* const column = triangle_.data() + c * width;
    const double norm = cblas_dnrm2(static_cast<blasint>(c + 1), column, 1);
    scale[c] = norm > 0 ? 1 / norm : 0;
    for (std::size_t r = 0; r <= c; ++r) matrix[c * n + r] = scale[c] * column[r];
  }
  const lapack_int size = to_lapack(n);
  std::vector<lapack_int> pivots(n, 0);
  std::vector<double> tau(n);
  require(LAPACKE_dgeqp3(LAPACK_COL_MAJOR, size, size, matrix.data(), size, pivots.data(), tau.data()) == 0 &&
              LAPACKE_dormqr(LAPACK_COL_MAJOR, 'L', 'T', size, 1, size, matrix.data(), size, tau.data(), z.data(),
                             size) == 0,
          "geqp3 and ormqr take these arguments");
  std::size_t rank = 0;
  while (rank < n && std::abs(matrix[rank * n + rank]) > cut * std::abs(matrix[0])) ++rank;
  cblas_dtrsv(CblasColMajor, CblasUpper, CblasNoTrans, CblasNonUnit, static_cast<blasint>(rank), matrix.data(),
              static_cast<blasint>(n), z.data(), 1);
  std::fill(d.begin(), d.end(), 0.0);
  for (std::size_t k = 0; k < rank; ++k) {
    const auto column = static_cast<std::size_t>(pivots[k] - 1);
    d[column] = -scale[column] * z[k];
  }
  return rank;
}

}  // namespace pecann::optim
