// Reference solutions of ∇²u + k²u = s on the unit square, u = 0 on its boundary, for the Gaussian source
//   s = exp(−((x−½)² + (y−½)²)/(2w²)) / (2πw²)       [Hu, Basir, Senocak 2026, Helmholtz with a localised source].
//
// The sine series is
//
//   s = Σ c_m c_n sin mπx sin nπy,   u = Σ c_m c_n sin mπx sin nπy / (k² − (m²+n²)π²).
//
// Finite differences: the sine basis diagonalises the five-point scheme on n×n nodes, so that four products of small
// matrices solve it exactly. On 361×361 nodes their solution is 7 % (k = 20π) from the series: most of an error against
// it is its own.
//
// Where k² = (m²+n²)π² the mode (m, n) is free: it can be added to u with no residual and no boundary error. The series
// has no part of it; an honest error takes it out of the prediction too (without_modes).
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "pecann/reference/reference_solution.h"

namespace pecann::reference {

struct HelmholtzSource {
  double k;      // wave number
  double width;  // w
};

/// Modes (m, n) with k² = (m²+n²)π² to rounding.
std::vector<std::pair<int, int>> free_modes(double k);

/// u on n×n nodes of the square, ends included, x fastest.
std::vector<double> helmholtz_series(const HelmholtzSource& source, int n);

/// The five-point scheme's solution for given source values on the same nodes (those on the boundary do not count).
std::vector<double> helmholtz_differences(double k, std::span<const double> source, int n);
std::vector<double> source_values(const HelmholtzSource& source, int n);

/// `values` on n×n nodes less their components along the modes.
std::vector<double> without_modes(std::span<const double> values, int n, std::span<const std::pair<int, int>> modes);

/// Why the series does not fit the subject, empty when it does: it needs the unit square, a grid [n, n] and the
/// constants k and width.
std::string helmholtz_misfit(const Subject& subject);

/// The series for every field of the networks. Its own measures are the relative l2 distance from the five-point
/// scheme's solution, and the distance from the series with the free modes taken out of the prediction.
std::unique_ptr<ReferenceSolution> make_helmholtz_series(const Subject& subject);

}  // namespace pecann::reference
