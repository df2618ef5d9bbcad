// Finds an exact solution that does not satisfy the equations: the errors measured against it would mean nothing.
//
// A residual of exact solutions is zero up to rounding, that is, small beside the parts that cancel in it. The size of
// these parts is the same expression with every sum and product taken of absolute values, over the term's points and
// over the whole domain (a boundary value sin(pi) = 1e-16 is a zero because sin(pi*x) is of size one). Points on a kink
// or jump of the solution, where a residual vanishes as soon as the point is moved a little, are told apart.
#pragma once

#include "pecann/check/lint.h"

namespace pecann::check {

/// Equations with measured data, or with a field or trainable number whose exact value is not known, are left out.
void lint_exact(const problem::Problem& problem, const train::Assembly& assembly, Findings& findings);

}  // namespace pecann::check
