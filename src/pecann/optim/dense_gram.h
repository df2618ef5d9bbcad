// Gram products into tiles, and which BLAS computes them. Every BLAS call here is single-threaded; threads
// share the tiles.
#pragma once

#include <cstddef>
#include <string>

#include "pecann/optim/dense_tiles.h"

namespace pecann::optim {

/// gram += A Aᵀ for a row-major A with gram.size() rows, `depth` columns and `stride` between rows.
void add_outer_gram(const double* a, std::size_t depth, std::size_t stride, DenseTiles& gram);

/// gram += Aᵀ A for a row-major A with `depth` rows and gram.size() columns.
void add_inner_gram(const double* a, std::size_t depth, std::size_t stride, DenseTiles& gram);

/// Must be called once all products are added: each rank (base/communicator.h) has computed tiles of its own and
/// receives those of the others.
void share_gram(DenseTiles& gram);

/// Makes BLAS calls of this process single-threaded; called by everything here that uses BLAS.
void use_single_threaded_blas();

/// The BLAS in words, for the header of a run: "OpenBLAS 0.3.21, kernels Zen".
std::string blas_description();

}  // namespace pecann::optim
