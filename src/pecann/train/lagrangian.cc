#include "pecann/train/lagrangian.h"

#include <algorithm>
#include <cmath>

#include "pecann/base/require.h"
#include "pecann/train/timings.h"

namespace pecann::train {

std::vector<double> multiplied_constraints(const evaluate::Evaluator& evaluator, const evaluate::TermValues& values,
                                           const penalty::DualState& duals) {
  std::vector<double> constraints = values.constraints;
  for (const evaluate::ConstraintEntries& entries : evaluator.constraints())
    for (std::size_t e = entries.first; entries.inequality && e < entries.first + entries.count; ++e)
      constraints[e] = penalty::multiplied_inequality(duals.multiplier[e], duals.penalty[e], constraints[e]);
  return constraints;
}

double lagrangian_of(const evaluate::Evaluator& evaluator, const evaluate::TermValues& values,
                     const penalty::DualState& duals) {
  const bool plain = std::ranges::none_of(evaluator.constraints(), &evaluate::ConstraintEntries::inequality);
  if (plain) return penalty::augmented_lagrangian(values.objective, values.constraints, duals);
  return penalty::augmented_lagrangian(values.objective, multiplied_constraints(evaluator, values, duals), duals);
}

std::vector<double> lagrangian_parts(const evaluate::Evaluator& evaluator, const evaluate::TermValues& values,
                                     const penalty::DualState& duals) {
  std::vector<double> parts;
  for (std::size_t t = 0; t < evaluator.terms().size(); ++t)
    parts.push_back(
        evaluator.terms()[t].role == problem::Role::Objective ? evaluator.terms()[t].weight * values.terms[t] : 0.0);
  const std::vector<double> constraints = multiplied_constraints(evaluator, values, duals);
  for (const evaluate::ConstraintEntries& entries : evaluator.constraints())
    for (std::size_t e = entries.first; e < entries.first + entries.count; ++e)
      parts[entries.term] += penalty::lagrangian_part(duals.multiplier[e], duals.penalty[e], constraints[e]);
  return parts;
}

LagrangianObjective::LagrangianObjective(evaluate::Evaluator& evaluator, const penalty::DualState& duals)
    : evaluator_(&evaluator), duals_(&duals), residuals_(evaluator) {}

LagrangianObjective::~LagrangianObjective() = default;

optim::LeastSquares* LagrangianObjective::least_squares() {
  const auto squared = [](const evaluate::Term& term) { return term.distance == problem::Distance::Square; };
  if (!least_squares_ && std::ranges::all_of(evaluator_->terms(), squared))
    least_squares_ = std::make_unique<LagrangianLeastSquares>(*evaluator_, *duals_);
  return least_squares_.get();
}

double LagrangianObjective::seconds() const {
  return seconds_ + residuals_.seconds() + (least_squares_ ? least_squares_->seconds() : 0);
}

double LagrangianObjective::value_and_gradient(std::span<const double> x, std::span<double> gradient) {
  const Stopwatch watch(seconds_);
  const evaluate::TermValues& values = evaluator_->gradient(x, {duals_->multiplier, duals_->penalty}, gradient);
  return lagrangian_of(*evaluator_, values, *duals_);
}

double LagrangianObjective::value(std::span<const double> x) {
  const Stopwatch watch(seconds_);
  const evaluate::TermValues& values = evaluator_->values(x);
  return lagrangian_of(*evaluator_, values, *duals_);
}

LagrangianLeastSquares::LagrangianLeastSquares(evaluate::Evaluator& evaluator, const penalty::DualState& duals)
    : evaluator_(&evaluator), duals_(&duals), objective_(evaluator, duals) {
  for (const evaluate::Term& term : evaluator.terms())
    require(term.distance == problem::Distance::Square,
            "absolute distances have no least-squares form; refused before");
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

void LagrangianLeastSquares::find_mixed_rows() {
  mixed_.clear();
  for (const auto& run : evaluator_->row_runs()) {
    const evaluate::Term& term = evaluator_->terms()[run.term];
    if (term.aggregate != problem::Aggregate::Pointwise || term.residuals.size() < 2 || entry_of(run) < 0) continue;
    if (run.equation == 0) mixed_.push_back({{}, run.count});  // a tile has the equations of a term in their order
    mixed_.back().first_rows.push_back(run.first_row);
  }
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
  find_mixed_rows();
  mixing_.assign(own, 0.0);
  for (const auto& run : evaluator_->row_runs()) {
    const evaluate::Term& term = evaluator_->terms()[run.term];
    const int first_entry = entry_of(run);
    const bool pointwise = first_entry >= 0 && term.aggregate == problem::Aggregate::Pointwise;
    const bool mixed = pointwise && term.residuals.size() > 1;
    const double root = std::sqrt(term.equation_weight(static_cast<std::size_t>(run.equation)));
    for (std::size_t i = 0; i < run.count; ++i) {
      const std::size_t row = run.first_row + i;
      residuals_[row] *= root;
      const double r = residuals_[row];
      double weight = term.weight, along = 0;
      if (first_entry >= 0) {
        const std::size_t entry = first_entry + (pointwise ? run.first_point + i : 0);
        weight = penalty::lagrangian_weight(duals_->multiplier[entry], duals_->penalty[entry], constraints[entry]);
        if (term.multiplied_inequality) {  // ½ μ (g + λ/μ)² where that is active
          const double scale = weight > 0 ? std::sqrt(duals_->penalty[entry]) : 0.0;
          scale_[row] = scale;
          right_side[row] = scale > 0 ? weight / scale : 0.0;
          continue;
        }
        if (mixed && weight > 0 && constraints[entry] > 0) {
          const double stretch = std::sqrt(1 + 2 * duals_->penalty[entry] * constraints[entry] / weight);
          if (run.equation == 0) mixing_[row] = (stretch - 1) / constraints[entry];
          scale_[row] = std::sqrt(2 * weight) * root;
          right_side[row] = std::sqrt(2 * weight) * r / stretch;
          continue;
        }
        if (pointwise) along = 4 * duals_->penalty[entry] * r * r;
      }
      const double pull = 2 * weight * evaluator_->share(term, run.first_point + i);
      const double scale = std::sqrt(std::max(0.0, pull + along));
      scale_[row] = scale * root;
      right_side[row] = scale > 0 ? pull * r / scale : 0.0;
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
      const double of_equation = std::sqrt(term.equation_weight(static_cast<std::size_t>(run.equation)));
      for (std::size_t i = 0; i < run.count; ++i)
        seeds_[run.first_row + i] =
            root * of_equation * 2 * evaluator_->share(term, run.first_point + i) * residuals_[run.first_row + i];
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
    double sum = 0;
    for (const auto& run : evaluator_->row_runs()) {
      if (entry_of(run) != static_cast<int>(entry)) continue;
      const evaluate::Term& term = evaluator_->terms()[run.term];
      const double of_equation = std::sqrt(term.equation_weight(static_cast<std::size_t>(run.equation)));
      for (std::size_t i = 0; i < run.count; ++i)
        sum += evaluator_->share(term, run.first_point + i) * residuals_[run.first_row + i] * of_equation *
               values[run.first_row + i];
    }
    values[own + c] = std::sqrt(std::max(0.0, duals_->penalty[entry])) * 2 * sum;
  }
  for (std::size_t row = 0; row < own; ++row) values[row] *= scale_[row];
  for (const MixedRows& rows : mixed_) mix(rows, values.data(), 0);
}

void LagrangianLeastSquares::mix(const MixedRows& rows, double* v, std::size_t first_row) const {
  for (std::size_t i = 0; i < rows.count; ++i) {
    double along = 0;
    for (const std::size_t first : rows.first_rows) along += residuals_[first + i] * v[first + i - first_row];
    along *= mixing_[rows.first_rows[0] + i];
    for (const std::size_t first : rows.first_rows) v[first + i - first_row] += along * residuals_[first + i];
  }
}

void LagrangianLeastSquares::jacobian(std::size_t first_tile, std::size_t num_tiles, double* columns,
                                      std::size_t stride) {
  const Stopwatch watch(seconds_);
  const std::size_t own_tiles = evaluator_->row_offsets().size() - 1;
  const std::size_t own = first_tile < own_tiles ? std::min(num_tiles, own_tiles - first_tile) : 0;
  if (own > 0) {
    evaluator_->jacobian(point_, scale_, first_tile, own, columns, stride);
    const std::size_t begin = evaluator_->row_offsets()[first_tile], end = evaluator_->row_offsets()[first_tile + own];
    for (const MixedRows& rows : mixed_)
      if (rows.first_rows[0] >= begin && rows.first_rows[0] < end)
        for (std::size_t p = 0; p < point_.size(); ++p) mix(rows, columns + p * stride, begin);
  }
  if (own == num_tiles) return;
  double* const last = columns + (evaluator_->num_rows() - evaluator_->row_offsets()[std::min(first_tile, own_tiles)]);
  for (std::size_t p = 0; p < point_.size(); ++p)
    for (std::size_t c = 0; c < aggregated_.size(); ++c) last[p * stride + c] = constraint_gradients_[c][p];
}

void LagrangianLeastSquares::pull_back(std::span<const double> seeds, std::span<double> result) {
  const Stopwatch watch(seconds_);
  const std::size_t own = evaluator_->num_rows();
  std::copy_n(seeds.begin(), own, seeds_.begin());
  for (const MixedRows& rows : mixed_) mix(rows, seeds_.data(), 0);
  for (std::size_t row = 0; row < own; ++row) seeds_[row] *= scale_[row];
  evaluator_->pull_back(point_, seeds_, result);
  for (std::size_t c = 0; c < aggregated_.size(); ++c)
    for (std::size_t p = 0; p < result.size(); ++p) result[p] += seeds[own + c] * constraint_gradients_[c][p];
}

}  // namespace pecann::train
