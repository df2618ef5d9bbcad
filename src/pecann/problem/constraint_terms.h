// The constraint terms of a problem in the order that records and histories use, and their violation in the
// units of the residual.
#pragma once

#include <cmath>
#include <string>
#include <vector>

#include "pecann/problem/problem.h"

namespace pecann::problem {

inline std::vector<const TermSpec*> constraint_terms(const Problem& problem) {
  std::vector<const TermSpec*> terms;
  for (const TermSpec& term : problem.terms)
    if (term.role == Role::Constraint) terms.push_back(&term);
  return terms;
}

/// The name of an equation in histories and summaries: that of its term, with its number where the term has several.
inline std::string equation_name(const TermSpec& term, std::size_t equation) {
  return term.residuals.size() == 1 ? term.name : term.name + "." + std::to_string(equation + 1);
}

/// A constraint's value is the mean of r² (or of |r|): its violation is the root mean square (or the mean of |r|).
inline double violation_of(const TermSpec& term, double value) {
  return term.distance == Distance::Square ? std::sqrt(value) : value;
}

}  // namespace pecann::problem
