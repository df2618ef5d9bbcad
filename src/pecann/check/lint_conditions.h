// Conditions that contradict each other where their regions meet: u = 1 at t = 0 and u = 0 at x = 0 cannot
// both hold at the corner.
//
// The check compares conditions on the same derivative of the same field,
//     factor(x) · ∂^k u = target(x),
// with factor and target known from the coordinates alone. Regions are taken with their edges. A point where two of
// them meet is approached along each: the targets there are limits, so that a jump of data such as if(x <= 0, …) beside
// the corner does no harm, and one at the corner is seen.
#pragma once

#include "pecann/check/lint.h"

namespace pecann::check {

/// A jump between two terms (or two equations of one) is a warning; data of one condition that jump from
/// face to face are a note.
void lint_conditions(const problem::Problem& problem, Findings& findings);

}  // namespace pecann::check
