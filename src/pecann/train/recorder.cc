#include "pecann/train/recorder.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include <fmt/format.h>

#include "pecann/base/input_error.h"

namespace pecann::train {

Recorder::Recorder(const problem::Problem& problem, Communicator& ranks)
    : problem_(&problem), ranks_(&ranks), started_(std::chrono::steady_clock::now()) {}

void Recorder::start_clock() {
  started_ = std::chrono::steady_clock::now();
  seconds_before_ = record_.seconds;
}

void Recorder::take(EpochRecord record, ErrorNorms& norms, std::span<const double> parameters) {
  const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - started_;
  record_ = std::move(record);
  record_.seconds = seconds_before_ + elapsed.count();
  ranks_->broadcast({&record_.seconds, 1}, 0);  // rules about time must come out alike on all ranks
  ++total_epochs_;
  total_evaluations_ += record_.evaluations;
  if (!norms.empty() && (record_.phase_ends || errors_due())) measure_errors(norms, parameters);
}

void Recorder::mark_end_of_phase(ErrorNorms& norms, std::span<const double> parameters) {
  record_.phase_ends = true;
  if (record_.errors.empty()) measure_errors(norms, parameters);
}

void Recorder::measure_errors(ErrorNorms& norms, std::span<const double> parameters) {
  errors_cost_ = 0;
  {
    const Stopwatch watch(errors_cost_);
    record_.errors = norms.measure(parameters);
  }
  ranks_->broadcast({&errors_cost_, 1}, 0);  // it decides when errors are due
  timings_[Timing::Errors] += errors_cost_;
  errors_at_ = record_.seconds;
}

bool Recorder::errors_due() const {
  // The phases of a run that is limited by time may have any length: there errors are measured as often as a
  // twentieth of the time allows.
  if (problem_->evaluate.every == 0 && problem_->stop.seconds) return record_.seconds - errors_at_ >= 20 * errors_cost_;
  return record_.epoch % error_interval() == 0;
}

int Recorder::error_interval() const {
  if (problem_->evaluate.every > 0) return problem_->evaluate.every;
  long epochs = 0;
  for (const problem::PhaseSpec& phase : problem_->phases) epochs += phase.epochs;
  return static_cast<int>(std::max(1L, epochs / 100));
}

bool Recorder::tell_observers() {
  const Stopwatch watch(timings_[Timing::Files]);
  double stop = 0;
  for (EpochObserver* observer : observers_)
    if (observer->on_epoch(record_) == Directive::Stop) stop = 1;
  ranks_->broadcast({&stop, 1}, 0);  // ranks end together, when the first one says so
  return stop != 0;
}

void Recorder::tell_observers(const WindowReport& report) {
  for (EpochObserver* observer : observers_) observer->on_window(report);
}

void Recorder::save(StateWriter& writer) const {
  constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
  writer.put_integer("epoch.total", static_cast<std::uint64_t>(total_epochs_));
  writer.put_integer("evaluations", static_cast<std::uint64_t>(total_evaluations_));
  writer.put("seconds", record_.seconds);
  writer.put("timings", timings_.seconds);
  std::vector<double> numbers = {record_.loss, record_.objective, record_.learning_rate.value_or(kNone)};
  for (const ConstraintRecord& c : record_.constraints)
    numbers.insert(numbers.end(), {c.value, c.multiplier, c.penalty});
  writer.put("record", numbers);
  writer.put("record.damping", record_.damping.value_or(kNone));
  writer.put("record.shares", record_.shares);
  writer.put("record.weights", record_.weights);
  writer.put("record.updates", static_cast<double>(record_.updates));
  writer.put_integer("record.evaluations", static_cast<std::uint64_t>(record_.evaluations));
  writer.put_integer("record.phase_ends", record_.phase_ends ? 1 : 0);
  writer.put_integer("record.errors", record_.errors.empty() ? 0 : 1);
}

void Recorder::load(const StateReader& reader, EpochRecord place, ErrorNorms& norms,
                    std::span<const double> parameters) {
  const auto present = [](double number) { return std::isnan(number) ? std::nullopt : std::optional(number); };
  total_epochs_ = static_cast<long>(reader.get_integer("epoch.total", kMostEpochs));
  total_evaluations_ = static_cast<long>(reader.get_integer("evaluations", kMostEpochs));
  seconds_before_ = reader.get_number("seconds");
  if (reader.has("timings")) reader.get("timings", timings_.seconds);
  record_ = std::move(place);
  record_.seconds = seconds_before_;
  if (const std::vector<double> numbers = reader.get("record"); numbers.size() >= 3) {
    record_.loss = numbers[0], record_.objective = numbers[1], record_.learning_rate = present(numbers[2]);
    for (std::size_t i = 3; i + 2 < numbers.size(); i += 3)
      record_.constraints.push_back({numbers[i], numbers[i + 1], numbers[i + 2]});
  }
  if (reader.has("record.damping")) record_.damping = present(reader.get_number("record.damping"));
  if (reader.has("record.shares")) {
    // Those of other terms than the problem has now tell nothing.
    std::size_t equations = 0;
    for (const problem::TermSpec& term : problem_->terms) equations += term.residuals.size();
    if (auto shares = reader.get("record.shares"); shares.size() == problem_->terms.size())
      record_.shares = std::move(shares);
    if (auto weights = reader.get("record.weights"); weights.size() == equations) record_.weights = std::move(weights);
    const double updates = reader.get_number("record.updates");
    if (!(updates >= -1 && updates <= static_cast<double>(kMostEpochs)))
      throw InputError(
          {.rule = fmt::format("'record.updates' is {:g}, at least -1 and at most {}", updates, kMostEpochs)});
    record_.updates = static_cast<long>(updates);
  }
  record_.evaluations = static_cast<int>(reader.get_integer("record.evaluations", std::numeric_limits<int>::max()));
  record_.phase_ends = reader.get_integer("record.phase_ends") != 0;
  if (reader.get_integer("record.errors") != 0) record_.errors = norms.measure(parameters);
}

}  // namespace pecann::train
