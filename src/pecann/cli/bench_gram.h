// How fast the dense algebra of second-order methods runs: the Gram product against the machine's
// measured multiply-add peak.
#pragma once

namespace pecann::cli {

/// The least share of the peak that an idle machine reaches; less means that the BLAS chose poor kernels
/// (base/blas_kernel.h) or that others use the machine.
inline constexpr double kLeastGramShare = 0.6;

struct GramRate {
  double flops = 0, peak = 0;  // per second; best of several products
  double share() const { return flops / peak; }
};

/// Computes Ĵ Ĵᵀ of 2601 residuals and 3441 parameters (Helmholtz (6,6) with 3 × 40) with all threads, again and
/// again for about `seconds`.
GramRate measure_gram(double seconds);

}  // namespace pecann::cli
