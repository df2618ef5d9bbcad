#include "pecann/optim/solve.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "pecann/base/require.h"
#include "pecann/optim/frontal_qr.h"
#include "pecann/optim/refuse.h"
#include "pecann/optim/sparse_least_squares.h"
#include "pecann/optim/vector_algebra.h"

namespace pecann::optim {
namespace {

constexpr double kLeastGain = 1e-3;        // of a full step, as a share of the norm
constexpr double kAsPredicted = 1.1;       // times the norm of the linear equations: what is left is not nonlinear
constexpr std::size_t kPanelOfRows = 512;  // whole tiles of the problem are joined up to this many rows

/// Calls work(columns, first row, rows, stride) for panels of the Jacobian at x, with room for one more column.
template <class Work>
void for_panels(Residuals& residuals, std::span<const double> x, const Work& work) {
  const std::span<const std::size_t> offsets = residuals.row_offsets();
  AlignedVector<double> panel;
  for (std::size_t first = 0; first + 1 < offsets.size();) {
    std::size_t end = first + 1;
    while (end + 1 < offsets.size() && offsets[end + 1] - offsets[first] <= kPanelOfRows) ++end;
    const std::size_t rows = offsets[end] - offsets[first];
    const std::size_t stride = round_up(std::max(rows, kPanelOfRows), kLanes) + kLanes;
    if (panel.size() < (x.size() + 1) * stride) panel.resize((x.size() + 1) * stride);
    residuals.jacobian(x, first, end - first, panel.data(), stride);
    work(panel.data(), offsets[first], rows, stride);
    first = end;
  }
}

/// The sums of numbers of rows over the rows of every equation.
std::vector<double> by_equation(const Residuals& residuals, std::span<const double> of_rows) {
  std::vector<double> sums;
  for (const Residuals::Run& run : residuals.runs()) {
    sums.resize(std::max(sums.size(), static_cast<std::size_t>(run.equation) + 1), 0.0);
    for (std::size_t j = 0; j < run.count; ++j) sums[run.equation] += of_rows[run.first_row + j];
  }
  return sums;
}

/// ω of every row.
std::vector<double> row_weights(const Residuals& residuals, std::span<const double> by_equation) {
  std::vector<double> weights(residuals.num_rows());
  for (const Residuals::Run& run : residuals.runs())
    std::fill_n(weights.begin() + static_cast<std::ptrdiff_t>(run.first_row), run.count, by_equation[run.equation]);
  return weights;
}

double weighted_norm(std::span<const double> weights, std::span<const double> rows) {
  double sum = 0;
  for (std::size_t j = 0; j < rows.size(); ++j) sum += (weights[j] * rows[j]) * (weights[j] * rows[j]);
  return std::sqrt(sum);
}

/// The new point y of least squares over all rows; returns how many columns were not left out.
std::size_t solve_dense(Residuals& residuals, std::span<const double> x, std::span<const double> weights,
                        std::span<const double> rows, double cut, std::span<double> solution) {
  StreamedQr qr(x.size());
  for_panels(residuals, x, [&](double* columns, std::size_t first, std::size_t count, std::size_t stride) {
    for (std::size_t p = 0; p < x.size(); ++p)
      for (std::size_t j = 0; j < count; ++j) columns[p * stride + j] *= weights[first + j];
    double* const constant = columns + x.size() * stride;
    for (std::size_t j = 0; j < count; ++j) constant[j] = weights[first + j] * rows[first + j];
    for (std::size_t p = 0; p < x.size(); ++p)
      if (x[p] != 0)
        for (std::size_t j = 0; j < count; ++j) constant[j] -= columns[p * stride + j] * x[p];
    qr.add_rows(columns, count, stride);
  });
  return qr.solve(cut, solution);
}

}  // namespace

namespace {

/// ‖J_j‖² of every row.
std::vector<double> row_squares(Residuals& residuals, std::span<const double> x) {
  if (!residuals.blocks().empty()) return SparseLeastSquares(residuals).row_squares(x);
  std::vector<double> squares(residuals.num_rows(), 0.0);
  for_panels(residuals, x, [&](const double* columns, std::size_t first, std::size_t rows, std::size_t stride) {
    for (std::size_t p = 0; p < x.size(); ++p)
      for (std::size_t j = 0; j < rows; ++j) squares[first + j] += columns[p * stride + j] * columns[p * stride + j];
  });
  return squares;
}

double beta(const Residuals::Run& run, double conditions) {
  return run.constraint ? conditions : std::sqrt(run.weight);
}

}  // namespace

std::vector<double> equation_weights(Residuals& residuals, std::span<const double> x, double conditions) {
  const std::vector<double> sums = by_equation(residuals, row_squares(residuals, x));
  std::vector<double> weights(sums.size(), 0.0);
  for (const Residuals::Run& run : residuals.runs())
    if (sums[run.equation] > 0) weights[run.equation] = beta(run, conditions) / std::sqrt(sums[run.equation]);
  return weights;
}

std::vector<double> weights_by_run(Residuals& residuals, std::span<const double> x, double conditions) {
  const std::vector<double> squares = row_squares(residuals, x);
  std::vector<double> counts, weights(residuals.num_rows(), 0.0);
  for (const Residuals::Run& run : residuals.runs()) {
    counts.resize(std::max(counts.size(), static_cast<std::size_t>(run.equation) + 1), 0.0);
    counts[run.equation] += static_cast<double>(run.count);
  }
  for (const Residuals::Run& run : residuals.runs()) {
    const auto first = squares.begin() + static_cast<std::ptrdiff_t>(run.first_row);
    const double mean =
        std::accumulate(first, first + static_cast<std::ptrdiff_t>(run.count), 0.0) / static_cast<double>(run.count);
    if (mean > 0)
      std::fill_n(weights.begin() + static_cast<std::ptrdiff_t>(run.first_row), run.count,
                  beta(run, conditions) / std::sqrt(mean * counts[run.equation]));
  }
  return weights;
}

std::vector<double> weights_by_row(Residuals& residuals, std::span<const double> x, double conditions) {
  const std::vector<double> squares = row_squares(residuals, x);
  std::vector<double> counts = by_equation(residuals, std::vector<double>(squares.size(), 1.0));
  std::vector<double> weights(residuals.num_rows(), 0.0);
  for (const Residuals::Run& run : residuals.runs())
    for (std::size_t j = run.first_row; j < run.first_row + run.count; ++j)
      if (squares[j] > 0) weights[j] = beta(run, conditions) / std::sqrt(squares[j] * counts[run.equation]);
  return weights;
}

std::vector<double> equation_squares(const Residuals& residuals, std::span<const double> rows) {
  std::vector<double> squares(rows.begin(), rows.end());
  for (double& square : squares) square *= square;
  return by_equation(residuals, squares);
}

double solve_bytes(const MatrixSizes& sizes) {
  if (sizes.front == 0) return StreamedQr::bytes(sizes.parameters, kPanelOfRows);
  return FrontalQr::bytes(sizes.parameters, sizes.front, kPanelOfRows);
}

void Solve::check_sizes(const MatrixSizes& sizes) const {
  const double bytes = solve_bytes(sizes);
  if (bytes > options_.memory_limit)
    refuse("optimizer", "solve",
           fmt::format("{} parameters and {} residuals need {:.3g} GB ({:.0f} bytes), the limit is {:.3g} GB",
                       sizes.parameters, sizes.rows, bytes / 1e9, bytes, options_.memory_limit / 1e9),
           "use fewer features");
}

StepSummary Solve::step(Objective& objective, std::span<double> x) {
  if (known_) {
    const std::vector<double>* before = &known_->start;
    for (const KnownSteps::Step& step : known_->steps) {
      if (std::ranges::equal(x, *before)) {
        std::ranges::copy(step.after, x.begin());
        settled_ = step.settled;
        StepSummary summary = step.summary;
        summary.known = true;
        return summary;
      }
      before = &step.after;
    }
  }
  Residuals* const residuals = objective.residuals();
  require(residuals != nullptr, "the solve needs residuals; refused before");
  return step(*residuals, x);
}

StepSummary Solve::step_and_keep(Residuals& residuals, std::span<double> x, KnownSteps& steps) {
  if (steps.steps.empty()) steps.start.assign(x.begin(), x.end());
  StepSummary summary = step(residuals, x);
  steps.steps.push_back({{x.begin(), x.end()}, summary, settled_});
  return summary;
}

StepSummary Solve::step(Residuals& residuals, std::span<double> x) {
  require(x.size() == residuals.size(), "parameters of another size");
  StepSummary summary;
  const auto ended = [&](StepOutcome outcome, std::string reason) {
    summary.outcome = outcome;
    summary.reason = std::move(reason);
    return summary;
  };
  std::vector<double> rows(residuals.num_rows());
  residuals.values(x, rows);
  summary.evaluations = 1;
  if (settled_ == std::sqrt(dot(rows, rows)))
    return ended(StepOutcome::Stationary, "the last step left what linear equations leave");
  const std::vector<double> weights = options_.each_row ? weights_by_row(residuals, x, options_.conditions)
                                      : residuals.blocks().empty()
                                          ? row_weights(residuals, equation_weights(residuals, x, options_.conditions))
                                          : weights_by_run(residuals, x, options_.conditions);
  const double before = weighted_norm(weights, rows);
  if (!std::isfinite(before)) return ended(StepOutcome::NotFinite, "a residual or its derivative is not finite");

  std::vector<double> direction(x.size()), point(x.size());
  std::size_t rank = x.size();
  double predicted = 0;  // nothing known
  if (residuals.blocks().empty()) {
    rank = solve_dense(residuals, x, weights, rows, options_.cut, direction);
  } else {
    SparseLeastSquares::Solved solved = SparseLeastSquares(residuals).solve(x, weights, rows, options_.cut);
    direction = std::move(solved.y);
    predicted = std::sqrt(solved.left);
  }
  summary.jacobians = 1;
  if (!all_finite(direction)) return ended(StepOutcome::NotFinite, "the step is not finite");
  for (std::size_t p = 0; p < x.size(); ++p) direction[p] -= x[p];

  bool any_finite = false;
  double share = 1;
  for (int halvings = 0; halvings <= options_.max_halvings; ++halvings, share /= 2) {
    ++summary.iterations;
    along(x, share, direction, point);
    residuals.values(point, rows);
    ++summary.evaluations;
    const double after = weighted_norm(weights, rows);
    any_finite |= std::isfinite(after);
    if (after < (1 - kLeastGain * share) * before) {
      std::copy(point.begin(), point.end(), x.begin());
      if (share == 1 && after <= kAsPredicted * predicted) settled_ = std::sqrt(dot(rows, rows));
      return ended(StepOutcome::Moved, fmt::format("rank {} of {}, {:.3g} of the step, residual {:.3g} times as large",
                                                   rank, x.size(), share, after / before));
    }
  }
  if (!any_finite) return ended(StepOutcome::NotFinite, "no trial had finite residuals");
  return ended(StepOutcome::Stalled, "no part of the step lowers the residuals");
}

}  // namespace pecann::optim
