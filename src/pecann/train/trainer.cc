#include "pecann/train/trainer.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "pecann/base/check.h"
#include "pecann/base/input_error.h"
#include "pecann/penalty/registry.h"
#include "pecann/problem/problem_file.h"

namespace pecann::train {
namespace {

penalty::StrategyOptions strategy_options(const problem::PenaltySpec& spec) {
  penalty::StrategyOptions options{.name = spec.strategy,
                                   .beta = spec.beta,
                                   .penalty_max = spec.penalty_max,
                                   .zeta = spec.zeta,
                                   .omega = spec.omega,
                                   .epsilon = spec.epsilon,
                                   .rebase = spec.rebase,
                                   .sa_scale = spec.sa_scale,
                                   .sa_power = spec.sa_power,
                                   .sa_learning_rate = spec.sa_learning_rate};
  if (spec.multiplier) options.multiplier = *spec.multiplier;
  if (spec.penalty) options.penalty = *spec.penalty;
  return options;
}

/// A constraint's violation in the units of its residual: the value is the mean of r² or of |r|.
double violation(problem::Distance distance, double value) {
  return distance == problem::Distance::Square ? std::sqrt(value) : value;
}

}  // namespace

Trainer::Trainer(const problem::Problem& problem, std::uint64_t seed, Extensions extensions)
    : problem_(&problem), seed_(seed), extensions_(std::move(extensions)), started_(std::chrono::steady_clock::now()), finished_(problem, seed) {
  begin_window();
}

void Trainer::start_from(std::vector<double> parameters) {
  check(parameters.size() == parameters_.size(), "start parameters have the model's length; checked by the caller");
  parameters_ = std::move(parameters);
}

void Trainer::begin_window() {
  phase_index_ = 0;
  assemble();
  strategy_ = extensions_.make_strategy ? extensions_.make_strategy() : penalty::make_strategy(strategy_options(problem_->penalty));
  duals_ = strategy_->start(assembly_->evaluator().num_constraint_entries());
  if (window_ == 0 || problem_->windows.start == "fresh") {
    // Every window draws its own random start.
    parameters_ = assembly_->model().initial_parameters(seed_ + 1000003u * static_cast<std::uint64_t>(window_));
  }
  epoch_ = epoch_in_phase_ = best_epoch_ = 0;
  best_loss_ = std::numeric_limits<double>::infinity();
  phase_.reset();
}

void Trainer::assemble() {
  const std::map<std::string, double>& constants = problem_->phases[phase_index_].constants;
  variant_.reset();
  if (!constants.empty()) {
    std::vector<std::string> overrides;
    for (const auto& [name, value] : constants) overrides.push_back(fmt::format("constants.{}={}", name, value));
    variant_ = std::make_unique<problem::Problem>(
        problem::read_problem(problem::write_problem(*problem_), problem_->source, overrides, "none"));
  }
  assembly_ = std::make_unique<Assembly>(variant_ ? *variant_ : *problem_, seed_, Window{window_, problem_->windows.count}, finished_);
  error_norms_ = std::make_unique<ErrorNorms>(*problem_, assembly_->model(), assembly_->box());
  assembled_constants_ = constants;
}

void Trainer::begin_phase() {
  if (problem_->phases[phase_index_].constants != assembled_constants_) assemble();
  phase_ = std::make_unique<Phase>(problem_->phases[phase_index_], assembly_->evaluator(), duals_, extensions_);
  epoch_in_phase_ = 0;
  phase_start_loss_ = std::numeric_limits<double>::quiet_NaN();
  phase_reached_ = false;
  phase_stalled_ = false;
}

void Trainer::check_phases() {
  for (std::size_t i = 0; i < problem_->phases.size(); ++i) {
    const problem::PhaseSpec& spec = problem_->phases[i];
    try {
      Phase(spec, assembly_->evaluator(), duals_, extensions_);
    } catch (const InputError& error) {  // an optimiser knows its options, not where they were written
      InputError::Parts parts = error.parts();
      if (parts.place.file.empty()) parts.place.file = problem_->source;
      if (!parts.key.starts_with("term."))
        parts.key = fmt::format("phase.{}.{}{}", i + 1, spec.options.contains(parts.key) ? "options." : "", parts.key);
      throw InputError(std::move(parts));
    }
  }
}

Outcome Trainer::run() {
  started_ = std::chrono::steady_clock::now();
  seconds_before_ = record_.seconds;
  const int windows = problem_->windows.count, phases = static_cast<int>(problem_->phases.size());
  check(phases > 0, "a problem has at least one phase");
  std::optional<Outcome> outcome;
  if (epoch_ > 0) outcome = reason_to_stop();  // resumed: the last run may have ended for a reason that still holds
  while (true) {
    if (!outcome) {
      if (!phase_) begin_phase();
      outcome = train_phase();
    }
    if (outcome && ends_trial(*outcome)) return *outcome;
    if (!outcome && phase_index_ + 1 < phases) {
      ++phase_index_;
      phase_.reset();
    } else if (window_ + 1 < windows) {
      finished_.add_window(parameters_);
      ++window_;
      begin_window();
    } else {
      return end_of_phases();
    }
    outcome.reset();
  }
}

bool Trainer::ends_trial(const Outcome& outcome) const {
  const bool of_window = outcome.termination == Termination::TargetReached || outcome.termination == Termination::Stalled ||
                         outcome.termination == Termination::EpochsDone;
  return !of_window || window_ + 1 == problem_->windows.count;
}

Outcome Trainer::end_of_phases() const {
  if (phase_stalled_)
    return {Termination::Stalled,
            fmt::format("after epoch {} neither the parameters nor the multipliers can change any more", epoch_)};
  return {Termination::EpochsDone, fmt::format("all {} epochs done", total_epochs_)};
}

std::optional<Outcome> Trainer::train_phase() {
  while (epoch_in_phase_ < phase_->spec().epochs && !phase_stalled_ && !phase_reached_) {
    const optim::StepSummary step = take_step();
    const evaluate::TermValues& values = values_after_step();
    const double loss = penalty::augmented_lagrangian(values.objective, values.constraints, duals_);
    if (!std::isfinite(loss) || step.outcome == optim::StepOutcome::NotFinite) return not_finite(epoch_ + 1);

    ++epoch_, ++epoch_in_phase_, ++total_epochs_;
    total_evaluations_ += step.evaluations;
    record_epoch(step, values, loss);
    phase_->advance(loss);
    const bool duals_changed = update_duals(values, loss);

    std::optional<Outcome> outcome = reason_to_stop();
    phase_stalled_ = step.outcome != optim::StepOutcome::Moved && !duals_changed && !assembly_->redraws() &&
                     phase_->deterministic_stall();  // nothing can change any more: on to the next phase
    if (epoch_in_phase_ == 1) phase_start_loss_ = loss;
    phase_reached_ = phase_->spec().until && loss < *phase_->spec().until * phase_start_loss_;
    if (outcome || phase_stalled_ || phase_reached_) close_record();
    if (notify_observers() && !(outcome && ends_trial(*outcome)))
      outcome = {Termination::Interrupted, fmt::format("stopped after epoch {}", epoch_)};
    if (outcome) return outcome;
  }
  return std::nullopt;
}

optim::StepSummary Trainer::take_step() {
  {
    const Stopwatch watch(timings_[Timing::Sampling]);
    assembly_->redraw(epoch_ + 1);
  }
  last_good_ = parameters_;
  double seconds = 0;
  const double evaluated = phase_->evaluation_seconds();
  optim::StepSummary summary;
  {
    const Stopwatch watch(seconds);
    summary = phase_->step(parameters_);
  }
  const double evaluating = phase_->evaluation_seconds() - evaluated;
  timings_[Timing::Evaluate] += evaluating;
  timings_[Timing::Optim] += seconds - evaluating;
  return summary;
}

const evaluate::TermValues& Trainer::values_after_step() {
  const Stopwatch watch(timings_[Timing::Evaluate]);
  const bool same_points_next = !assembly_->redraws_before(epoch_ + 2);
  return assembly_->evaluator().values(
      parameters_, same_points_next ? evaluate::Evaluator::Next::Gradient : evaluate::Evaluator::Next::Nothing);
}

bool Trainer::update_duals(const evaluate::TermValues& values, double loss) {
  const Stopwatch watch(timings_[Timing::Penalty]);
  return strategy_->update(values.constraints, loss, assembly_->eta(), duals_);
}

bool Trainer::notify_observers() {
  const Stopwatch watch(timings_[Timing::Files]);
  bool stop = false;
  for (EpochObserver* observer : observers_) stop = observer->on_epoch(record_) == Directive::Stop || stop;
  return stop;
}

std::vector<FieldError> Trainer::present_errors() {
  const Stopwatch watch(timings_[Timing::Errors]);
  return error_norms_->measure(parameters_);
}

void Trainer::record_epoch(const optim::StepSummary& step, const evaluate::TermValues& values, double loss) {
  const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - started_;
  record_.window = window_;
  record_.phase = phase_index_;
  record_.epoch = epoch_;
  record_.seconds = seconds_before_ + elapsed.count();
  record_.loss = loss;
  record_.objective = values.objective;
  record_.learning_rate = phase_->learning_rate();
  record_.evaluations = step.evaluations;
  record_.phase_ends = epoch_in_phase_ == phase_->spec().epochs;
  const auto constraints = assembly_->evaluator().constraints();
  record_.constraints.resize(constraints.size());
  for (std::size_t c = 0; c < constraints.size(); ++c) {
    ConstraintRecord mean;
    for (std::size_t e = constraints[c].first; e < constraints[c].first + constraints[c].count; ++e) {
      mean.value += values.constraints[e];
      mean.multiplier += duals_.multiplier[e];
      mean.penalty += duals_.penalty[e];
    }
    const auto count = static_cast<double>(constraints[c].count);
    record_.constraints[c] = {mean.value / count, mean.multiplier / count, mean.penalty / count};
  }
  record_.errors.clear();
  if (!error_norms_->empty() && (record_.phase_ends || epoch_ % error_interval() == 0))
    record_.errors = present_errors();
}

void Trainer::close_record() {
  record_.phase_ends = true;
  if (record_.errors.empty()) record_.errors = present_errors();
}

int Trainer::error_interval() const {
  if (problem_->evaluate.every > 0) return problem_->evaluate.every;
  long epochs = 0;
  for (const problem::PhaseSpec& phase : problem_->phases) epochs += phase.epochs;
  return static_cast<int>(std::max(1L, epochs / 100));
}

std::optional<Outcome> Trainer::reason_to_stop() {
  const problem::StopSpec& stop = problem_->stop;
  if (stop.loss && record_.loss <= *stop.loss)
    return Outcome{Termination::TargetReached, fmt::format("the loss reached {:.3g}", *stop.loss)};
  if (stop.violation) {
    double largest = 0;
    const auto constraints = assembly_->evaluator().constraints();
    for (std::size_t c = 0; c < constraints.size(); ++c)
      largest = std::max(largest, violation(problem_->terms[constraints[c].term].distance, record_.constraints[c].value));
    if (largest <= *stop.violation)
      return Outcome{Termination::TargetReached, fmt::format("every violation is {:.3g} or less", *stop.violation)};
  }
  if (stop.error && !record_.errors.empty()) {
    double largest = 0;
    for (const FieldError& error : record_.errors) largest = std::max(largest, error.relative_l2);
    if (largest <= *stop.error)
      return Outcome{Termination::TargetReached, fmt::format("the relative l2 error reached {:.3g}", *stop.error)};
  }
  if (record_.loss < best_loss_) {
    best_loss_ = record_.loss;
    best_epoch_ = epoch_;
  }
  if (stop.stall && epoch_ - best_epoch_ >= *stop.stall)
    return Outcome{Termination::Stalled, fmt::format("no lower loss in {} epochs", *stop.stall)};
  if (stop.seconds && record_.seconds >= *stop.seconds)
    return Outcome{Termination::TimeUp, fmt::format("{:g} seconds are over", *stop.seconds)};
  if (stop.epochs && epoch_ >= *stop.epochs)
    return Outcome{Termination::EpochsDone, fmt::format("{} epochs done", epoch_)};
  return std::nullopt;
}

Outcome Trainer::not_finite(long epoch) {
  const auto found = assembly_->evaluator().find_not_finite(parameters_);
  const bool parameters_finite =
      std::all_of(parameters_.begin(), parameters_.end(), [](double p) { return std::isfinite(p); });
  std::string message = fmt::format("epoch {}: ", epoch);
  if (!parameters_finite || !found) {
    message += "the step made parameters or the gradient infinite or NaN";
  } else {
    message += fmt::format("term '{}' is {} at point {} (", found->term, found->residual, found->point + 1);
    for (std::size_t i = 0; i < found->coordinates.size(); ++i)
      message += fmt::format("{}{} = {:.6g}", i ? ", " : "", problem_->box.names[i], found->coordinates[i]);
    message += ")";
  }
  message += fmt::format("; the state after epoch {} is kept. Try a smaller learning rate, or look for divisions, roots or "
                         "logarithms that fail at this point",
                         epoch - 1);
  parameters_ = last_good_;
  return {Termination::NotFinite, std::move(message)};
}

Solution Trainer::solution() const {
  Solution all(*problem_, seed_);
  for (int w = 0; w < finished_.num_windows(); ++w)
    all.add_window({finished_.parameters(w).begin(), finished_.parameters(w).end()});
  all.add_window(parameters_);
  return all;
}

std::vector<FieldError> Trainer::measure_errors() {
  const int windows = problem_->windows.count;
  if (windows > 1 && window_ + 1 == windows && !problem_->evaluate.final_only) return solution_errors(*problem_, solution());
  return error_norms_->measure(parameters_);
}

}  // namespace pecann::train
