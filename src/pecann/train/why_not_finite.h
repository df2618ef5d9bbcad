// What to say of an epoch whose loss or gradient is infinite or NaN: which term, at which point, and what to try.
#pragma once

#include <span>
#include <string>

#include "pecann/evaluate/evaluator.h"
#include "pecann/penalty/dual_state.h"
#include "pecann/problem/problem.h"
#include "pecann/train/record.h"

namespace pecann::train {

struct WhyNotFinite {
  std::string what;    // "term 'pde' is NaN at point 1 (x = 0, y = 0.25)"
  std::string advice;  // a sentence
  Cause cause;         // EquationFails, StepFails or TooLarge
};

/// Finds out why the epoch failed. `before` are the parameters that it began with, `after` those that its step led to.
/// All ranks call this together.
WhyNotFinite why_not_finite(evaluate::Evaluator& evaluator, const problem::Problem& problem,
                            std::span<const double> before, std::span<const double> after,
                            const penalty::DualState& duals);

}  // namespace pecann::train
