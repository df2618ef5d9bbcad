#include "pecann/optim/ssbroyden.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "pecann/base/require.h"
#include "pecann/optim/refuse.h"
#include "pecann/optim/vector_algebra.h"

namespace pecann::optim {
namespace {

constexpr double kMachineRounding = std::numeric_limits<double>::epsilon();

constexpr OptionDescription kBroydenNumbers[] = {
    {"iterations", SsBroydenOptions{}.iterations, kCount, "of an epoch, at most"},
    {"memory_limit", SsBroydenOptions{}.memory_limit, kPositive,
     "bytes of the matrix; beyond it the problem is refused"},
};

template <BroydenUpdate update>
std::unique_ptr<Optimizer> make_broyden(double learning_rate, const OptionValues& options, std::size_t parameters) {
  return std::make_unique<SsBroyden>(parameters, SsBroydenOptions{.update = update,
                                                                  .iterations = options.whole("iterations"),
                                                                  .learning_rate = learning_rate,
                                                                  .memory_limit = options.number("memory_limit")});
}

/// What both updates have in common.
OptimizerRow broyden_row() {
  return {.name = "",
          .title = "",
          .epoch = "up to 20 iterations with a dense inverse Hessian",
          .suits = "up to some 10,000 parameters",
          .options = kBroydenNumbers,
          .learning_rate = SsBroydenOptions{}.learning_rate,
          .warm_up = true,
          .second_order = true,
          .cost =
              [](const OptionValues& options, const TrainingSize& size) {
                const double iterations = options.number("iterations");
                return EpochCost{.evaluations = 1.25 * iterations,
                                 .operations = 3 * size.parameters * (size.parameters + 1) * iterations};
              },
          .numbers =
              [](const OptionValues&, const TrainingSize& size) {
                return OptimizerNumbers{.kept = 0.5 * size.parameters * (size.parameters + 1),
                                        .working = 30 * size.parameters};
              },
          .make = nullptr};
}

void refuse_beyond(double limit, std::size_t size) {
  const double bytes = PackedMatrix::bytes(size);
  if (bytes <= limit) return;
  refuse("optimizer", "ssbroyden",
         fmt::format("the inverse Hessian of {} parameters needs {:.3g} GB ({:.0f} bytes), the limit is {:.3g} GB",
                     size, bytes / 1e9, bytes, limit / 1e9),
         "use lbfgs or a smaller network");
}

}  // namespace

OptimizerRow ssbroyden_row() {
  OptimizerRow row = broyden_row();
  row.name = "ssbroyden";
  row.title = "self-scaled Broyden";
  row.make = make_broyden<BroydenUpdate::SelfScaled>;
  return row;
}

OptimizerRow bfgs_row() {
  OptimizerRow row = broyden_row();
  row.name = "bfgs";
  row.title = "BFGS";
  row.make = make_broyden<BroydenUpdate::Bfgs>;
  return row;
}

SsBroyden::SsBroyden(std::size_t size, const SsBroydenOptions& options)
    : options_(options),
      size_((refuse_beyond(options.memory_limit, size), size)),
      line_search_(size, options.line_search),
      s_(size),
      hy_(size),
      gradient_(size),
      direction_(size),
      y_(size),
      product_(size) {
  require(options.iterations >= 1, "an epoch needs an iteration");
}

void SsBroyden::forget() {
  has_curvature_ = false;
  pending_ = {};
  previous_decrease_ = 0;
}

void SsBroyden::multiply(std::span<const double> v, std::span<double> result) {
  if (!has_curvature_) {
    std::ranges::copy(v, result.begin());
    return;
  }
  inverse_hessian_.update_and_multiply(pending_, s_, hy_, v, result);
  pending_ = {};
}

double SsBroyden::first_step(double value, double slope) const {
  // Without curvature the gradient has no length scale: the first trial moves x by one in the 1-norm at most.
  if (!has_curvature_) return std::min(1.0, 1.0 / sum_abs(gradient_)) * options_.learning_rate;
  // The first trial expects the decrease of the last iteration again, on the parabola with this slope
  // [Nocedal & Wright 2006, eq. 3.60].
  const double parabola = 2.02 * previous_decrease_ / slope;
  const bool usable = parabola > kMachineRounding * std::abs(value / slope);
  return (usable ? std::min(1.0, parabola) : 1.0) * options_.learning_rate;
}

LineSearchResult SsBroyden::search_along(Objective& objective, std::span<const double> x, double value) {
  const double slope = dot(gradient_, direction_);
  const double first = first_step(value, slope);
  if (!(slope < 0) || !(first > 0)) return {.outcome = LineSearchOutcome::Failed};
  return line_search_.search(objective, x, value, slope, direction_, first);
}

// Searches along −Hg or, when that fails, along −g with H forgotten. When that fails as well, H is not at fault
// and is kept.
LineSearchResult SsBroyden::search(Objective& objective, std::span<const double> x, double value,
                                   StepSummary& summary) {
  LineSearchResult found = search_along(objective, x, value);
  summary.evaluations += found.evaluations;
  if (found.found() || !has_curvature_) return found;
  const SpanUpdate pending = pending_;
  forget();
  for (std::size_t i = 0; i < size_; ++i) direction_[i] = -gradient_[i];
  found = search_along(objective, x, value);
  summary.evaluations += found.evaluations;
  if (!found.found()) {
    has_curvature_ = true;
    pending_ = pending;
  }
  return found;
}

// Called after a search: takes over the new gradient, sets pending_ and the next direction.
void SsBroyden::learn(std::span<const double> x, double step_length) {
  const auto new_x = line_search_.point(), new_gradient = line_search_.gradient();
  multiply(new_gradient, product_);  // uses s_ and hy_ of the last update, so before they change
  for (std::size_t i = 0; i < size_; ++i) {
    s_[i] = new_x[i] - x[i];
    y_[i] = new_gradient[i] - gradient_[i];
    hy_[i] = product_[i] + direction_[i];
  }
  const double ys = dot(y_, s_), yy = dot(y_, y_), ss = dot(s_, s_);
  double sbs = -step_length * dot(s_, gradient_);
  std::ranges::copy(new_gradient, gradient_.begin());

  const bool informative = ys > kMachineRounding * std::sqrt(yy) * std::sqrt(ss);
  if (informative && !has_curvature_) {  // the first pair gives H its scale: H = (y·s/y·y) I, then the usual update
    const double scale = ys / yy;
    inverse_hessian_.set_diagonal(size_, scale);
    has_curvature_ = true;
    for (std::size_t i = 0; i < size_; ++i) {
      hy_[i] = scale * y_[i];
      product_[i] = scale * gradient_[i];
    }
    sbs = ss / scale;
  }
  const UpdateProducts products{.ys = ys, .yhy = dot(y_, hy_), .sbs = sbs};
  if (informative && products.yhy > 0 && products.sbs > 0) {
    const bool self_scaled = options_.update == BroydenUpdate::SelfScaled;
    pending_ = span_update(products, self_scaled ? self_scaled_parameters(products, size_) : BroydenParameters{});
    apply_update(pending_, s_, hy_, gradient_, product_, product_);
  }
  for (std::size_t i = 0; i < size_; ++i) direction_[i] = -product_[i];
}

StepSummary SsBroyden::step(Objective& objective, std::span<double> x) {
  require(x.size() == size_, "parameters of another size");
  StepSummary summary;
  double value = objective.value_and_gradient(x, gradient_);
  summary.evaluations = 1;
  summary.gradient_norm = max_abs(gradient_);
  const auto end = [&](StepOutcome outcome, const char* reason) {
    summary.outcome = summary.iterations > 0 ? StepOutcome::Moved : outcome;
    summary.reason = reason;
    return summary;
  };
  if (!std::isfinite(value) || !std::isfinite(summary.gradient_norm))
    return end(StepOutcome::NotFinite, "value or gradient not finite at the start of the step");
  if (summary.gradient_norm == 0) return end(StepOutcome::Stationary, "the gradient is zero");

  previous_decrease_ = 0;  // the objective may have changed
  multiply(gradient_, direction_);
  for (double& entry : direction_) entry = -entry;
  while (summary.iterations < options_.iterations) {
    // −½ slope is the decrease that the quadratic model promises for a full step.
    const double slope = dot(gradient_, direction_);
    if (has_curvature_ && slope < 0 && -slope <= kMachineRounding * std::abs(value))
      return end(StepOutcome::Stationary, "the predicted decrease is below the rounding of the value");
    const LineSearchResult found = search(objective, x, value, summary);
    if (found.outcome == LineSearchOutcome::NotFinite)
      return end(StepOutcome::NotFinite, "no finite value or gradient along the steepest descent");
    if (!found.found()) return end(StepOutcome::Stalled, "no step lowered the value, along the gradient neither");

    learn(x, found.step);
    std::ranges::copy(line_search_.point(), x.begin());
    previous_decrease_ = std::min(0.0, found.value - value);
    value = found.value;
    ++summary.iterations;
    if (max_abs(gradient_) == 0) return end(StepOutcome::Moved, "the gradient is zero");
  }
  return end(StepOutcome::Moved, "iterations of the step done");
}

void SsBroyden::save(StateWriter& writer) const {
  writer.put("optimizer.learning_rate", options_.learning_rate);
  writer.put_integer("optimizer.has_curvature", has_curvature_ ? 1 : 0);
  if (!has_curvature_) return;
  writer.put("optimizer.inverse_hessian", inverse_hessian_.entries());
  const double pending[] = {pending_.scale, pending_.ss, pending_.sh, pending_.hh};
  writer.put("optimizer.pending", pending);
  writer.put("optimizer.pending_s", s_);
  writer.put("optimizer.pending_hy", hy_);
}

void SsBroyden::load(const StateReader& reader) {
  options_.learning_rate = reader.get_number("optimizer.learning_rate");
  forget();
  if (reader.get_integer("optimizer.has_curvature") == 0) return;
  inverse_hessian_.set_diagonal(size_, 1.0);
  reader.get("optimizer.inverse_hessian", inverse_hessian_.entries());
  double pending[4];
  reader.get("optimizer.pending", pending);
  pending_ = {.scale = pending[0], .ss = pending[1], .sh = pending[2], .hh = pending[3]};
  reader.get("optimizer.pending_s", s_);
  reader.get("optimizer.pending_hy", hy_);
  has_curvature_ = true;
}

}  // namespace pecann::optim
