/// \file
/// What this library is.
#pragma once

#include <string>

#include "pecann/export.h"

namespace pecann {

/// Version, commit, compiler, vector instructions, BLAS and MPI, for reports of results.
PECANN_API std::string version();

/// What OPENBLAS_CORETYPE should be set to before the start of the program: not empty where OpenBLAS does not know the
/// processor and runs kernels of an older one. Levenberg–Marquardt then takes several times as long and differs in its
/// last bits from the program `pecann`, which restarts itself with the right ones.
PECANN_API std::string better_blas_kernel();

}  // namespace pecann
