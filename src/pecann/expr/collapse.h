// Chooses the linear operators that a network carries as single channels (program.h), and writes the
// residuals with them.
//
// In every sum, the terms coefficient(x) · factor · ∂^index u with the same field and factor form one candidate. Per
// network, candidates are collapsed or left alone so that the number of channels is smallest: derivatives that are
// needed elsewhere, in u·u_x for instance, keep their channels, and equal operators on several fields share one. The
// search starts from nothing and from everything collapsed, and changes one operator at a time while that helps.
#pragma once

#include <map>
#include <span>
#include <string>
#include <vector>

#include "pecann/expr/program.h"

namespace pecann::expr {

struct Collapsed {
  std::vector<Expr> residuals;  // an operator applied to a field is a field whose operator_of() is its number
  std::vector<LinearOperator> operators;
};

Collapsed collapse(std::span<const Expr> residuals, const std::map<std::string, int>& network_of);

/// The number of the operator that a field node stands for, -1 for an ordinary derivative.
int operator_of(const Expr& field);

}  // namespace pecann::expr
