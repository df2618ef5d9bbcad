/// \file
/// What this library is.
#pragma once

#include <string>

#include "pecann/export.h"

namespace pecann {

/// Version, commit, compiler, vector instructions, BLAS and MPI, for reports of results.
PECANN_API std::string version();

}  // namespace pecann
