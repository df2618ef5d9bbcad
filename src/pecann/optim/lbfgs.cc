#include "pecann/optim/lbfgs.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "pecann/base/require.h"
#include "pecann/optim/vector_algebra.h"

namespace pecann::optim {
namespace {

constexpr double kRounding = std::numeric_limits<double>::epsilon();
// A pair whose angle between y and s is a right one to this precision says nothing but rounding.
constexpr double kLeastCurvature = 1e-12;

constexpr OptionDescription kLbfgsNumbers[] = {
    {"iterations", LbfgsOptions{}.iterations, kCount, "of an epoch, at most"},
    {"evaluations", std::numeric_limits<double>::quiet_NaN(), kCount,
     "of an epoch; the iteration that reaches it is the last", "iterations + 5"},
    {"history", LbfgsOptions{}.history, kCount, "curvature pairs kept"},
};

std::unique_ptr<Optimizer> make_lbfgs(double learning_rate, const OptionValues& options, std::size_t parameters) {
  LbfgsOptions lbfgs{
      .iterations = options.whole("iterations"), .history = options.whole("history"), .learning_rate = learning_rate};
  lbfgs.evaluations = static_cast<int>(options.given("evaluations").value_or(std::min(lbfgs.iterations + 5.0, 1e9)));
  return std::make_unique<Lbfgs>(parameters, lbfgs);
}

}  // namespace

EpochCost lbfgs_cost(const OptionValues& options, const TrainingSize& size) {
  const double iterations = options.number("iterations");
  return {.evaluations = std::min(1.1 * iterations, options.given("evaluations").value_or(iterations + 5)),
          .operations = 4 * options.number("history") * size.parameters * iterations};
}

OptimizerNumbers lbfgs_numbers(const OptionValues& options, const TrainingSize& size) {
  // Pairs are kept as they come: no more than there are iterations.
  const double pairs = std::min(options.number("history"), options.number("iterations") * size.epochs);
  return {.kept = 2 * pairs * size.parameters, .working = 6 * size.parameters};
}

OptimizerRow lbfgs_row() {
  return {.name = "lbfgs",
          .title = "L-BFGS",
          .epoch = "up to 20 iterations",
          .suits = "warm-up of those with dense matrices; large smooth problems",
          .options = kLbfgsNumbers,
          .learning_rate = LbfgsOptions{}.learning_rate,
          .steps = 3,
          .cost = lbfgs_cost,
          .numbers = lbfgs_numbers,
          .make = make_lbfgs};
}

Lbfgs::Lbfgs(std::size_t size, const LbfgsOptions& options)
    : options_(options),
      memory_(size, static_cast<std::size_t>(options.history)),
      line_search_(size),
      gradient_(size),
      direction_(size),
      s_(size),
      y_(size) {
  require(options.iterations >= 1 && options.evaluations >= 1, "an epoch needs an iteration");
}

double Lbfgs::set_direction() {
  memory_.descend(gradient_, direction_);
  return dot(gradient_, direction_);
}

LineSearchResult Lbfgs::search_along(Objective& objective, std::span<const double> x, double value, double slope) {
  // Without curvature the gradient has no length scale: the first trial moves x as far as the last step did.
  const double first_step = (memory_.empty() ? last_length_ / sum_abs(gradient_) : 1.0) * options_.learning_rate;
  if (!(slope < 0) || !(first_step > 0)) return {.outcome = LineSearchOutcome::Failed};
  return line_search_.search(objective, x, value, slope, direction_, first_step);
}

void Lbfgs::remember(std::span<const double> x) {
  const auto new_x = line_search_.point(), new_gradient = line_search_.gradient();
  for (std::size_t i = 0; i < x.size(); ++i) {
    s_[i] = new_x[i] - x[i];
    y_[i] = new_gradient[i] - gradient_[i];
  }
  const double ys = dot(y_, s_);
  if (ys > 0 && ys > kLeastCurvature * std::sqrt(dot(y_, y_)) * std::sqrt(dot(s_, s_))) memory_.push(s_, y_);
}

StepSummary Lbfgs::step(Objective& objective, std::span<double> x) {
  StepSummary summary;
  double value = objective.value_and_gradient(x, gradient_);
  summary.evaluations = 1;
  summary.gradient_norm = max_abs(gradient_);
  if (!std::isfinite(value) || !std::isfinite(summary.gradient_norm)) {
    summary.outcome = StepOutcome::NotFinite;
    summary.reason = "value or gradient not finite at the start of the step";
    return summary;
  }
  // What the epoch is called when it ends here for a reason other than its length.
  const auto end = [&](StepOutcome outcome, const char* reason) {
    summary.outcome = summary.iterations > 0 ? StepOutcome::Moved : outcome;
    summary.reason = reason;
    return summary;
  };

  while (true) {
    if (max_abs(gradient_) == 0) return end(StepOutcome::Stationary, "the gradient is zero");
    const double slope = set_direction();
    // −½ slope is the decrease that the quadratic model promises for a full step; without pairs slope has
    // no such meaning.
    if (!memory_.empty() && slope < 0 && -slope <= kRounding * std::abs(value))
      return end(StepOutcome::Stationary, "the predicted decrease is below the rounding of the value");
    LineSearchResult found = search_along(objective, x, value, slope);
    summary.evaluations += found.evaluations;
    if (!found.found() && !memory_.empty()) {
      memory_.clear();  // the direction may be at fault: once more from the gradient alone
      found = search_along(objective, x, value, set_direction());
      summary.evaluations += found.evaluations;
    }
    if (found.outcome == LineSearchOutcome::NotFinite)
      return end(StepOutcome::NotFinite, "no finite value or gradient along the steepest descent");
    if (!found.found()) return end(StepOutcome::Stalled, "no step lowered the value, along the gradient neither");

    remember(x);
    last_length_ = sum_abs(s_);
    const double moved = max_abs(s_);
    std::ranges::copy(line_search_.point(), x.begin());
    std::ranges::copy(line_search_.gradient(), gradient_.begin());
    value = found.value;
    ++summary.iterations;

    if (summary.iterations >= options_.iterations) return end(StepOutcome::Moved, "iterations of the step done");
    if (summary.evaluations >= options_.evaluations) return end(StepOutcome::Moved, "evaluations of the step done");
    if (moved <= kRounding * max_abs(x)) return end(StepOutcome::Moved, "the step is below the rounding of x");
  }
}

void Lbfgs::save(StateWriter& writer) const {
  writer.put("optimizer.learning_rate", options_.learning_rate);
  writer.put("optimizer.last_length", last_length_);
  memory_.save("optimizer.", writer);
}

void Lbfgs::load(const StateReader& reader) {
  options_.learning_rate = reader.get_number("optimizer.learning_rate");
  last_length_ = reader.get_number("optimizer.last_length");
  memory_.load("optimizer.", reader);
}

}  // namespace pecann::optim
