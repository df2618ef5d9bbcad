// What a trial's checkpoint holds of the present try of a window.
#include <string>

#include "pecann/base/input_error.h"
#include "pecann/train/window_attempt.h"

namespace pecann::train {
namespace {

/// Refuses a problem that was changed in this key since the checkpoint was written; other changes are allowed.
void require_same(const std::string& key, const std::string& ours, const std::string& saved) {
  if (ours == saved) return;
  throw InputError({.key = key,
                    .value = ours,
                    .rule = "the run was begun with " + saved + ", and its state does not fit another method",
                    .hint = "change a phase that has not begun, or start a new run"});
}

}  // namespace

std::string WindowAttempt::method() const {
  const problem::PhaseSpec& spec = basis_.problem.phases[phase_index_];
  return (phase_ && phase_->extended() ? "an own optimizer" : spec.optimizer) +
         (spec.mode.empty() ? "" : " " + spec.mode) + ", schedule " + spec.schedule.kind;
}

std::string WindowAttempt::strategy_name() const {
  return basis_.extensions.make_strategy ? "an own strategy" : basis_.problem.penalty.strategy;
}

void WindowAttempt::save(StateWriter& writer) const {
  writer.put_integer("window", window_);
  writer.put_integer("window.attempt", attempt_);
  writer.put_integer("window.part", part_);
  writer.put_integer("window.attempt_begin", epochs_before_);
  writer.put_integer("phase", phase_index_);
  writer.put_integer("phase.begun", phase_ ? 1 : 0);
  writer.put_text("phase.method", method());
  writer.put_text("penalty.strategy", strategy_name());
  writer.put_integer("points.changed", basis_.extensions.change_points ? 1 : 0);
  writer.put_integer("epoch", epoch_);
  writer.put_integer("epoch.best", lowest_.epoch);
  writer.put("loss.best", lowest_.loss);
  writer.put("parameters", parameters_);
  penalty::save_duals(duals_, writer);
  strategy_->save(writer);
  if (balance_) balance_->save(writer);
  writer.put("balance.steps", steps_);
  writer.put_integer("duals.updates", updates_);
  stage_.assembly->save(writer);
  if (held_out_) held_out_->save(writer);
  writer.put_integer("held_out.reported", choice_ && choice_->best_reported ? 1 : 0);
  if (phase_) phase_->save(writer);
}

void WindowAttempt::load(const StateReader& reader) {
  require_same("penalty.strategy", strategy_name(), reader.get_text("penalty.strategy"));
  if (reader.has("points.changed") && reader.get_integer("points.changed") != 0 && !basis_.extensions.change_points)
    throw InputError({.key = "change_points",
                      .rule = "the run was begun by a program that changes points between epochs",
                      .hint = "go on from that program"});
  const std::uint64_t part = reader.get_integer("window.part"), phase = reader.get_integer("phase");
  if (part >= static_cast<std::uint64_t>(plan().grow))
    throw InputError(
        {.key = "windows.grow", .rule = "the checkpoint's window has grown in more parts than the problem has"});
  if (phase >= basis_.problem.phases.size())
    throw InputError({.rule = "the checkpoint has more windows or phases than the problem"});
  if (part != static_cast<std::uint64_t>(part_)) {
    part_ = static_cast<int>(part);
    assemble();
    begin_watch(nullptr);
  }
  phase_index_ = static_cast<int>(phase);
  epochs_before_ = static_cast<long>(reader.get_integer("window.attempt_begin", kMostEpochs));
  reader.get("parameters", parameters_);
  penalty::load_duals(reader, duals_);
  strategy_->load(reader);
  if (balance_) balance_->load(reader, evaluator());
  if (reader.has("balance.steps")) steps_ = reader.get_number("balance.steps");
  if (reader.has("duals.updates")) updates_ = static_cast<long>(reader.get_integer("duals.updates", kMostEpochs));
  if (reader.get_integer("phase.begun") != 0) {
    begin_phase();
    require_same("phase." + std::to_string(phase_index_ + 1), method(), reader.get_text("phase.method"));
    stage_.assembly->load(reader);
    if (balance_) balance_->apply(stage_.assembly->evaluator());
    phase_->load(reader);
  }
  if (held_out_ && balance_) held_out_->set_weights(balance_->weights());
  if (held_out_) held_out_->load(reader);
  epoch_ = static_cast<long>(reader.get_integer("epoch", kMostEpochs));
  lowest_ = {reader.get_number("loss.best"), static_cast<long>(reader.get_integer("epoch.best", kMostEpochs))};
}

std::vector<double> reported_parameters(const StateReader& reader) {
  const bool best = reader.has("held_out.reported") && reader.get_integer("held_out.reported") != 0;
  return reader.get(best ? "held_out.parameters" : "parameters");
}

}  // namespace pecann::train
