#include "pecann/sampling/density_choice.h"

#include <algorithm>
#include <cmath>

#include "pecann/base/require.h"

namespace pecann::sampling {
namespace {

double usable(double density) { return std::isfinite(density) && density > 0 ? density : 0; }

}  // namespace

DensityChoice choose_by_density(std::span<const double> even_density, std::span<const double> pool_density,
                                std::size_t count, RandomStream& stream) {
  require(!even_density.empty() && !pool_density.empty() && count > 0,
          "a choice needs even points, candidates and a number");
  double total = 0;
  for (const double density : pool_density) total += usable(density);
  const bool flat = !(total > 0) || !std::isfinite(total);
  if (flat) total = static_cast<double>(pool_density.size());
  const double mean = total / static_cast<double>(pool_density.size());
  const auto density_of = [&](double density) { return flat ? 1.0 : usable(density); };

  const double draws = static_cast<double>(even_density.size() + count),
               even = static_cast<double>(even_density.size()) / draws;
  const auto weight_of = [&](double density) { return 1 / (even + (1 - even) * density / mean); };
  DensityChoice choice;
  for (const double density : even_density) choice.weights.push_back(weight_of(density_of(density)));

  // Draw j lies at (j + offset) total / count on the line of all densities laid end to end.
  const double offset = stream.uniform(), spacing = total / static_cast<double>(count);
  double end = 0;
  std::size_t next = 0;
  for (std::size_t i = 0; i < pool_density.size(); ++i) {
    const double density = density_of(pool_density[i]);
    end += density;
    std::size_t times = 0;
    while (next < count && (static_cast<double>(next) + offset) * spacing < end) ++next, ++times;
    if (times == 0) continue;
    choice.chosen.push_back(i);
    choice.weights.push_back(static_cast<double>(times) * weight_of(density));
  }
  const double scale = static_cast<double>(choice.weights.size()) / draws;
  for (double& weight : choice.weights) weight *= scale;
  return choice;
}

PointSet with_chosen(PointSet even, const PointSet& pool, const DensityChoice& choice) {
  const std::size_t evenly = even.count;
  PointSet points = std::move(even);
  append(subset(pool, choice.chosen), points);
  require(choice.weights.size() == points.count, "the choice is one of these points");
  points.set_column(kImportanceColumn, choice.weights);
  const auto weight = points.columns.find(kWeightColumn);
  if (weight == points.columns.end()) return points;
  // A set's quadrature weight times the number of its points is the measure that a point would stand for alone.
  for (std::size_t i = 0; i < points.padded(); ++i) {
    const std::size_t p = std::min(i, points.count - 1);
    const double drawn = static_cast<double>(p < evenly ? evenly : pool.count);
    weight->second[i] *= drawn / static_cast<double>(points.count) * choice.weights[p];
  }
  return points;
}

}  // namespace pecann::sampling
