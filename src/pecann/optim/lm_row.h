// Levenberg–Marquardt in the registry.
#pragma once

#include "pecann/optim/optimizer_row.h"

namespace pecann::optim {

OptimizerRow lm_row();

}  // namespace pecann::optim
