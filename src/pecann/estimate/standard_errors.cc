#include "pecann/estimate/standard_errors.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "pecann/base/aligned_vector.h"
#include "pecann/base/communicator.h"
#include "pecann/base/input_error.h"
#include "pecann/estimate/equation_rows.h"
#include "pecann/estimate/fresh_points.h"
#include "pecann/optim/dense_cholesky.h"
#include "pecann/optim/dense_gram.h"

namespace pecann::estimate {
namespace {

constexpr double kExact = 100;  // how much more equations count than data, relative to the lengths of their rows
constexpr double kRowsPerParameter = 2.2;
constexpr std::size_t kMostParameters = 4000;
constexpr double kSmallRidge = 1e-11;  // of columns with length 1
constexpr std::size_t kPanel = 512;

/// Sums over the rows of every term.
struct TermRows {
  double squares = 0, lengths = 0, rows = 0;  // Σ r², Σ ‖J_j‖², their number
};

/// True where standard errors are computed: some term has data, and the matrix is not too large.
bool has_standard_errors(const problem::Problem& problem, std::size_t size) {
  const bool data = std::ranges::any_of(problem.terms, [](const problem::TermSpec& term) { return bool(term.data); });
  return data && size <= kMostParameters;
}

}  // namespace

double scalar_flops(const problem::Problem& problem, const train::Solution& solution) {
  const std::size_t size = solution.parameters(solution.num_windows() - 1).size();
  if (problem.parameters.empty() || !has_standard_errors(problem, size)) return 0;
  constexpr double kPasses = 60;  // of an entry of the Jacobian, which is computed twice
  const double columns = static_cast<double>(size), rows = 1.5 * kRowsPerParameter * columns;
  return rows * columns * (columns + kPasses) + columns * columns * columns / 3;
}

std::vector<results::ScalarEstimate> scalar_estimates(const problem::Problem& problem, const train::Solution& solution,
                                                      std::uint64_t seed) {
  const int window = solution.num_windows() - 1;
  const evaluate::Model& model = solution.model(window);
  const std::span<const double> parameters = solution.parameters(window);
  const std::size_t size = parameters.size(), scalars = problem.parameters.size();
  std::vector<results::ScalarEstimate> result;
  for (std::size_t s = 0; s < scalars; ++s)
    result.push_back({problem.parameters[s].name, model.scalar(parameters, static_cast<int>(s)).value,
                      std::numeric_limits<double>::quiet_NaN()});
  if (!has_standard_errors(problem, size)) return result;

  const double inside = kRowsPerParameter * static_cast<double>(size) /
                        static_cast<double>(std::max<std::size_t>(equations_inside(problem), 1));
  const WindowPoints points = window_points(problem, solution, seed, window, nullptr, " standard errors", inside);
  evaluate::Evaluator evaluator(model, points.terms, points.points, problem.box.names);
  std::vector<double> values(evaluator.num_rows()), weights(evaluator.num_rows(), 1.0);
  evaluator.residuals(parameters, values);
  const std::span<const std::size_t> offsets = evaluator.row_offsets();
  AlignedVector<double> panel;
  const auto for_all_panels = [&](const auto& work) {
    for (std::size_t first = 0; first + 1 < offsets.size();) {
      std::size_t end = first + 1;
      while (end + 1 < offsets.size() && offsets[end + 1] - offsets[first] <= kPanel) ++end;
      const std::size_t count = offsets[end] - offsets[first];
      const std::size_t stride = round_up(std::max(count, kPanel), kLanes) + kLanes;
      if (panel.size() < size * stride) panel.resize(size * stride);
      evaluator.jacobian(parameters, weights, first, end - first, panel.data(), stride);
      work(panel.data(), offsets[first], count, stride);
      first = end;
    }
  };
  std::vector<double> lengths(values.size(), 0.0);
  for_all_panels([&](const double* columns, std::size_t first, std::size_t count, std::size_t stride) {
    for (std::size_t p = 0; p < size; ++p)
      for (std::size_t j = 0; j < count; ++j) lengths[first + j] += columns[p * stride + j] * columns[p * stride + j];
  });
  std::vector<TermRows> terms(problem.terms.size());
  for (const evaluate::Evaluator::RowRun& run : evaluator.row_runs()) {
    TermRows& term = terms[static_cast<std::size_t>(run.term)];
    for (std::size_t j = run.first_row; j < run.first_row + run.count; ++j) {
      term.squares += values[j] * values[j];
      term.lengths += lengths[j];
      term.rows += 1;
    }
  }
  double longest = 0;  // of rows of data, in units of their noise
  std::vector<double> factors(terms.size(), 0.0);
  for (std::size_t t = 0; t < terms.size(); ++t) {
    if (!problem.terms[t].data) continue;
    const double freedom = std::max(terms[t].rows - static_cast<double>(scalars), 1.0);
    const double noise = std::sqrt(terms[t].squares / freedom);
    if (!(noise > 0)) return result;
    factors[t] = 1 / noise;
    longest = std::max(longest, std::sqrt(terms[t].lengths / terms[t].rows) / noise);
  }
  for (std::size_t t = 0; t < terms.size(); ++t)
    if (!problem.terms[t].data && terms[t].lengths > 0)
      factors[t] = kExact * longest / std::sqrt(terms[t].lengths / terms[t].rows);
  for (const evaluate::Evaluator::RowRun& run : evaluator.row_runs())
    std::fill_n(weights.begin() + static_cast<std::ptrdiff_t>(run.first_row), run.count,
                factors[static_cast<std::size_t>(run.term)]);

  optim::LowerBlocks gram(size);
  optim::GramProduct product;
  std::vector<double> step(size, 0.0);  // Jᵀr, then the Gauss–Newton step
  for_all_panels([&](const double* columns, std::size_t first, std::size_t count, std::size_t stride) {
    product.add_outer(columns, count, stride, gram);
    for (std::size_t p = 0; p < size; ++p)
      for (std::size_t j = 0; j < count; ++j)
        step[p] += columns[p * stride + j] * (weights[first + j] * values[first + j]);
  });
  optim::share_gram(gram);
  const std::vector<double> scale = scale_to_unit_diagonal(gram);
  optim::DenseCholesky cholesky(size);
  double ridge = kSmallRidge;
  while (ridge < 1 && !cholesky.factor(gram, ridge)) ridge *= 10;
  if (ridge >= 1) return result;
  for (std::size_t p = 0; p < size; ++p) step[p] *= scale[p];
  cholesky.solve(step);
  for (std::size_t s = 0; s < scalars; ++s) {
    const std::size_t place = model.scalar_offset() + s;
    std::vector<double> unit(size, 0.0);
    unit[place] = 1;
    cholesky.solve(unit);
    const double slope = model.scalar(parameters, static_cast<int>(s)).slope;
    result[s].standard_error = std::abs(slope) * scale[place] * std::hypot(std::sqrt(unit[place]), step[place]);
  }
  return result;
}

train::StandardErrors watched_scalars() {
  return {.at =
              [](const problem::Problem& problem, const train::Solution& solution, std::uint64_t seed) {
                const UseCommunicator alone(serial_communicator());  // the first rank's history alone needs them
                std::vector<double> errors;
                try {
                  for (const results::ScalarEstimate& scalar : scalar_estimates(problem, solution, seed))
                    errors.push_back(scalar.standard_error);
                } catch (const InputError&) {  // too many points: a training does not fail for it
                  errors.clear();
                }
                return errors;
              },
          .flops = scalar_flops};
}

}  // namespace pecann::estimate
