#include "pecann/train/trainer.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "pecann/base/communicator.h"
#include "pecann/base/input_error.h"
#include "pecann/base/require.h"
#include "pecann/problem/problem_file.h"
#include "pecann/train/why_not_finite.h"
#include "pecann/train/window_check.h"

namespace pecann::train {
namespace {

/// A constraint's violation in the units of its residual: the value is the mean of r² or of |r|.
double violation(problem::Distance distance, double value) {
  return distance == problem::Distance::Square ? std::sqrt(value) : value;
}

}  // namespace

Trainer::Trainer(const problem::Problem& problem, std::uint64_t seed, Extensions extensions)
    : problem_(&problem),
      seed_(seed),
      extensions_(std::move(extensions)),
      started_(std::chrono::steady_clock::now()),
      finished_(problem, seed) {
  begin_window();
}

void Trainer::start_from(std::vector<double> parameters) {
  require(parameters.size() == parameters_.size(), "start parameters have the model's length; checked by the caller");
  parameters_ = std::move(parameters);
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
  const Window window{window_, problem_->windows.count, part_, attempt().grow};
  assembly_ = std::make_unique<Assembly>(variant_ ? *variant_ : *problem_, seed_, window, finished_);
  error_norms_ = std::make_unique<ErrorNorms>(*problem_, assembly_->model(), assembly_->box());
  assembled_constants_ = constants;
}

void Trainer::begin_phase() {
  if (problem_->phases[phase_index_].constants != assembled_constants_) assemble();
  problem::PhaseSpec spec = problem_->phases[phase_index_];
  spec.epochs = planned_epochs(spec, attempt());
  phase_ = std::make_unique<Phase>(spec, assembly_->evaluator(), duals_, extensions_);
  if (earlier_phase_) phase_->take_memory(*earlier_phase_);
  earlier_phase_.reset();
  if (held_out_ && !held_out_->started()) held_out_->start(parameters_);
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
  require(phases > 0, "a problem has at least one phase");
  std::optional<Outcome> outcome;
  if (epoch_ > 0) outcome = reason_to_stop();  // resumed: the last run may have ended for a reason that still holds
  while (true) {
    if (!outcome) {
      if (!phase_) begin_phase();
      outcome = train_phase();
    }
    if (outcome && !ends_window(*outcome) && outcome->termination != Termination::NotFinite) return ended(*outcome);
    if (!outcome && phase_index_ + 1 < phases) {
      ++phase_index_;
      phase_.reset();
    } else if ((!outcome || ends_window(*outcome)) && part_ + 1 < attempt().grow) {
      end_part();
      ++part_;
      phase_index_ = 0;
      assemble();
      begin_watch();
    } else if (close_window(outcome) == WindowEnd::Done) {
      if (outcome && (!ends_window(*outcome) || window_ + 1 == windows)) return ended(*outcome);
      if (window_ + 1 == windows) return ended(end_of_phases());
      choose_iterate();
      parameters_.assign(reported_parameters().begin(), reported_parameters().end());
      end_part();
      finished_.add_window(parameters_);
      ++window_;
      begin_window();
    }
    outcome.reset();
  }
}

bool Trainer::ends_window(const Outcome& outcome) const {
  return outcome.termination == Termination::TargetReached || outcome.termination == Termination::Stalled ||
         outcome.termination == Termination::EpochsDone;
}

bool Trainer::ends_trial(const Outcome& outcome) const {
  return !ends_window(outcome) ||
         (window_ + 1 == problem_->windows.count && part_ + 1 == attempt().grow && problem_->windows.check.empty());
}

Outcome Trainer::end_of_phases() const {
  if (phase_stalled_)
    return {Termination::Stalled,
            fmt::format("after epoch {} neither the parameters nor the multipliers can change any more", epoch_)};
  return {Termination::EpochsDone, fmt::format("all {} epochs done", total_epochs_) + second_tries(reports_)};
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
    const int jacobian = phase_->method().least_squares ? HeldOut::kJacobianEvaluations : 0;
    if (held_out_ && held_out_->due(epoch_, step.evaluations + jacobian)) {
      held_out_->look(epoch_, parameters_, duals_);
      record_.held_out = {held_out_->loss(), held_out_->residual()};
    }
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
    assembly_->redraw(epoch_ + 1, parameters_);
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
  double stop = 0;
  for (EpochObserver* observer : observers_)
    if (observer->on_epoch(record_) == Directive::Stop) stop = 1;
  communicator().broadcast({&stop, 1}, 0);  // ranks end together, when the first one says so
  return stop != 0;
}

void Trainer::record_epoch(const optim::StepSummary& step, const evaluate::TermValues& values, double loss) {
  const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - started_;
  record_.window = window_;
  record_.phase = phase_index_;
  record_.epoch = epoch_;
  record_.window_epochs = attempt_begin_ + planned_epochs(*problem_, attempt());
  record_.seconds = seconds_before_ + elapsed.count();
  communicator().broadcast({&record_.seconds, 1}, 0);  // rules about time must come out alike on all ranks
  record_values(values, loss, record_);
  record_.learning_rate = phase_->learning_rate();
  record_.evaluations = step.evaluations;
  record_.phase_ends = epoch_in_phase_ == phase_->spec().epochs;
  record_.held_out.reset();
  record_.errors.clear();
  if (!error_norms_->empty() && (record_.phase_ends || errors_due())) measure_record_errors();
}

void Trainer::measure_record_errors() {
  errors_cost_ = 0;
  {
    const Stopwatch watch(errors_cost_);
    record_.errors = error_norms_->measure(parameters_);
  }
  communicator().broadcast({&errors_cost_, 1}, 0);  // it decides when errors are due
  timings_[Timing::Errors] += errors_cost_;
  errors_at_ = record_.seconds;
}

bool Trainer::errors_due() const {
  // A run of so many seconds has phases of any length: there, as often as a twentieth of the time allows.
  if (problem_->evaluate.every == 0 && problem_->stop.seconds) return record_.seconds - errors_at_ >= 20 * errors_cost_;
  return epoch_ % error_interval() == 0;
}

void Trainer::record_values(const evaluate::TermValues& values, double loss, EpochRecord& record) const {
  record.loss = loss;
  record.objective = values.objective;
  const auto constraints = evaluator().constraints();
  record.constraints.resize(constraints.size());
  for (std::size_t c = 0; c < constraints.size(); ++c) {
    ConstraintRecord mean;
    for (std::size_t e = constraints[c].first; e < constraints[c].first + constraints[c].count; ++e) {
      mean.value += values.constraints[e];
      mean.multiplier += duals_.multiplier[e];
      mean.penalty += duals_.penalty[e];
    }
    const auto count = static_cast<double>(constraints[c].count);
    record.constraints[c] = {mean.value / count, mean.multiplier / count, mean.penalty / count};
  }
}

void Trainer::close_record() {
  record_.phase_ends = true;
  if (record_.errors.empty()) measure_record_errors();
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
      largest =
          std::max(largest, violation(problem_->terms[constraints[c].term].distance, record_.constraints[c].value));
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
  if (stop.epochs && epoch_ - attempt_begin_ >= *stop.epochs)
    return Outcome{Termination::EpochsDone, fmt::format("{} epochs done", epoch_)};
  return std::nullopt;
}

Outcome Trainer::not_finite(long epoch) {
  const WhyNotFinite why = why_not_finite(assembly_->evaluator(), *problem_, last_good_, parameters_, duals_);
  parameters_ = last_good_;
  return {Termination::NotFinite,
          fmt::format("epoch {}: {}; the state after epoch {} is kept. {}", epoch, why.what, epoch - 1, why.advice)};
}

void Trainer::choose_iterate() {
  choice_.reset();
  if (!held_out_ || !held_out_->has_best()) return;
  const HeldOut::Comparison found = held_out_->compare(parameters_, duals_);
  const bool report_best =
      problem_->held_out.keep == problem::Keep::Best && found.last_over_best > HeldOut::kClearlyWorse;
  choice_ = {held_out_->best_epoch(), found.last_over_best, report_best,
             report_best ? found.best_residual : found.last_residual};
}

Outcome Trainer::ended(Outcome outcome) {
  choose_iterate();
  if (choice_ && choice_->best_reported)
    outcome.message += fmt::format(
        "; reported is epoch {}, the best on held-out points: the Lagrangian of the last one is {:.3g} times "
        "as large there",
        choice_->epoch, choice_->last_over_best);
  return outcome;
}

std::span<const double> Trainer::reported_parameters() const {
  return choice_ && choice_->best_reported ? held_out_->best_parameters() : std::span<const double>(parameters_);
}

EpochRecord Trainer::reported_record() {
  EpochRecord record = record_;
  if (!choice_ || !choice_->best_reported) return record;
  const evaluate::TermValues& values = assembly_->evaluator().values(reported_parameters());
  record_values(values, penalty::augmented_lagrangian(values.objective, values.constraints, duals_), record);
  return record;
}

Solution Trainer::solution() const {
  Solution all(*problem_, seed_);
  for (int w = 0; w < finished_.num_windows(); ++w)
    all.add_window({finished_.parameters(w).begin(), finished_.parameters(w).end()});
  all.add_window({reported_parameters().begin(), reported_parameters().end()});
  return all;
}

std::vector<FieldError> Trainer::measure_errors() {
  const int windows = problem_->windows.count;
  if (windows > 1 && window_ + 1 == windows && !problem_->evaluate.final_only)
    return solution_errors(*problem_, solution());
  return error_norms_->measure(reported_parameters());
}

}  // namespace pecann::train
