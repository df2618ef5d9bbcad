#include "pecann/optim/lm.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "pecann/base/require.h"
#include "pecann/optim/vector_algebra.h"

namespace pecann::optim {
namespace {

StepSummary ended(StepSummary summary, StepOutcome outcome, std::string reason) {
  summary.outcome = outcome;
  summary.reason = std::move(reason);
  return summary;
}

LeastSquares& squares_of(Objective& objective) {
  LeastSquares* const squares = objective.least_squares();
  require(squares != nullptr, "Levenberg–Marquardt needs squares; refused before (Optimizer::needs_squares)");
  return *squares;
}

double nielsen_factor(double gain_ratio) { return std::max(1.0 / 3.0, 1.0 - std::pow(2.0 * gain_ratio - 1.0, 3)); }

}  // namespace

LevenbergMarquardt::LevenbergMarquardt(const LmOptions& options) : options_(options) {
  require(options.initial_damping > 0 && options.min_damping >= 0, "damping must be positive");
  require(options.max_trials > 0 && options.acceleration_step > 0, "trials and acceleration step must be positive");
}

void LevenbergMarquardt::prepare(LeastSquares& problem) {
  const std::size_t parameters = problem.size();
  const std::size_t rows = problem.num_rows();
  if (!equations_ || !equations_->fits(parameters, rows)) {
    equations_.reset();  // give the memory back before asking for more
    equations_.emplace(options_.form ? *options_.form : choose_normal_form(parameters, rows, options_.memory_limit),
                       parameters, rows);
  }
  for (auto* vector : {&gradient_, &step_, &acceleration_, &point_}) vector->resize(parameters);
  for (auto* vector : {&right_side_, &base_rows_, &ahead_rows_, &curvature_}) vector->resize(rows);
  base_rows_known_ = false;
}

void LevenbergMarquardt::check_sizes(const MatrixSizes& sizes) const {
  if (!options_.form) choose_normal_form(sizes.parameters, sizes.rows, options_.memory_limit);
}

StepSummary LevenbergMarquardt::step(Objective& objective, std::span<double> x) {
  return step(squares_of(objective), x);
}

StepSummary LevenbergMarquardt::step(LeastSquares& problem, std::span<double> x) {
  require(x.size() == problem.size(), "parameters of another size");
  prepare(problem);
  StepSummary summary;
  const double value = problem.linearise(x, gradient_, right_side_);
  summary.evaluations = 1;
  summary.gradient_norm = max_abs(gradient_);
  if (!std::isfinite(value) || !std::isfinite(summary.gradient_norm))
    return ended(summary, StepOutcome::NotFinite, "value or gradient not finite at the start of the step");
  if (summary.gradient_norm <= options_.gradient_tolerance)
    return ended(summary, StepOutcome::Stationary, "gradient within its tolerance");

  equations_->build(problem);
  summary.jacobians = 1;
  const double trace = equations_->trace();
  if (!std::isfinite(trace)) return ended(summary, StepOutcome::NotFinite, "Jacobian not finite");
  if (damping_ && rescales_ && trace_ > 0) damping_ = *damping_ * trace / trace_;
  rescales_ = false;
  trace_ = trace;
  const double floor = options_.min_damping * trace / static_cast<double>(equations_->gram().size());
  if (!damping_) damping_ = options_.initial_damping * trace / static_cast<double>(x.size());

  double damping = std::max(*damping_, floor);
  bool any_finite = false;
  for (double growth = 2; summary.iterations < options_.max_trials; damping *= growth, growth *= 2) {
    ++summary.iterations;
    const std::optional<Trial> trial = try_damping(problem, x, damping, summary);
    if (!trial) continue;
    any_finite |= std::isfinite(trial->value);
    if (trial->value < value && trial->predicted > 0) {
      damping_ = std::max(damping * nielsen_factor((value - trial->value) / trial->predicted), floor);
      std::copy(point_.begin(), point_.end(), x.begin());
      return ended(summary, StepOutcome::Moved, fmt::format("step accepted, damping {:.3g}", *damping_));
    }
  }
  // The damping of a failed step is not kept: it says how short a step had to be tried in vain, nothing
  // about the curvature.
  if (!any_finite) return ended(summary, StepOutcome::NotFinite, "no trial had a finite value");
  return ended(summary, StepOutcome::Stalled, fmt::format("no decrease up to damping {:.3g}", damping));
}

// Leaves the trial point in point_; returns nothing when the matrix has no factor or the step is not finite.
std::optional<LevenbergMarquardt::Trial> LevenbergMarquardt::try_damping(LeastSquares& problem,
                                                                         std::span<const double> x, double damping,
                                                                         StepSummary& summary) {
  if (!equations_->factor(damping)) return std::nullopt;
  equations_->solve(problem, right_side_, gradient_, step_);
  if (!all_finite(step_)) return std::nullopt;
  const double predicted = 0.5 * (damping * dot(step_, step_) - dot(gradient_, step_));
  if (options_.acceleration_limit > 0) accelerate(problem, x, summary);
  along(x, 1.0, step_, point_);
  ++summary.evaluations;
  return Trial{problem.value(point_), predicted};
}

void LevenbergMarquardt::accelerate(LeastSquares& problem, std::span<const double> x, StepSummary& summary) {
  if (!base_rows_known_) {
    problem.rows(x, base_rows_);
    ++summary.evaluations;
    base_rows_known_ = true;
  }
  const double h = options_.acceleration_step;
  along(x, h, step_, point_);
  problem.rows(point_, ahead_rows_);
  along(x, -h, step_, point_);
  problem.rows(point_, curvature_);
  summary.evaluations += 2;
  for (std::size_t j = 0; j < curvature_.size(); ++j)
    curvature_[j] = ((ahead_rows_[j] - base_rows_[j]) + (curvature_[j] - base_rows_[j])) / (h * h);
  equations_->solve(problem, curvature_, {}, acceleration_);
  const double limit = options_.acceleration_limit;
  // The comparison is written so that a value that is not a number leaves the step as it is.
  if (4 * dot(acceleration_, acceleration_) < limit * limit * dot(step_, step_)) add_scaled(0.5, acceleration_, step_);
}

std::string LevenbergMarquardt::description() const {
  if (!equations_) return {};
  const std::size_t size = equations_->gram().size();
  return fmt::format("{} {} x {}", equations_->form() == NormalForm::Primal ? "primal" : "dual", size, size);
}

void LevenbergMarquardt::save(StateWriter& writer) const {
  writer.put_integer("optimizer.lm.started", damping_.has_value() ? 1 : 0);
  writer.put("optimizer.lm.damping", damping_.value_or(0.0));
  writer.put("optimizer.lm.trace", trace_);
}

void LevenbergMarquardt::load(const StateReader& reader) {
  damping_.reset();
  trace_ = reader.has("optimizer.lm.trace") ? reader.get_number("optimizer.lm.trace") : 0;
  const double damping = reader.get_number("optimizer.lm.damping");
  if (reader.get_integer("optimizer.lm.started") != 0) damping_ = damping;
}

}  // namespace pecann::optim
