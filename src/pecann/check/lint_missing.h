// What a problem lacks: conditions for the order of its equations (train/missing_conditions.h), an objective, an
// equation for a field; and what it has that no network can follow: a coefficient that jumps before a second
// derivative, an exact solution that is no number where errors are taken.
#pragma once

#include "pecann/check/lint.h"

namespace pecann::check {

void lint_missing(const problem::Problem& problem, Findings& findings);

/// d(a*u_x, x) is a*u_xx + a_x*u_x, and the slope of a jump is taken for zero: the flux a*u_x is not made continuous.
void lint_jumps(const problem::Problem& problem, Findings& findings);

/// Finds exact solutions that are infinite or NaN at nodes of the evaluation grid: their errors would be no numbers.
void lint_exact_values(const problem::Problem& problem, Findings& findings);

}  // namespace pecann::check
