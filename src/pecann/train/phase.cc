#include "pecann/train/phase.h"

#include <limits>
#include <utility>

namespace pecann::train {

Phase::Phase(const problem::PhaseSpec& spec, evaluate::Evaluator& evaluator, const penalty::DualState& duals,
             const Extensions& extensions)
    : spec_(spec),
      method_(&optim::optimizer_row(spec.optimizer, spec.mode)),
      size_(evaluator.model().num_parameters()),
      objective_(evaluator, duals),
      start_loss_(std::numeric_limits<double>::quiet_NaN()) {
  if (extensions.make_optimizer) optimizer_ = extensions.make_optimizer(spec, size_);
  extended_ = optimizer_ != nullptr;
  if (extended_)
    optimizer_->set_learning_rate(spec.learning_rate);
  else
    optimizer_ = optim::make_optimizer({spec.optimizer, spec.mode, spec.learning_rate, spec.options}, size_);
  schedule_ = optim::make_schedule({spec.schedule.kind, spec.schedule.options, spec.epochs}, spec.learning_rate);
}

void Phase::know(std::shared_ptr<const optim::KnownSteps> steps) {
  if (auto* const solve = dynamic_cast<optim::Solve*>(optimizer_.get())) solve->know(std::move(steps));
}

void Phase::take_memory(Phase& earlier) {
  const problem::PhaseSpec& other = earlier.spec_;
  if (other.optimizer != spec_.optimizer || other.mode != spec_.mode || other.options != spec_.options ||
      earlier.extended_ != extended_ || earlier.size_ != size_)
    return;
  optimizer_ = std::move(earlier.optimizer_);
  optimizer_->set_learning_rate(schedule_->rate());
}

optim::StepSummary Phase::step(std::span<double> parameters) { return optimizer_->step(objective_, parameters); }

void Phase::advance(double loss) {
  schedule_->advance(loss);
  optimizer_->set_learning_rate(schedule_->rate());
}

std::optional<double> Phase::learning_rate() const {
  return optimizer_->learning_rate() ? std::optional(schedule_->rate()) : std::nullopt;
}

void Phase::look_for_early_end(double loss, bool something_may_change) {
  stalled_ = !something_may_change && deterministic_stall();
  if (epochs_ == 1) start_loss_ = loss;
  reached_ = spec_.until && loss < *spec_.until * start_loss_;
}

bool Phase::deterministic_stall() const { return !extended_ && method_->repeats_stalls; }

void Phase::save(StateWriter& writer) const {
  optimizer_->save(writer);
  schedule_->save(writer);
  writer.put_integer("epoch.in_phase", static_cast<std::uint64_t>(epochs_));
  writer.put_integer("phase.stalled", stalled_ ? 1 : 0);
  writer.put_integer("phase.reached", reached_ ? 1 : 0);
  writer.put("phase.start_loss", start_loss_);
}

void Phase::load(const StateReader& reader) {
  optimizer_->load(reader);
  schedule_->load(reader);
  epochs_ = static_cast<long>(reader.get_integer("epoch.in_phase", kMostEpochs));
  stalled_ = reader.get_integer("phase.stalled") != 0;
  reached_ = reader.get_integer("phase.reached") != 0;
  start_loss_ = reader.get_number("phase.start_loss");
  optimizer_->set_learning_rate(schedule_->rate());
}

}  // namespace pecann::train
