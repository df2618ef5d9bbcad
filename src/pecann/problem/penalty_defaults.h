// What [penalty] leaves open and the phases decide.
#pragma once

#include "pecann/problem/problem.h"

namespace pecann::problem {

/// The η of constraints without their own: penalty.eta, else that of the first phase's optimiser, but where that of
/// some phase is above one, the largest (optim/optimizer_row.h).
double default_eta(const Problem& problem);

}  // namespace pecann::problem
