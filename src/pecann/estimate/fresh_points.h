// The problem on points that training has not seen, for solving the error equation and for judging it.
#pragma once

#include <string>

#include "pecann/problem/problem.h"
#include "pecann/sampling/points.h"

namespace pecann::estimate {

/// The problem with about `inside` points in each term that fills the domain, half of them near large residuals, and on
/// faces as many as keep about the same distances; drawn from streams that `use` names. Integrals have a finer rule.
/// Measured data, points from files and single points stay as they are.
problem::Problem with_fresh_points(const problem::Problem& problem, const std::string& use, double inside);

/// At most 4000 of the points that errors are measured on, evenly taken from all.
sampling::PointSet points_of_norm(const problem::Problem& problem);

/// True for a term whose equations hold at points in all directions of the domain; integrals do not.
bool fills_domain(const problem::Problem& problem, const problem::TermSpec& term);

/// The equations of all terms that fill the domain.
std::size_t equations_inside(const problem::Problem& problem);

}  // namespace pecann::estimate
