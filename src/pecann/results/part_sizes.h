// How large the parts of an equation are, beside which its residual is small or not: an rms of 0.9 is nothing in
// u_xx = 1e6 and everything in u_xx = 1.
//
// The parts are what is added in the residual, u_t, −u_xx and −f in u_t = u_xx + f. The size is the rms of the largest
// of them on the points of the residual. Two things are never taken for large residuals of small parts:
//   - a condition whose right-hand side is zero, or nearly so (u = 0 at a wall), is compared with what the same parts
//     are all over the domain: u = 1e-6 at the wall is small where the field is of size one;
//   - a linear part c ∂^k u counts at least |c| · rms(u) / Π ranges^k, what a field of this size has when it varies
//     over the domain at all: the Laplace equation of a constant has parts that are zero.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "pecann/expr/expr.h"
#include "pecann/problem/problem.h"
#include "pecann/train/assembly.h"
#include "pecann/train/balance.h"

namespace pecann::results {

/// What is added in a residual; products with one sum and quotients of a sum are multiplied out.
std::vector<expr::Expr> parts_of(const expr::Expr& residual);

/// The size of each equation of the term `t` on its points in `assembly`; NaN where a part is not finite.
std::vector<double> part_sizes(const problem::Problem& problem, const train::Assembly& assembly,
                               std::span<const double> parameters, std::size_t t);

}  // namespace pecann::results
