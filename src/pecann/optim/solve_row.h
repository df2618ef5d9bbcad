// The least-squares solve in the registry.
#pragma once

#include "pecann/optim/optimizer_row.h"

namespace pecann::optim {

OptimizerRow solve_row();

}  // namespace pecann::optim
