// What to say of an epoch whose loss or gradient is infinite or NaN: which term, at which point, and what to
// try.
#pragma once

#include <span>
#include <string>

#include "pecann/evaluate/evaluator.h"
#include "pecann/penalty/dual_state.h"
#include "pecann/problem/problem.h"

namespace pecann::train {

struct WhyNotFinite {
  std::string what;    // "term 'pde' is inf at point 1 (x = 0, y = 0.25)"
  std::string advice;  // a sentence
};

/// `before`: the parameters that the epoch began with, `after`: those of its step. Ranks call it together.
WhyNotFinite why_not_finite(evaluate::Evaluator& evaluator, const problem::Problem& problem,
                            std::span<const double> before, std::span<const double> after,
                            const penalty::DualState& duals);

/// True for a message of a training that the equations broke, not its steps: no learning rate would have
/// helped.
bool equation_fails(const std::string& message);

}  // namespace pecann::train
