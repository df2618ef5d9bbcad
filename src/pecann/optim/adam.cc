#include "pecann/optim/adam.h"

#include <cmath>

#include "pecann/base/require.h"
#include "pecann/optim/vector_algebra.h"

namespace pecann::optim {
namespace {

constexpr OptionDescription kAdamNumbers[] = {
    {"beta1", AdamOptions{}.beta1, kBelowOne, "memory of the gradient's mean m"},
    {"beta2", AdamOptions{}.beta2, kBelowOne, "memory of the mean square v"},
    {"epsilon", AdamOptions{}.epsilon, kPositive, "added to √v"},
};

std::unique_ptr<Optimizer> make_adam(double learning_rate, const OptionValues& options, std::size_t parameters) {
  return std::make_unique<Adam>(parameters, AdamOptions{.learning_rate = learning_rate,
                                                        .beta1 = options.number("beta1"),
                                                        .beta2 = options.number("beta2"),
                                                        .epsilon = options.number("epsilon")});
}

}  // namespace

OptimizerRow adam_row() {
  return {.name = "adam",
          .title = "Adam",
          .epoch = "one step",
          .suits = "large problems, points that are redrawn, equations with kinks",
          .options = kAdamNumbers,
          .learning_rate = AdamOptions{}.learning_rate,
          .eta = 0.01,
          .steps = 0.01,
          .one_gradient = true,
          .cost = [](const OptionValues&, const TrainingSize&) { return EpochCost{}; },
          .numbers =
              [](const OptionValues&, const TrainingSize& size) {
                return OptimizerNumbers{.kept = 2 * size.parameters, .working = size.parameters};
              },
          .make = make_adam};
}

Adam::Adam(std::size_t size, const AdamOptions& options)
    : options_(options), gradient_(size), first_moment_(size), second_moment_(size) {}

void Adam::update(std::span<double> x) {
  ++steps_;
  const double t = static_cast<double>(steps_);
  const double rate = options_.learning_rate / (1 - std::pow(options_.beta1, t));
  const double root = std::sqrt(1 - std::pow(options_.beta2, t));
  const double beta1 = options_.beta1, beta2 = options_.beta2, epsilon = options_.epsilon;
  const double* const g = gradient_.data();
  double* const m = first_moment_.data();
  double* const v = second_moment_.data();
  double* const theta = x.data();
  const std::size_t size = x.size();
#pragma omp simd
  for (std::size_t i = 0; i < size; ++i) {
    m[i] = beta1 * m[i] + (1 - beta1) * g[i];
    v[i] = beta2 * v[i] + (1 - beta2) * g[i] * g[i];
    theta[i] -= rate * m[i] / (std::sqrt(v[i]) / root + epsilon);
  }
}

StepSummary Adam::step(Objective& objective, std::span<double> x) {
  require(x.size() == gradient_.size(), "Adam: another number of parameters");
  const double value = objective.value_and_gradient(x, gradient_);
  StepSummary summary{.evaluations = 1, .gradient_norm = max_abs(gradient_)};
  if (!std::isfinite(value) || !std::isfinite(summary.gradient_norm)) {
    summary.outcome = StepOutcome::NotFinite;
    summary.reason = "value or gradient not finite";
    return summary;
  }
  update(x);
  summary.iterations = 1;
  const bool at_rest = summary.gradient_norm == 0 && max_abs(first_moment_) == 0;
  summary.outcome = at_rest ? StepOutcome::Stationary : StepOutcome::Moved;
  summary.reason = at_rest ? "gradient and momentum are zero" : "one update done";
  return summary;
}

void Adam::save(StateWriter& writer) const {
  writer.put("optimizer.learning_rate", options_.learning_rate);
  writer.put_integer("optimizer.steps", steps_);
  writer.put("optimizer.first_moment", first_moment_);
  writer.put("optimizer.second_moment", second_moment_);
}

void Adam::load(const StateReader& reader) {
  options_.learning_rate = reader.get_number("optimizer.learning_rate");
  steps_ = reader.get_integer("optimizer.steps");
  reader.get("optimizer.first_moment", first_moment_);
  reader.get("optimizer.second_moment", second_moment_);
}

}  // namespace pecann::optim
