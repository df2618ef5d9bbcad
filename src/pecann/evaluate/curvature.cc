#include "pecann/evaluate/curvature.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "pecann/expr/integral.h"

namespace pecann::evaluate {
namespace {

/// The same equations at a sample of each term's points.
Evaluator sampled(const Evaluator& evaluator) {
  std::vector<Term> terms(evaluator.terms().begin(), evaluator.terms().end());
  std::size_t sets = 0;
  for (Term& term : terms) {
    term.aggregate = problem::Aggregate::Mean;  // a point-wise term's rows are those of a mean
    sets = std::max(sets, term.point_set + 1);
  }
  std::vector<sampling::PointSet> points;
  for (std::size_t set = 0; set < sets; ++set) {
    const sampling::PointSet& all = evaluator.program(set).points();
    points.push_back(sampling::subset(all, spread_indices(all.count, kSampledPoints)));
  }
  for (Term& term : terms) {  // an integral needs all of its points
    if (!expr::has_integrals(term.residuals)) continue;
    points.push_back(evaluator.program(term.point_set).points());
    term.point_set = points.size() - 1;
  }
  return {
      evaluator.model(), std::move(terms), points, {evaluator.coordinates().begin(), evaluator.coordinates().end()}};
}

/// Σ K_ij² / Σ K_ii of the rows, which are given by parameter: columns[parameter * stride + row].
double curvature_of(std::span<const std::size_t> rows, const double* columns, std::size_t stride,
                    std::size_t parameters) {
  const std::size_t count = rows.size();
  std::vector<double> products(count * count, 0.0), row(count);
  for (std::size_t p = 0; p < parameters; ++p) {
    for (std::size_t i = 0; i < count; ++i) row[i] = columns[p * stride + rows[i]];
    for (std::size_t i = 0; i < count; ++i) {
      if (row[i] == 0) continue;  // most of them, where parts have parameters of their own
      for (std::size_t j = 0; j < count; ++j) products[i * count + j] += row[i] * row[j];
    }
  }
  double squares = 0, trace = 0;
  for (const double product : products) squares += product * product;
  for (std::size_t i = 0; i < count; ++i) trace += products[i * count + i];
  return trace > 0 ? squares / trace : 0;
}

}  // namespace

std::vector<std::size_t> spread_indices(std::size_t count, std::size_t most) {
  std::vector<std::size_t> chosen(std::min(count, most));
  std::iota(chosen.begin(), chosen.end(), std::size_t{0});
  if (count <= most) return chosen;
  const double golden = (std::sqrt(5.0) - 1) / 2;
  for (std::size_t& index : chosen) {
    const double turns = (static_cast<double>(index) + 0.5) * golden;
    index = static_cast<std::size_t>((turns - std::floor(turns)) * static_cast<double>(count));
  }
  std::sort(chosen.begin(), chosen.end());
  chosen.erase(std::unique(chosen.begin(), chosen.end()), chosen.end());
  return chosen;
}

std::vector<std::vector<double>> equation_curvatures(const Evaluator& evaluator, std::span<const double> parameters) {
  Evaluator sample = sampled(evaluator);
  std::vector<std::vector<double>> curvatures;
  for (const Term& term : sample.terms()) curvatures.emplace_back(term.residuals.size(), 0.0);
  const std::span<const double> scale = sample.row_scale();

  // The tiles of one point set follow each other, and only they are held at a time.
  const std::span<const std::size_t> offsets = sample.row_offsets();
  std::vector<double> columns;
  for (std::size_t first = 0; first + 1 < offsets.size();) {
    const auto set_of_tile = [&](std::size_t tile) {
      const auto run = std::ranges::find_if(
          sample.row_runs(), [&](const Evaluator::RowRun& candidate) { return candidate.first_row == offsets[tile]; });
      return sample.terms()[run->term].point_set;
    };
    std::size_t last = first + 1;
    while (last + 1 < offsets.size() && set_of_tile(last) == set_of_tile(first)) ++last;
    const std::size_t stride = offsets[last] - offsets[first];
    columns.resize(parameters.size() * stride);
    sample.jacobian(parameters, scale, first, last - first, columns.data(), stride);
    for (std::size_t t = 0; t < curvatures.size(); ++t) {
      for (std::size_t e = 0; e < curvatures[t].size(); ++e) {
        std::vector<std::size_t> rows;
        for (const Evaluator::RowRun& run : sample.row_runs())
          if (run.term == static_cast<int>(t) && run.equation == static_cast<int>(e) &&
              run.first_row >= offsets[first] && run.first_row < offsets[last])
            for (std::size_t i = 0; i < run.count; ++i) rows.push_back(run.first_row + i - offsets[first]);
        if (!rows.empty()) curvatures[t][e] = curvature_of(rows, columns.data(), stride, parameters.size());
      }
    }
    first = last;
  }
  return curvatures;
}

}  // namespace pecann::evaluate
