#include "pecann/optim/lbfgs_compatible.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "pecann/base/require.h"
#include "pecann/optim/lbfgs.h"
#include "pecann/optim/vector_algebra.h"

namespace pecann::optim {
namespace {

constexpr double kLeastProduct = 1e-10;  // of y·s of a pair

constexpr OptionDescription kCompatibleNumbers[] = {
    {"iterations", LbfgsCompatibleOptions{}.iterations, kCount, "max_iter of an epoch"},
    {"evaluations", std::numeric_limits<double>::quiet_NaN(), kCount, "max_eval of an epoch", "iterations · 5/4"},
    {"history", LbfgsCompatibleOptions{}.history, kCount, "history_size"},
    {"tolerance_grad", LbfgsCompatibleOptions{}.tolerance_grad, kNotNegative,
     "an epoch ends when no entry of the gradient is above it"},
    {"tolerance_change", LbfgsCompatibleOptions{}.tolerance_change, kNotNegative,
     "an epoch ends when g·d, the step or the change of L is not above it"},
};

std::unique_ptr<Optimizer> make_lbfgs_compatible(double learning_rate, const OptionValues& options,
                                                 std::size_t parameters) {
  LbfgsCompatibleOptions lbfgs{.iterations = options.whole("iterations"),
                               .history = options.whole("history"),
                               .learning_rate = learning_rate,
                               .tolerance_grad = options.number("tolerance_grad"),
                               .tolerance_change = options.number("tolerance_change")};
  lbfgs.evaluations =
      static_cast<int>(options.given("evaluations").value_or(std::clamp(lbfgs.iterations * 1.25, 1.0, 1e9)));
  return std::make_unique<LbfgsCompatible>(parameters, lbfgs);
}

}  // namespace

OptimizerRow lbfgs_compatible_row() {
  return {.name = "lbfgs",
          .mode = "compatible",
          .title = "L-BFGS exactly as torch.optim.LBFGS with strong Wolfe",
          .epoch = "up to 20 iterations",
          .suits = "repeating trainings of PyTorch",
          .options = kCompatibleNumbers,
          .learning_rate = LbfgsCompatibleOptions{}.learning_rate,
          .repeats_stalls = false,
          .cost = lbfgs_cost,
          .numbers = lbfgs_numbers,
          .make = make_lbfgs_compatible};
}

LbfgsCompatible::LbfgsCompatible(std::size_t size, const LbfgsCompatibleOptions& options)
    : options_(options),
      memory_(size, static_cast<std::size_t>(options.history)),
      line_search_(size),
      direction_(size),
      last_gradient_(size),
      gradient_(size),
      s_(size),
      y_(size) {
  require(options.iterations >= 1 && options.evaluations >= 1, "a step needs an iteration");
}

void LbfgsCompatible::form_pair() {
  for (std::size_t i = 0; i < s_.size(); ++i) {
    s_[i] = direction_[i] * last_step_;
    y_[i] = gradient_[i] - last_gradient_[i];
  }
  if (dot(y_, s_) > kLeastProduct) memory_.push(s_, y_);
}

StepSummary LbfgsCompatible::step(Objective& objective, std::span<double> x) {
  StepSummary summary;
  double value = objective.value_and_gradient(x, gradient_);
  summary.evaluations = 1;
  summary.gradient_norm = max_abs(gradient_);
  if (!std::isfinite(value) || !std::isfinite(summary.gradient_norm)) {
    summary.outcome = StepOutcome::NotFinite;
    summary.reason = "value or gradient not finite at the start of the step";
    return summary;
  }
  if (summary.gradient_norm <= options_.tolerance_grad) {
    summary.outcome = StepOutcome::Stationary;
    summary.reason = "max|g| is within tolerance_grad";
    return summary;
  }

  while (true) {
    ++iteration_;
    if (iteration_ > 1) form_pair();
    memory_.descend(gradient_, direction_);
    std::ranges::copy(gradient_, last_gradient_.begin());
    const double value_before = value;
    last_step_ =
        iteration_ == 1 ? std::min(1.0, 1.0 / sum_abs(gradient_)) * options_.learning_rate : options_.learning_rate;

    const double slope = dot(gradient_, direction_);
    if (slope > -options_.tolerance_change) {
      summary.outcome = summary.iterations > 0 ? StepOutcome::Moved : StepOutcome::Stationary;
      summary.reason = "g·d is within tolerance_change";
      return summary;
    }

    const CompatibleSearchResult found =
        line_search_.search(objective, x, last_step_, direction_, value, slope, gradient_);
    summary.evaluations += found.evaluations;
    if (!std::isfinite(found.value) || !all_finite(gradient_)) {
      // PyTorch would move there and return NaN from then on.
      summary.outcome = summary.iterations > 0 ? StepOutcome::Moved : StepOutcome::NotFinite;
      summary.reason = "the line search ended where value or gradient is not finite";
      return summary;
    }
    last_step_ = found.step;
    value = found.value;
    along(x, last_step_, direction_, x);
    ++summary.iterations;

    const auto ends = [&](bool condition, const char* reason) {
      if (condition) summary.reason = reason;
      return condition;
    };
    if (ends(summary.iterations == options_.iterations, "iterations of the step done") ||
        ends(summary.evaluations >= options_.evaluations, "evaluations of the step done") ||
        ends(max_abs(gradient_) <= options_.tolerance_grad, "max|g| is within tolerance_grad") ||
        ends(std::abs(last_step_) * max_abs(direction_) <= options_.tolerance_change,
             "max|t d| is within tolerance_change") ||
        ends(std::abs(value - value_before) < options_.tolerance_change, "the value changed within tolerance_change"))
      return summary;
  }
}

void LbfgsCompatible::save(StateWriter& writer) const {
  writer.put("optimizer.learning_rate", options_.learning_rate);
  writer.put_integer("optimizer.iteration", iteration_);
  writer.put("optimizer.last_step", last_step_);
  writer.put("optimizer.direction", direction_);
  writer.put("optimizer.last_gradient", last_gradient_);
  memory_.save("optimizer.", writer);
}

void LbfgsCompatible::load(const StateReader& reader) {
  options_.learning_rate = reader.get_number("optimizer.learning_rate");
  iteration_ = reader.get_integer("optimizer.iteration");
  last_step_ = reader.get_number("optimizer.last_step");
  reader.get("optimizer.direction", direction_);
  reader.get("optimizer.last_gradient", last_gradient_);
  memory_.load("optimizer.", reader);
}

}  // namespace pecann::optim
