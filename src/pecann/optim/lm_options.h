// Levenberg–Marquardt in the registry: its row, and its options from the numbers of a phase.
#pragma once

#include "pecann/optim/lm.h"
#include "pecann/optim/registry.h"

namespace pecann::optim {

OptimizerRow lm_row();

/// Throws InputError for an unknown name (with the nearest known one) or a value out of range.
LmOptions lm_options(const OptimizerOptions& options);

}  // namespace pecann::optim
