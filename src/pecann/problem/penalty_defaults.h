// What [penalty] leaves open and the phases decide.
#pragma once

#include <string>

#include "pecann/problem/problem.h"

namespace pecann::problem {

/// The η of constraints without their own: penalty.eta, else that of the first phase's optimiser, but where that of
/// some phase is above one, the largest (optim/optimizer_row.h).
double default_eta(const Problem& problem);

/// The strategy of a problem that says nothing of penalties: `balance` where a phase is of second order, whose steps
/// lower L by far more than `capu` waits for; else `capu`.
std::string default_strategy(const Problem& problem);

}  // namespace pecann::problem
