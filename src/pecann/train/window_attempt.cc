#include "pecann/train/window_attempt.h"

#include <utility>

#include <fmt/format.h>

#include "pecann/penalty/registry.h"
#include "pecann/problem/with_constants.h"
#include "pecann/train/point_changes.h"
#include "pecann/train/why_not_finite.h"

namespace pecann::train {

namespace {

/// The problem with a phase's constants; null when the phase changes none.
std::unique_ptr<problem::Problem> variant_of(const problem::Problem& problem,
                                             const std::map<std::string, double>& constants) {
  if (constants.empty()) return nullptr;
  return std::make_unique<problem::Problem>(problem::with_constants(problem, constants));
}

/// The weight of a term's equations, the mean of theirs where there are several.
double mean_weight(const evaluate::Term& term) {
  double sum = 0;
  for (std::size_t e = 0; e < term.residuals.size(); ++e) sum += term.equation_weight(e);
  return sum / static_cast<double>(term.residuals.size());
}

}  // namespace

const problem::WindowTry& window_try(const problem::WindowSpec& windows, int window, int attempt) {
  return attempt > 0 ? windows.retry : window == 0 ? windows.first : windows.usual;
}

WindowAttempt::WindowAttempt(const TrialBasis& basis, int window, int attempt, long epochs_before, Legacy legacy)
    : basis_(basis),
      window_(window),
      attempt_(attempt),
      epochs_before_(epochs_before),
      epoch_(epochs_before),
      earlier_phase_(std::move(legacy.phase)) {
  lowest_.epoch = epochs_before;
  assemble();
  strategy_ =
      basis.extensions.make_strategy ? basis.extensions.make_strategy() : penalty::make_strategy(basis.problem.penalty);
  duals_ = strategy_->start(evaluator().num_constraint_entries());
  for (const evaluate::ConstraintEntries& entries : evaluator().constraints())
    if (entries.inequality)  // nothing pushes before something is broken
      std::fill_n(duals_.multiplier.begin() + static_cast<std::ptrdiff_t>(entries.first), entries.count, 0.0);
  if (!basis.extensions.make_strategy && penalty::strategy_row(basis.problem.penalty.strategy).balances)
    balance_.emplace(basis.problem);
  parameters_ = start_parameters();
  begin_watch(std::move(legacy.held_out));
}

const problem::WindowTry& WindowAttempt::plan() const { return window_try(basis_.problem.windows, window_, attempt_); }

Window WindowAttempt::extent() const { return {window_, basis_.problem.windows.count, part_, plan().grow}; }

void WindowAttempt::assemble() {
  stage_.constants = basis_.problem.phases[phase_index_].constants;
  std::unique_ptr<problem::Problem> variant = variant_of(basis_.problem, stage_.constants);
  stage_.assembly =
      std::make_unique<Assembly>(variant ? *variant : basis_.problem, basis_.seed, extent(), basis_.finished);
  if (balance_) balance_->apply(stage_.assembly->evaluator());
  stage_.error_norms = std::make_unique<ErrorNorms>(basis_.problem, stage_.assembly->model(), stage_.assembly->box());
  stage_.variant = std::move(variant);
}

std::vector<double> WindowAttempt::start_parameters() const {
  const evaluate::Model& model = stage_.assembly->model();
  if (window_ == 0 || plan().start == problem::WindowStart::Fresh) {
    // Every window draws its own random start, and another one for its second try.
    const auto window = static_cast<std::uint64_t>(window_), attempt = static_cast<std::uint64_t>(attempt_);
    return model.initial_parameters(basis_.seed + 1000003u * window + 7919u * attempt);
  }
  const auto before = basis_.finished.parameters(window_ - 1);
  if (plan().start == problem::WindowStart::Extrapolate) return extrapolated(basis_.problem, model, before);
  return {before.begin(), before.end()};
}

void WindowAttempt::begin_watch(std::unique_ptr<HeldOut> earlier) {
  choice_.reset();
  held_out_.reset();
  if (!basis_.problem.held_out.watch) return;
  held_out_ = std::make_unique<HeldOut>(basis_.problem, basis_.seed, extent(), basis_.finished, evaluator());
  if (balance_) held_out_->set_weights(balance_->weights());
  if (earlier) held_out_->start_like(*earlier);
}

void WindowAttempt::begin_phase() {
  if (phase_) return;
  problem::PhaseSpec spec = basis_.problem.phases[phase_index_];
  if (spec.constants != stage_.constants) assemble();
  spec.epochs = planned_epochs(spec, plan());
  phase_ = std::make_unique<Phase>(spec, stage_.assembly->evaluator(), duals_, basis_.extensions);
  if (earlier_phase_) phase_->take_memory(*earlier_phase_);
  if (basis_.extensions.head_start && attempt_ == 0 && phase_index_ == 0 && plan().grow == 1)
    phase_->know(basis_.extensions.head_start->steps_of(basis_.seed, window_));
  earlier_phase_.reset();
  if (held_out_ && !held_out_->started()) held_out_->start(parameters_);
}

void WindowAttempt::to_next_phase() {
  ++phase_index_;
  phase_.reset();
}

void WindowAttempt::to_next_part() {
  Legacy legacy = hand_over();
  earlier_phase_ = std::move(legacy.phase);
  ++part_;
  phase_index_ = 0;
  assemble();
  begin_watch(std::move(legacy.held_out));
}

WindowAttempt::Legacy WindowAttempt::hand_over() {
  Legacy legacy{std::move(phase_), std::move(held_out_)};
  if (basis_.problem.windows.curvature != problem::Curvature::Previous) legacy.phase.reset();
  return legacy;
}

optim::StepSummary WindowAttempt::step(Timings& timings) {
  {
    const Stopwatch watch(timings[Timing::Sampling]);
    stage_.assembly->redraw(epoch_ + 1, parameters_);
  }
  balance_equations();
  last_good_ = parameters_;
  double seconds = 0;
  const double evaluated = phase_->evaluation_seconds();
  optim::StepSummary summary;
  {
    const Stopwatch watch(seconds);
    summary = phase_->step(parameters_);
  }
  const double evaluating = phase_->evaluation_seconds() - evaluated;
  timings[Timing::Evaluate] += evaluating;
  timings[Timing::Optim] += seconds - evaluating;
  return summary;
}

void WindowAttempt::balance_equations() {
  if (!balance_) return;
  const double change = balance_->prepare(steps_, stage_.assembly->evaluator(), parameters_);
  if (change == 1) return;
  ++updates_;
  phase_->objective_changed(change);
  if (held_out_) held_out_->set_weights(balance_->weights());
}

const evaluate::TermValues& WindowAttempt::values_after_step(Timings& timings) {
  const Stopwatch watch(timings[Timing::Evaluate]);
  const bool same_points_next = !stage_.assembly->redraws_before(epoch_ + 2);
  return stage_.assembly->evaluator().values(
      parameters_, same_points_next ? evaluate::Evaluator::Next::Gradient : evaluate::Evaluator::Next::Nothing);
}

double WindowAttempt::lagrangian(const evaluate::TermValues& values) const {
  return lagrangian_of(evaluator(), values, duals_);
}

void WindowAttempt::count_epoch() {
  ++epoch_;
  steps_ += phase_->method().steps;
  phase_->count_epoch();
}

Outcome WindowAttempt::undo_step() {
  WhyNotFinite why = why_not_finite(stage_.assembly->evaluator(), basis_.problem, last_good_, parameters_, duals_);
  parameters_ = last_good_;
  return {Termination::NotFinite,
          fmt::format("epoch {}: {}; the state after epoch {} is kept. {}", epoch_ + 1, why.what, epoch_, why.advice),
          std::move(why.cause)};
}

std::optional<HeldOutRecord> WindowAttempt::look_at_held_out(const optim::StepSummary& step) {
  const int work = step.evaluations + HeldOut::kJacobianEvaluations * step.jacobians;
  if (!held_out_ || !held_out_->due(epoch_, work)) return std::nullopt;
  held_out_->look(epoch_, parameters_, duals_);
  return HeldOutRecord{held_out_->loss() / (balance_ ? balance_->unit() : 1), held_out_->residual()};
}

bool WindowAttempt::update_duals(const evaluate::TermValues& values, double loss, Timings& timings) {
  const Stopwatch watch(timings[Timing::Penalty]);
  if (balance_ && phase_->method().steps >= 1)  // an epoch of Adam is too short to tell a stall
    balance_->see(steps_, lagrangian_parts(evaluator(), values, duals_), values);
  const bool changed =
      strategy_->update(multiplied_constraints(evaluator(), values, duals_), loss, stage_.assembly->eta(), duals_);
  if (changed) ++updates_;
  return changed || (balance_ && balance_->changes());
}

bool WindowAttempt::change_points() {
  if (!basis_.extensions.change_points) return false;
  PointChanges changes(basis_.problem, *stage_.assembly, parameters_, window_, epoch_);
  basis_.extensions.change_points(changes);
  return changes.any();
}

EpochRecord WindowAttempt::place() const {
  EpochRecord record;
  record.window = window_;
  record.attempt = attempt_;
  record.part = part_;
  record.phase = phase_index_;
  record.epoch = epoch_;
  record.window_epochs = epochs_before_ + planned_epochs(basis_.problem, plan());
  record.scalars = scalars_of(parameters_);
  return record;
}

EpochRecord WindowAttempt::record(const optim::StepSummary& step, const evaluate::TermValues& values,
                                  double loss) const {
  EpochRecord record = place();
  record_values(values, loss, record);
  record.learning_rate = phase_->learning_rate();
  record.damping = phase_->damping();
  record.evaluations = step.evaluations;
  record.phase_ends = phase_->ends_as_planned();
  return record;
}

void WindowAttempt::record_values(const evaluate::TermValues& values, double loss, EpochRecord& record) const {
  const double unit = balance_ ? balance_->unit() : 1;
  record.loss = loss / unit;
  record.objective = values.objective / unit;
  record.updates = updates_;
  record.shares.clear();
  for (const double part : lagrangian_parts(evaluator(), values, duals_)) record.shares.push_back(part / loss);
  record.weights.clear();
  for (const evaluate::Term& term : evaluator().terms())
    for (const double weight : term.equation_weights) record.weights.push_back(weight / unit);
  const auto constraints = evaluator().constraints();
  record.constraints.resize(constraints.size());
  for (std::size_t c = 0; c < constraints.size(); ++c) {
    ConstraintRecord mean;
    const evaluate::Term& term = evaluator().terms()[constraints[c].term];
    const double weight = mean_weight(term) / unit;
    for (std::size_t e = constraints[c].first; e < constraints[c].first + constraints[c].count; ++e) {
      mean.value += constraints[c].inequality
                        ? evaluate::distance(term.distance, evaluate::violation(term, values.constraints[e]))
                        : values.constraints[e];
      mean.multiplier += duals_.multiplier[e];
      mean.penalty += duals_.penalty[e];
    }
    const auto count = static_cast<double>(constraints[c].count);
    const double value = term.equation_weights.empty() ? mean.value / count : values.plain[constraints[c].term];
    record.constraints[c] = {value, weight * mean.multiplier / count, weight * weight * mean.penalty / count};
  }
}

std::vector<double> WindowAttempt::scalars_of(std::span<const double> parameters) const {
  const evaluate::Model& model = evaluator().model();
  std::vector<double> scalars;
  for (std::size_t i = 0; i < model.scalars().size(); ++i)
    scalars.push_back(model.scalar(parameters, static_cast<int>(i)).value);
  return scalars;
}

void WindowAttempt::choose_iterate() {
  choice_.reset();
  if (!held_out_ || !held_out_->has_best()) return;
  const HeldOut::Comparison found = held_out_->compare(parameters_, duals_);
  const bool report_best =
      basis_.problem.held_out.keep == problem::Keep::Best && found.last_over_best > HeldOut::kClearlyWorse;
  choice_ = {held_out_->best_epoch(), found.last_over_best, report_best,
             report_best ? found.best_residual : found.last_residual};
}

std::span<const double> WindowAttempt::reported_parameters() const {
  return choice_ && choice_->best_reported ? held_out_->best_parameters() : std::span<const double>(parameters_);
}

EpochRecord WindowAttempt::reported_record(const EpochRecord& last) {
  EpochRecord record = last;
  if (!choice_ || !choice_->best_reported) return record;
  const evaluate::TermValues& values = stage_.assembly->evaluator().values(reported_parameters());
  record_values(values, lagrangian(values), record);
  record.scalars = scalars_of(reported_parameters());
  return record;
}

}  // namespace pecann::train
