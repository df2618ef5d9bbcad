// Chooses points where a density is large, with weights that keep a mean over all points a mean over the domain.
//
// n points are spread evenly over the domain, and k more are chosen from a pool of evenly spread candidates with a
// probability proportional to d ≥ 0. Together they are n + k draws from the mixture
//
//   q = (1/V) (a + (1 − a) d/d̄),   a = n/(n + k),   d̄ the mean of d over the pool;
//
// each of them counts
//
//   w = 1/(V q) = 1/(a + (1 − a) d/d̄)      (balance heuristic of multiple importance sampling, Veach & Guibas 1995),
//
// so that mean(w f) estimates the mean of f over the domain without bias, and w ≤ 1/a is bounded.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "pecann/base/random_stream.h"
#include "pecann/sampling/points.h"

namespace pecann::sampling {

struct DensityChoice {
  /// The chosen candidates of the pool, ascending, each once: a candidate drawn c times counts c w.
  std::vector<std::size_t> chosen;
  /// The weights of the even points, then of the chosen ones, scaled so that the plain mean of weight · f over these
  /// n + chosen.size() points is the mean over the n + k draws.
  std::vector<double> weights;
};

/// Chooses by systematic resampling, with one random number. Densities that are negative or no numbers count as zero;
/// where none is positive the candidates are equally likely.
DensityChoice choose_by_density(std::span<const double> even_density, std::span<const double> pool_density,
                                std::size_t count, RandomStream& stream);

/// The even points followed by the chosen ones of the pool, with all their columns and the weights as the column
/// kImportanceColumn. Quadrature weights (kWeightColumn), where both sets have them, stay those of an integral.
PointSet with_chosen(PointSet even, const PointSet& pool, const DensityChoice& choice);

}  // namespace pecann::sampling
