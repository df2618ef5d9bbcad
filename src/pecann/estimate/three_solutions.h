// A solution beside two independent ones of the same problem: what their distances say of its error.
//
// That the residuals of another solution are much smaller does not make its error smaller: where the equations hardly
// see a change (near a resonance, instabilities), errors of any size leave the same residual. Two others tell: where
// they are wrong, they are wrong differently.
#pragma once

#include <span>
#include <string>

#include "pecann/results/estimate.h"

namespace pecann::estimate {

/// l² distances of the solution from the others and of these from each other, over the size of the first other one.
struct Distances {
  double to_a = 0, to_b = 0, between = 0;
};
Distances distances(std::span<const double> solution, std::span<const double> a, std::span<const double> b);

/// ‖values‖ in l².
double size_of(std::span<const double> values);

/// Sets trusted and good of an estimate that is the distance from `a`, by how much nearer the two others are to each
/// other, and adds to what decided. `left` is a's share of the solution's residual, at most `good_left` for a good one.
void judge_by_two_others(results::FieldEstimate& field, const Distances& apart, double left, double good_left);

/// The estimate of a solution at the last digits, whose residuals are rounding: where two others are nearer to each
/// other than to this one, the distance to them is its error; where all three distances are alike, so are the errors,
/// which are independent: each is a distance over √2, the middle one. Else one of the others is worse, and nothing is
/// known; nor where they are so far apart that the equations do not determine the solution.
results::FieldEstimate estimate_at_rounding(const std::string& name, const Distances& apart);

}  // namespace pecann::estimate
