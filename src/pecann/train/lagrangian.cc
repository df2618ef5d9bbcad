#include "pecann/train/lagrangian.h"

#include <algorithm>
#include <cmath>

#include "pecann/base/check.h"
#include "pecann/train/timings.h"

namespace pecann::train {

double LagrangianObjective::value_and_gradient(std::span<const double> x, std::span<double> gradient) {
  const Stopwatch watch(seconds_);
  const evaluate::TermValues& values = evaluator_->gradient(x, {duals_->multiplier, duals_->penalty}, gradient);
  return penalty::augmented_lagrangian(values.objective, values.constraints, *duals_);
}

double LagrangianObjective::value(std::span<const double> x) {
  const Stopwatch watch(seconds_);
  const evaluate::TermValues& values = evaluator_->values(x);
  return penalty::augmented_lagrangian(values.objective, values.constraints, *duals_);
}

LagrangianLeastSquares::LagrangianLeastSquares(evaluate::Evaluator& evaluator, const penalty::DualState& duals)
    : evaluator_(&evaluator), duals_(&duals), objective_(evaluator, duals) {
  for (const evaluate::Term& term : evaluator.terms())
    check(term.distance == problem::Distance::Square, "absolute distances have no least-squares form; refused before");
  for (const evaluate::ConstraintEntries& entries : evaluator.constraints())
    if (!entries.pointwise) aggregated_.push_back(entries.first);
}

std::span<const std::size_t> LagrangianLeastSquares::row_offsets() const {
  const auto offsets = evaluator_->row_offsets();
  offsets_.assign(offsets.begin(), offsets.end());
  offsets_.push_back(offsets_.back() + aggregated_.size());
  return offsets_;
}

int LagrangianLeastSquares::entry_of(const evaluate::Evaluator::RowRun& run) const {
  for (const evaluate::ConstraintEntries& entries : evaluator_->constraints())
    if (entries.term == run.term) return static_cast<int>(entries.first);
  return -1;
}

double LagrangianLeastSquares::value(std::span<const double> x) { return objective_.value(x); }

double LagrangianLeastSquares::linearise(std::span<const double> x, std::span<double> gradient,
                                         std::span<double> right_side) {
  const double loss = objective_.value_and_gradient(x, gradient);
  const Stopwatch watch(seconds_);
  const std::vector<double> constraints = evaluator_->values(x).constraints;
  const std::size_t own = evaluator_->num_rows();
  point_.assign(x.begin(), x.end());
  residuals_.resize(own);
  scale_.resize(own);
  seeds_.resize(own);
  evaluator_->residuals(x, residuals_);
  for (const auto& run : evaluator_->row_runs()) {
    const evaluate::Term& term = evaluator_->terms()[run.term];
    const auto points = static_cast<double>(evaluator_->program(term.point_set).points().count);
    const double share = term.aggregate == problem::Aggregate::Mean ? 1 / points : 1.0;
    const int first_entry = entry_of(run);
    const bool pointwise = first_entry >= 0 && term.aggregate == problem::Aggregate::Pointwise;
    for (std::size_t i = 0; i < run.count; ++i) {
      const std::size_t row = run.first_row + i;
      const double r = residuals_[row];
      double weight = term.weight, along = 0;
      if (first_entry >= 0) {
        const std::size_t entry = first_entry + (pointwise ? run.first_point + i : 0);
        weight = duals_->multiplier[entry] + duals_->penalty[entry] * constraints[entry];
        if (pointwise) along = 4 * duals_->penalty[entry] * r * r;
      }
      const double pull = 2 * weight * share;
      scale_[row] = std::sqrt(std::max(0.0, pull + along));
      right_side[row] = scale_[row] > 0 ? pull * r / scale_[row] : 0.0;
    }
  }
  constraint_gradients_.resize(aggregated_.size());
  for (std::size_t c = 0; c < aggregated_.size(); ++c) {
    const std::size_t entry = aggregated_[c];
    const double root = std::sqrt(std::max(0.0, duals_->penalty[entry]));
    constraint_gradients_[c].assign(x.size(), 0.0);
    right_side[own + c] = 0;
    if (root == 0) continue;
    std::fill(seeds_.begin(), seeds_.end(), 0.0);
    for (const auto& run : evaluator_->row_runs()) {
      if (entry_of(run) != static_cast<int>(entry)) continue;
      const evaluate::Term& term = evaluator_->terms()[run.term];
      const auto points = static_cast<double>(evaluator_->program(term.point_set).points().count);
      const double share = term.aggregate == problem::Aggregate::Mean ? 1 / points : 1.0;
      for (std::size_t row = run.first_row; row < run.first_row + run.count; ++row)
        seeds_[row] = root * 2 * share * residuals_[row];
    }
    evaluator_->pull_back(x, seeds_, constraint_gradients_[c]);
  }
  return loss;
}

void LagrangianLeastSquares::rows(std::span<const double> x, std::span<double> values) {
  const Stopwatch watch(seconds_);
  const std::size_t own = evaluator_->num_rows();
  evaluator_->residuals(x, values.first(own));
  for (std::size_t c = 0; c < aggregated_.size(); ++c) {
    const std::size_t entry = aggregated_[c];
    double sum = 0, share = 1;
    for (const auto& run : evaluator_->row_runs()) {
      if (entry_of(run) != static_cast<int>(entry)) continue;
      const evaluate::Term& term = evaluator_->terms()[run.term];
      if (term.aggregate == problem::Aggregate::Mean)
        share = 1 / static_cast<double>(evaluator_->program(term.point_set).points().count);
      for (std::size_t row = run.first_row; row < run.first_row + run.count; ++row) sum += residuals_[row] * values[row];
    }
    values[own + c] = std::sqrt(std::max(0.0, duals_->penalty[entry])) * 2 * share * sum;
  }
  for (std::size_t row = 0; row < own; ++row) values[row] *= scale_[row];
}

void LagrangianLeastSquares::jacobian(std::size_t first_tile, std::size_t num_tiles, double* columns, std::size_t stride) {
  const Stopwatch watch(seconds_);
  const std::size_t own_tiles = evaluator_->row_offsets().size() - 1;
  const std::size_t own = first_tile < own_tiles ? std::min(num_tiles, own_tiles - first_tile) : 0;
  if (own > 0) evaluator_->jacobian(point_, scale_, first_tile, own, columns, stride);
  if (own == num_tiles) return;
  double* const last = columns + (evaluator_->num_rows() - evaluator_->row_offsets()[std::min(first_tile, own_tiles)]);
  for (std::size_t p = 0; p < point_.size(); ++p)
    for (std::size_t c = 0; c < aggregated_.size(); ++c) last[p * stride + c] = constraint_gradients_[c][p];
}

void LagrangianLeastSquares::pull_back(std::span<const double> seeds, std::span<double> result) {
  const Stopwatch watch(seconds_);
  const std::size_t own = evaluator_->num_rows();
  for (std::size_t row = 0; row < own; ++row) seeds_[row] = seeds[row] * scale_[row];
  evaluator_->pull_back(point_, seeds_, result);
  for (std::size_t c = 0; c < aggregated_.size(); ++c)
    for (std::size_t p = 0; p < result.size(); ++p) result[p] += seeds[own + c] * constraint_gradients_[c][p];
}

}  // namespace pecann::train
