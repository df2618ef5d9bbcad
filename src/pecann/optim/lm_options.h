// Options of Levenberg–Marquardt from the numbers of a phase, by name.
#pragma once

#include "pecann/optim/lm.h"
#include "pecann/optim/registry.h"

namespace pecann::optim {

/// Throws InputError for a value out of range; the registry refuses unknown names.
LmOptions lm_options(const OptimizerOptions& options);

}  // namespace pecann::optim
