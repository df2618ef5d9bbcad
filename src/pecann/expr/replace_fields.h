// Fields of an expression replaced leaf by leaf: a leaf is a field with its derivative and its site. Unlike
// substitute_fields nothing is differentiated, so that columns of numbers may stand for derivatives.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <vector>

#include "pecann/expr/expr.h"

namespace pecann::expr {

/// The expression with every leaf replaced by what `leaf` makes of it.
Expr replace_fields(const Expr& a, const std::function<Expr(const Expr& leaf)>& leaf);

/// The leaves of expressions, each once, in the order in which they occur.
std::vector<Expr> field_leaves(std::span<const Expr> expressions);

/// The leaf with another field's name.
Expr renamed_field(const Expr& leaf, const std::string& name);

/// True when the expression is linear in fields and trainable scalars together, as far as its form shows.
bool linear_in_fields(const Expr& a);

}  // namespace pecann::expr
