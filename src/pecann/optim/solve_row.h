// The least-squares solve in the registry.
#pragma once

#include <map>
#include <string>

#include "pecann/optim/optimizer_row.h"
#include "pecann/optim/solve.h"

namespace pecann::optim {

OptimizerRow solve_row();

/// The options of a phase, with the usual ones for those that it does not have.
SolveOptions solve_options(const std::map<std::string, double>& options);

}  // namespace pecann::optim
