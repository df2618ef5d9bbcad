// What a trial's checkpoint holds.
#include <cmath>
#include <limits>
#include <string>

#include "pecann/base/input_error.h"
#include "pecann/train/trainer.h"

namespace pecann::train {
namespace {

/// What the memory of a phase belongs to.
std::string method_of(const problem::PhaseSpec& phase, bool extended) {
  return (extended ? "an own optimizer" : phase.optimizer) + (phase.mode.empty() ? "" : " " + phase.mode) +
         ", schedule " + phase.schedule.kind;
}

/// The problem may have been changed since the checkpoint was written, but not in this.
void require_same(const std::string& key, const std::string& ours, const std::string& saved) {
  if (ours == saved) return;
  throw InputError({.key = key,
                    .value = ours,
                    .rule = "the run was begun with " + saved + ", and its state does not fit another method",
                    .hint = "change a phase that has not begun, or start a new run"});
}

std::string report_name(std::size_t index) { return "window.report." + std::to_string(index); }

void save_reports(std::span<const WindowReport> reports, StateWriter& writer) {
  writer.put_integer("window.reports", reports.size());
  for (std::size_t i = 0; i < reports.size(); ++i) {
    const WindowReport& report = reports[i];
    std::vector<double> numbers = {static_cast<double>(report.window), static_cast<double>(report.attempt),
                                   static_cast<double>(report.epochs)};
    for (const CheckValue& check : report.checks) numbers.insert(numbers.end(), {check.value, check.limit});
    writer.put(report_name(i), numbers);
    writer.put_text(report_name(i) + ".broken", report.not_finite);
    for (std::size_t c = 0; c < report.checks.size(); ++c)
      writer.put_text(report_name(i) + ".term." + std::to_string(c), report.checks[c].term);
  }
}

constexpr std::uint64_t kMostEpochs = std::uint64_t{1} << 53;  // and evaluations: what a double holds exactly

/// A whole number that was saved among doubles.
long whole(double number, double limit) {
  if (!(number >= 0 && number <= limit))
    throw InputError({.rule = "the checkpoint's report of a window has an impossible number"});
  return static_cast<long>(number);
}

/// A window is tried at most twice, and every try is reported once.
std::vector<WindowReport> load_reports(const StateReader& reader, int windows) {
  std::vector<WindowReport> reports(reader.get_integer("window.reports", 2 * static_cast<std::uint64_t>(windows)));
  for (std::size_t i = 0; i < reports.size(); ++i) {
    const std::vector<double> numbers = reader.get(report_name(i));
    if (numbers.size() < 3) throw InputError({.rule = "the checkpoint's report of a window is too short"});
    reports[i].window = static_cast<int>(whole(numbers[0], windows));
    reports[i].attempt = static_cast<int>(whole(numbers[1], 2));
    reports[i].epochs = whole(numbers[2], static_cast<double>(kMostEpochs));
    reports[i].not_finite = reader.get_text(report_name(i) + ".broken");
    for (std::size_t c = 0; 4 + 2 * c < numbers.size(); ++c)
      reports[i].checks.push_back(
          {reader.get_text(report_name(i) + ".term." + std::to_string(c)), numbers[3 + 2 * c], numbers[4 + 2 * c]});
  }
  return reports;
}

}  // namespace

std::string Trainer::strategy_name() const {
  return extensions_.make_strategy ? "an own strategy" : problem_->penalty.strategy;
}

void Trainer::save(StateWriter& writer) const {
  writer.put_integer("seed", seed_);
  writer.put_integer("window", window_);
  writer.put_integer("window.attempt", attempt_);
  writer.put_integer("window.part", part_);
  writer.put_integer("window.attempt_begin", attempt_begin_);
  writer.put("window.first_try", first_try_);
  save_reports(reports_, writer);
  writer.put_integer("phase", phase_index_);
  writer.put_integer("phase.begun", phase_ ? 1 : 0);
  writer.put_integer("phase.stalled", phase_stalled_ ? 1 : 0);
  writer.put_integer("phase.reached", phase_reached_ ? 1 : 0);
  writer.put("phase.start_loss", phase_start_loss_);
  writer.put_text("phase.method", method_of(problem_->phases[phase_index_], phase_ && phase_->extended()));
  writer.put_text("penalty.strategy", strategy_name());
  writer.put_integer("epoch", epoch_);
  writer.put_integer("epoch.in_phase", epoch_in_phase_);
  writer.put_integer("epoch.total", total_epochs_);
  writer.put_integer("epoch.best", best_epoch_);
  writer.put_integer("evaluations", total_evaluations_);
  writer.put("seconds", record_.seconds);
  writer.put("timings", timings_.seconds);
  writer.put("loss.best", best_loss_);
  for (int w = 0; w < finished_.num_windows(); ++w)
    writer.put("finished." + std::to_string(w), finished_.parameters(w));
  writer.put("parameters", parameters_);
  std::vector<double> record = {record_.loss, record_.objective, record_.learning_rate};
  for (const ConstraintRecord& c : record_.constraints) record.insert(record.end(), {c.value, c.multiplier, c.penalty});
  writer.put("record", record);
  writer.put_integer("record.evaluations", record_.evaluations);
  writer.put_integer("record.phase_ends", record_.phase_ends ? 1 : 0);
  writer.put_integer("record.errors", record_.errors.empty() ? 0 : 1);
  penalty::save_duals(duals_, writer);
  strategy_->save(writer);
  assembly_->save(writer);
  if (held_out_) held_out_->save(writer);
  writer.put_integer("held_out.reported", choice_ && choice_->best_reported ? 1 : 0);
  if (phase_) phase_->save(writer);
}

std::vector<double> reported_parameters(const StateReader& reader) {
  const bool best = reader.has("held_out.reported") && reader.get_integer("held_out.reported") != 0;
  return reader.get(best ? "held_out.parameters" : "parameters");
}

void Trainer::load(const StateReader& reader) {
  if (reader.get_integer("seed") != seed_)
    throw InputError({.rule = "the checkpoint belongs to another seed", .hint = "its folder holds another trial"});
  const std::uint64_t windows = reader.get_integer("window");
  if (windows >= static_cast<std::uint64_t>(problem_->windows.count) ||
      reader.get_integer("phase") >= problem_->phases.size())
    throw InputError({.rule = "the checkpoint has more windows or phases than the problem"});
  finished_ = Solution(*problem_, seed_);
  for (window_ = 0; window_ < static_cast<int>(windows); ++window_)
    finished_.add_window(reader.get("finished." + std::to_string(window_)));
  const int phase = static_cast<int>(reader.get_integer("phase"));
  require_same("penalty.strategy", strategy_name(), reader.get_text("penalty.strategy"));
  attempt_ = static_cast<int>(reader.get_integer("window.attempt", 1));
  if (reader.get_integer("window.part") >= static_cast<std::uint64_t>(attempt().grow))
    throw InputError(
        {.key = "windows.grow", .rule = "the checkpoint's window has grown in more parts than the problem has"});
  begin_attempt();
  if (const int part = static_cast<int>(reader.get_integer("window.part")); part != part_) {
    part_ = part;
    assemble();
    begin_watch();
  }
  attempt_begin_ = static_cast<long>(reader.get_integer("window.attempt_begin", kMostEpochs));
  first_try_ = reader.get("window.first_try");
  reports_ = load_reports(reader, problem_->windows.count);
  phase_index_ = phase;
  reader.get("parameters", parameters_);
  penalty::load_duals(reader, duals_);
  strategy_->load(reader);
  if (reader.get_integer("phase.begun") != 0) {
    begin_phase();
    require_same("phase." + std::to_string(phase + 1), method_of(problem_->phases[phase], phase_->extended()),
                 reader.get_text("phase.method"));
    assembly_->load(reader);
    phase_->load(reader);
    phase_stalled_ = reader.get_integer("phase.stalled") != 0;
    phase_reached_ = reader.get_integer("phase.reached") != 0;
    phase_start_loss_ = reader.get_number("phase.start_loss");
  }
  if (held_out_) held_out_->load(reader);
  epoch_ = static_cast<long>(reader.get_integer("epoch", kMostEpochs));
  epoch_in_phase_ = static_cast<long>(reader.get_integer("epoch.in_phase", kMostEpochs));
  total_epochs_ = static_cast<long>(reader.get_integer("epoch.total", kMostEpochs));
  best_epoch_ = static_cast<long>(reader.get_integer("epoch.best", kMostEpochs));
  total_evaluations_ = static_cast<long>(reader.get_integer("evaluations", kMostEpochs));
  best_loss_ = reader.get_number("loss.best");
  seconds_before_ = reader.get_number("seconds");
  if (reader.has("timings")) reader.get("timings", timings_.seconds);

  const std::vector<double> record = reader.get("record");
  record_.window = window_;
  record_.phase = phase_index_;
  record_.epoch = epoch_;
  record_.seconds = seconds_before_;
  record_.constraints.clear();
  if (record.size() >= 3) {
    record_.loss = record[0], record_.objective = record[1], record_.learning_rate = record[2];
    for (std::size_t i = 3; i + 2 < record.size(); i += 3)
      record_.constraints.push_back({record[i], record[i + 1], record[i + 2]});
  }
  record_.evaluations = static_cast<int>(reader.get_integer("record.evaluations", std::numeric_limits<int>::max()));
  record_.phase_ends = reader.get_integer("record.phase_ends") != 0;
  record_.errors.clear();
  if (reader.get_integer("record.errors") != 0) record_.errors = error_norms_->measure(parameters_);
}

}  // namespace pecann::train
