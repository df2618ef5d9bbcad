// Terms with inequalities, a <= b: their residual is the violation max(a - b, 0).
#pragma once

#include <algorithm>

#include "pecann/penalty/registry.h"
#include "pecann/problem/problem.h"

namespace pecann::problem {

/// The violation max(a, 0), whose square bends smoothly at zero.
inline bool is_violation(const expr::Expr& residual) {
  return residual->kind == expr::Kind::Max && residual->arguments[1].is_constant(0);
}

inline bool has_inequality(const TermSpec& term) {
  return std::ranges::any_of(term.equation_texts, [](const std::string& text) { return expr::is_inequality(text); });
}

/// True where the term's multipliers are those of inequalities (penalty/dual_state.h): one inequality with a multiplier
/// for every point, and a strategy that has penalties beside them. Elsewhere violations are squared like residuals.
inline bool has_inequality_multipliers(const Problem& problem, const TermSpec& term) {
  if (term.aggregate != Aggregate::Pointwise || term.residuals.size() != 1 || !has_inequality(term)) return false;
  const penalty::StrategyRow* const row = penalty::find_strategy(problem.penalty.strategy);
  return is_violation(term.residuals[0]) && !term.residuals[0]->integrates && row != nullptr && row->uses("penalty");
}

}  // namespace pecann::problem
