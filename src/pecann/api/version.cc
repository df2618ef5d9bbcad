#include "pecann/version.h"

#include <fmt/format.h>

#include "pecann/base/blas_kernel.h"
#include "pecann/kernel/simd_target.h"
#include "pecann/mpi/ranks.h"
#include "pecann/optim/dense_gram.h"
#include "pecann/results/run_facts.h"

namespace pecann {

std::string version() {
  return fmt::format("pecann {} (commit {}, g++ {}, SIMD {}, {}, {})", results::kVersion,
                     *results::kCommit ? results::kCommit : "unknown", __VERSION__, kernel::simd_target(),
                     optim::blas_description(), mpi::description());
}

std::string better_blas_kernel() { return better_blas_core_here(); }

}  // namespace pecann
