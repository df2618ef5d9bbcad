// The constraint terms of a problem in the order that records and histories use, and their violation in the
// units of the residual.
#pragma once

#include <cmath>
#include <vector>

#include "pecann/problem/problem.h"

namespace pecann::results {

inline std::vector<const problem::TermSpec*> constraint_terms(const problem::Problem& problem) {
  std::vector<const problem::TermSpec*> terms;
  for (const problem::TermSpec& term : problem.terms)
    if (term.role == problem::Role::Constraint) terms.push_back(&term);
  return terms;
}

/// A constraint's value is the mean of r² (or of |r|): its violation is the root mean square (or the mean of
/// |r|).
inline double violation_of(const problem::TermSpec& term, double value) {
  return term.distance == problem::Distance::Square ? std::sqrt(value) : value;
}

}  // namespace pecann::results
