// The linearised error equation F'(u_N) e = −F(u_N), solved by least squares over an error space (error_space.h) on
// fresh points, and how much of the residual is left on others.
//
//   points    fresh ones, half of them spread evenly, half drawn with a density |r| and counted by their importance
//   rows      every equation e in its own unit, ω_e = β_e/√(Σ_j ‖∂r_j/∂θ‖²); β of conditions is a setting of the draw
//   solve     min Σ_e ω_e² ‖J_e d + r_e‖² + λ‖D⁻¹d‖², columns scaled to length 1, λ the best on held-out points
//   left      ρ = ‖ω r(u_N + e)‖/‖ω r(u_N)‖ on held-out points
//
// Where the equations are not linear, Gauss–Newton steps with halving follow until ρ stops falling. The tangent part
// stays that of u_N: what was found so far enters the equations as columns of numbers (with_changes).
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "pecann/estimate/error_space.h"
#include "pecann/train/solution.h"

namespace pecann::estimate {

/// An error of a window of a trained solution.
struct WindowError {
  std::shared_ptr<const ErrorSpace> space;
  std::vector<double> direction;
  double left = 1;  // ρ; infinite where nothing could be solved
  int steps = 0;    // of Gauss–Newton
  /// The change of the solution that the equations see least, and what of it they do not see: where that is not small,
  /// they do not determine the solution, and no error either.
  std::vector<double> probe = {}, unseen = {};
};

struct DrawSettings {
  std::string name;       // of random streams
  double conditions = 3;  // β of equations on faces, edges and at points; 1 for those that fill the domain
};

/// `before` is the error of the window before, whose end is the beginning of this one; null for the first.
WindowError solve_error(const problem::Problem& problem, const train::Solution& solution, std::uint64_t seed,
                        int window, const WindowError* before, const DrawSettings& draw);

/// About how many multiplications and additions one solve takes.
double solve_flops(const problem::Problem& problem, const train::Solution& solution, int window);

}  // namespace pecann::estimate
