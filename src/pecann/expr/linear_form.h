// Terms that are linear in one derivative of a field: the pieces of which collapsed operators are made.
#pragma once

#include <optional>

#include "pecann/expr/program.h"

namespace pecann::expr {

/// coefficient · factor · ∂^index field, at the point itself: the coefficient is coordinate-only, the factor
/// is whatever else stands beside the derivative (1 in most terms; a trainable parameter; a velocity in
/// u·v_x), the order is 1 or 2.
struct LinearTerm {
  std::string field;
  MultiIndex index;
  Expr coefficient;
  Expr factor;
};
std::optional<LinearTerm> as_linear_term(const Expr& term);

/// The same expression with c(x)·(sum) and (sum)/c(x) multiplied out wherever the sum has linear terms, so
/// that terms of one operator stand in one sum.
Expr expanded_linear_sums(const Expr& a);

/// An operator and the coordinate-only expression it was divided by, so that multiples of an operator are
/// recognised as one: 2u_xx + 2u_yy is 2 times the Laplacian.
struct ScaledOperator {
  LinearOperator linear_operator;
  Expr scale;
};
ScaledOperator normalised(const std::map<MultiIndex, Expr>& coefficients);

bool same(const LinearOperator& a, const LinearOperator& b);

}  // namespace pecann::expr
