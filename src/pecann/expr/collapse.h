// Chooses the linear operators that a network carries as single channels (program.h), and writes the
// residuals with them.
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
