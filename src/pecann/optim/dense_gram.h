// Gram products, and which BLAS the other dense algebra calls.
//
// A panel of the matrix is packed once into the layout of kernel/block_algebra.h and then read by all products. An
// entry is summed over the depth in one fixed order, whatever threads and ranks do: they share out whole blocks.
#pragma once

#include <cstddef>
#include <string>

#include "pecann/base/aligned_vector.h"
#include "pecann/optim/lower_blocks.h"

namespace pecann::optim {

/// The depth that is packed at once; a caller who adds a product in several parts takes parts of this depth.
inline constexpr std::size_t kGramDepth = 1024;

/// Adds products to a Gram matrix of n rows; keeps the memory of the packed panel, n · kGramDepth numbers at most.
class GramProduct {
 public:
  /// gram += A Aᵀ for a row-major A with gram.size() rows, `depth` columns and `stride` between rows.
  void add_outer(const double* a, std::size_t depth, std::size_t stride, LowerBlocks& gram);
  /// gram += Aᵀ A for a row-major A with `depth` rows and gram.size() columns.
  void add_inner(const double* a, std::size_t depth, std::size_t stride, LowerBlocks& gram);

 private:
  template <class Pack>
  void add(std::size_t depth, LowerBlocks& gram, const Pack& pack);

  AlignedVector<double> packed_;
};

/// Must be called once all products are added: each rank (base/communicator.h) has computed rows of blocks of its own
/// and receives those of the others.
void share_gram(LowerBlocks& gram);

/// Makes BLAS calls of this process single-threaded; called by everything in this module that uses BLAS.
void use_single_threaded_blas();

/// The BLAS in words, for the header of a run: "OpenBLAS 0.3.21, kernels Zen".
std::string blas_description();

}  // namespace pecann::optim
