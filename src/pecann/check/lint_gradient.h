// The Taylor test of ∇L. With a direction d of length one and h halved again and again, the remainder
//     R(h) = |L(θ + h d) − L(θ) − h ∇L·d|
// is O(h²) when the gradient is right and O(h) when it is not. The observed order log2(R(h)/R(h/2)) needs no tolerance
// that would have to be tuned.
#pragma once

#include <cstdint>
#include <span>

#include "pecann/optim/objective.h"
#include "pecann/train/assembly.h"

namespace pecann::check {

struct GradientCheck {
  double order = 0;  // the observed order: the median of the last halvings above rounding; 2 or more is right
  int halvings = 0;  // halvings above rounding; 0: L is linear along d to rounding, and the gradient agrees
  bool passed() const { return halvings == 0 || order >= 1.5; }
};

/// Tests the gradient of L at the given parameters, with random multipliers and penalties between 1/2 and 3/2
/// and a random direction.
GradientCheck check_gradient(evaluate::Evaluator& evaluator, std::span<const double> parameters, std::uint64_t seed);

/// The same for any value and gradient at `parameters`.
GradientCheck taylor_test(optim::Objective& objective, std::span<const double> parameters, std::uint64_t seed);

}  // namespace pecann::check
