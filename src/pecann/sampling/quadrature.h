// Nodes and weights of quadrature on an interval, for integrals over grids.
#pragma once

#include <vector>

namespace pecann::sampling {

struct LineRule {
  std::vector<double> nodes, weights;  // nodes ascending
};

/// Gauss–Legendre: `count` nodes strictly inside, exact for polynomials of degree 2·count − 1.
LineRule gauss_rule(double lower, double upper, int count);

/// The weights of equally spaced nodes of an interval, of which the first or the last may be left out (nodes of a
/// region without its rim):
///
///     ∫ f ≈ h Σ f(x_j) + h Σ_{j<m} (a_j f(x_j) + b_j f(x_{n−1−j})),
///
/// with end corrections that make it exact for polynomials of degree below m = min(4, n) (Gregory's formula, and its
/// kin for open ends). With j₀ = 0 where the end is a node and 1 where it is not, Euler and Maclaurin give
///
///     Σ_j a_j (j + j₀)^k = B_{k+1}(j₀)/(k + 1),   k = 0 … m − 1,
///
/// where B are Bernoulli's polynomials. A single node has the whole length.
std::vector<double> grid_weights(double spacing, std::size_t nodes, bool has_first, bool has_last);

}  // namespace pecann::sampling
