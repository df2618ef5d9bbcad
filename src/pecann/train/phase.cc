#include "pecann/train/phase.h"

#include "pecann/base/input_error.h"
#include "pecann/optim/lm_equations.h"
#include "pecann/optim/lm_options.h"

namespace pecann::train {

Phase::Phase(const problem::PhaseSpec& spec, evaluate::Evaluator& evaluator, const penalty::DualState& duals,
             const Extensions& extensions)
    : spec_(spec),
      method_(&optim::optimizer_row(spec.optimizer, spec.mode)),
      size_(evaluator.model().num_parameters()),
      objective_(evaluator, duals) {
  const optim::OptimizerOptions options{spec.optimizer, spec.mode, spec.learning_rate, spec.options};
  if (extensions.make_optimizer) optimizer_ = extensions.make_optimizer(spec, size_);
  extended_ = optimizer_ != nullptr;
  if (extended_) {
    optimizer_->set_learning_rate(spec.learning_rate);
  } else if (method_->least_squares) {
    for (const evaluate::Term& term : evaluator.terms())
      if (term.distance != problem::Distance::Square)
        throw InputError({.key = "term." + term.name + ".distance",
                          .value = "absolute",
                          .rule = "the optimizer '" + spec.optimizer + "' needs squares",
                          .hint = "use distance = \"square\", or another optimizer"});
    least_squares_ = std::make_unique<LagrangianLeastSquares>(evaluator, duals);
    const optim::LmOptions lm = optim::lm_options(options);
    optim::choose_normal_form(size_, least_squares_->num_rows(),
                              lm.memory_limit);  // refuses now, not in the first epoch
    lm_ = std::make_unique<optim::LevenbergMarquardt>(lm);
  } else {
    optimizer_ = optim::make_optimizer(options, size_);
  }
  schedule_ = optim::make_schedule({spec.schedule.kind, spec.schedule.options, spec.epochs}, spec.learning_rate);
}

void Phase::take_memory(Phase& earlier) {
  const problem::PhaseSpec& other = earlier.spec_;
  if (other.optimizer != spec_.optimizer || other.mode != spec_.mode || other.options != spec_.options ||
      earlier.extended_ != extended_ || earlier.size_ != size_)
    return;
  optimizer_ = std::move(earlier.optimizer_);
  lm_ = std::move(earlier.lm_);
  if (optimizer_) optimizer_->set_learning_rate(schedule_->rate());
}

optim::StepSummary Phase::step(std::span<double> parameters) {
  if (lm_) return lm_->step(*least_squares_, parameters);
  return optimizer_->step(objective_, parameters);
}

void Phase::advance(double loss) {
  schedule_->advance(loss);
  if (optimizer_) optimizer_->set_learning_rate(schedule_->rate());
}

double Phase::learning_rate() const { return lm_ ? lm_->damping().value_or(0.0) : schedule_->rate(); }

bool Phase::deterministic_stall() const { return !extended_ && method_->repeats_stalls; }

void Phase::save(StateWriter& writer) const {
  if (lm_) lm_->save(writer);
  if (optimizer_) optimizer_->save(writer);
  schedule_->save(writer);
}

void Phase::load(const StateReader& reader) {
  if (lm_) lm_->load(reader);
  if (optimizer_) optimizer_->load(reader);
  schedule_->load(reader);
  if (optimizer_) optimizer_->set_learning_rate(schedule_->rate());
}

}  // namespace pecann::train
