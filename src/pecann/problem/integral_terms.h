// Terms whose equations are of integrals (expr/integral.h).
#pragma once

#include "pecann/problem/problem.h"

namespace pecann::problem {

bool is_integral(const TermSpec& term);

/// How many residuals an equation of a term of integrals has: one, or one for every time of its points.
double integral_rows(const Problem& problem, const TermSpec& term);

/// Refuses (InputError with the rule and a hint) equations of integrals that have no meaning. The owner of a term's
/// points is the term itself, unless it shares them.
void check_integral_equations(const Problem& problem, const TermSpec& term);
/// The same for points without quadrature weights.
void check_integral_points(const Problem& problem, const TermSpec& term, const TermSpec& owner);
/// Refuses, in a problem with several time windows, integrals that would mean something else in each of them.
void check_integral_windows(const Problem& problem);

}  // namespace pecann::problem
