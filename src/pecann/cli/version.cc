#include "pecann/cli/version.h"

#include <fmt/format.h>

#include "pecann/kernel/fma_peak.h"
#include "pecann/optim/dense_gram.h"
#include "pecann/report/run_facts.h"

namespace pecann::cli {

std::string version_text() {
  return fmt::format("pecann {} (commit {}, g++ {}, SIMD {}, {})", report::kVersion, report::kCommit, __VERSION__,
                     kernel::simd_target(), optim::blas_description());
}

}  // namespace pecann::cli
