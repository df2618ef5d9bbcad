#include "pecann/check/training_timing.h"

#include <algorithm>
#include <memory>
#include <optional>
#include <span>

#include "pecann/base/input_error.h"
#include "pecann/optim/lm.h"
#include "pecann/optim/registry.h"
#include "pecann/penalty/dual_state.h"
#include "pecann/train/assembly.h"
#include "pecann/train/lagrangian.h"
#include "pecann/train/timings.h"

namespace pecann::check {
namespace {

using train::Stopwatch;

struct EvaluationSeconds {
  double gradient = 0, values = 0, rows = 0, jacobian = 0;
  long gradients = 0;
};

/// Rows of least squares whose calls are timed.
class TimedSquares final : public optim::LeastSquares {
 public:
  TimedSquares(optim::LeastSquares& squares, EvaluationSeconds& seconds) : squares_(&squares), seconds_(&seconds) {}
  std::size_t size() const override { return squares_->size(); }
  std::span<const std::size_t> row_offsets() const override { return squares_->row_offsets(); }
  double value(std::span<const double> x) override {
    const Stopwatch watch(seconds_->values);
    return squares_->value(x);
  }
  double linearise(std::span<const double> x, std::span<double> gradient, std::span<double> right_side) override {
    const Stopwatch watch(seconds_->gradient);
    ++seconds_->gradients;
    return squares_->linearise(x, gradient, right_side);
  }
  void rows(std::span<const double> x, std::span<double> values) override {
    const Stopwatch watch(seconds_->rows);
    squares_->rows(x, values);
  }
  void jacobian(std::size_t first_tile, std::size_t num_tiles, double* columns, std::size_t stride) override {
    const Stopwatch watch(seconds_->jacobian);
    squares_->jacobian(first_tile, num_tiles, columns, stride);
  }
  void pull_back(std::span<const double> seeds, std::span<double> result) override {
    const Stopwatch watch(seconds_->rows);
    squares_->pull_back(seeds, result);
  }

 private:
  optim::LeastSquares* squares_;
  EvaluationSeconds* seconds_;
};

class TimedObjective final : public optim::Objective {
 public:
  TimedObjective(optim::Objective& objective, EvaluationSeconds& seconds) : objective_(&objective), seconds_(&seconds) {
    if (optim::LeastSquares* const squares = objective.least_squares()) squares_.emplace(*squares, seconds);
  }
  std::size_t size() const override { return objective_->size(); }
  double value_and_gradient(std::span<const double> x, std::span<double> gradient) override {
    const Stopwatch watch(seconds_->gradient);
    ++seconds_->gradients;
    return objective_->value_and_gradient(x, gradient);
  }
  double value(std::span<const double> x) override {
    const Stopwatch watch(seconds_->values);
    return objective_->value(x);
  }
  optim::LeastSquares* least_squares() override { return squares_ ? &*squares_ : nullptr; }

 private:
  optim::Objective* objective_;
  EvaluationSeconds* seconds_;
  std::optional<TimedSquares> squares_;
};

double gram_flops(double parameters, double rows) {
  return parameters <= rows ? parameters * (parameters + 1) * rows : rows * (rows + 1) * parameters;
}

}  // namespace

TrainingTiming time_training(const problem::Problem& problem, const std::string& optimizer, const std::string& mode,
                             double seconds) {
  TrainingTiming timing{.optimizer = mode.empty() ? optimizer : optimizer + " " + mode};
  const train::Solution nothing(problem, problem.seed);
  train::Assembly assembly(problem, problem.seed, {0, problem.windows.count}, nothing);
  std::vector<double> x = assembly.model().initial_parameters(problem.seed);
  const penalty::DualState duals(assembly.evaluator().num_constraint_entries());
  train::LagrangianObjective lagrangian(assembly.evaluator(), duals);
  EvaluationSeconds spent;
  TimedObjective objective(lagrangian, spent);
  timing.parameters = x.size();
  timing.rows = assembly.evaluator().num_rows();
  std::unique_ptr<optim::Optimizer> method;
  try {
    method =
        optim::make_optimizer({optimizer, mode, optim::optimizer_row(optimizer, mode).learning_rate, {}}, x.size());
    method->check_sizes({x.size(), timing.rows, assembly.model().front()});
  } catch (const InputError& error) {
    timing.refusal = error.what();
  }
  if (timing.refusal.empty() && method->needs_squares() && objective.least_squares() == nullptr)
    timing.refusal = "needs squares";
  if (!timing.refusal.empty()) return timing;

  const auto* const lm = dynamic_cast<const optim::LevenbergMarquardt*>(method.get());
  method->step(objective, x);
  const optim::DenseSeconds before = lm ? lm->dense_seconds() : optim::DenseSeconds{};
  spent = {};
  double elapsed = 0;
  long factorisations = 0;
  for (; timing.epochs < 1 || elapsed < seconds; ++timing.epochs) {
    const Stopwatch watch(elapsed);
    factorisations += method->step(objective, x).iterations;
  }
  const optim::DenseSeconds after = lm ? lm->dense_seconds() : optim::DenseSeconds{};
  const double epochs = timing.epochs;
  double other = elapsed;
  const auto part = [&](const char* name, double part_seconds, double flops) {
    other -= part_seconds;
    if (part_seconds > 0) timing.parts.push_back({name, 1e3 * part_seconds / epochs, flops / epochs});
  };
  const auto rows = static_cast<double>(timing.rows), parameters = static_cast<double>(timing.parameters);
  const double size = std::min(rows, parameters);
  part("gradient", spent.gradient, static_cast<double>(spent.gradients) * assembly.evaluator().flops());
  part("trial losses", spent.values, 0);
  part("rows", spent.rows, 0);
  part("Jacobian", spent.jacobian, 0);
  part("Gram", after.gram - before.gram, epochs * gram_flops(parameters, rows));
  part("factor", after.factor - before.factor, static_cast<double>(factorisations) * size * size * size / 3);
  part("solves", after.solve - before.solve, 0);
  part("own algebra", other, 0);
  timing.ms = 1e3 * elapsed / epochs;
  return timing;
}

}  // namespace pecann::check
