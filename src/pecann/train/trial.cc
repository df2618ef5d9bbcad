#include "pecann/train/trial.h"

#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <filesystem>
#include <limits>
#include <system_error>

#include <fmt/format.h>

#include "pecann/base/communicator.h"
#include "pecann/base/input_error.h"
#include "pecann/train/check_training.h"
#include "pecann/train/checkpoint.h"
#include "pecann/train/history.h"

namespace pecann::train {
namespace {

std::atomic<bool> stop_flag{false};
static_assert(std::atomic<bool>::is_always_lock_free, "a signal handler may set it");

constexpr double kShareOfTime = 200;  // checkpoints for a live page take at most half a hundredth of the time

/// Writes the state every so many seconds, and when a signal asks to stop.
class CheckpointObserver final : public EpochObserver {
 public:
  CheckpointObserver(const Trainer& trainer, HistoryWriter& history, const TrialOptions& options)
      : trainer_(trainer), history_(history), options_(options) {}

  Directive on_epoch(const EpochRecord&) override {
    if (stop_requested()) return Directive::Stop;  // the trial writes its last state
    double interval = options_.checkpoint_seconds;
    if (options_.view_seconds > 0) interval = std::min(interval, std::max(options_.view_seconds, kShareOfTime * cost_));
    if (seconds_since(last_) >= interval) write();
    return Directive::Continue;
  }

  void write() {
    const auto begin = std::chrono::steady_clock::now();
    StateWriter writer;
    trainer_.save(writer);
    writer.put_integer("history.length", history_.flush());
    write_checkpoint(options_.folder, writer.bytes());
    last_ = std::chrono::steady_clock::now();
    cost_ = seconds_since(begin);
  }

 private:
  static double seconds_since(std::chrono::steady_clock::time_point then) {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - then).count();
  }

  const Trainer& trainer_;
  HistoryWriter& history_;
  const TrialOptions& options_;
  double cost_ = 0;  // seconds of the last checkpoint
  std::chrono::steady_clock::time_point last_ = std::chrono::steady_clock::now();
};

/// The record of a trial that may have ended before its first epoch: numbers that were never computed are NaN, and
/// every constraint has its place.
EpochRecord known_record(EpochRecord record, const Trainer& trainer) {
  constexpr double kUnknown = std::numeric_limits<double>::quiet_NaN();
  if (trainer.total_epochs() == 0) record.loss = record.objective = kUnknown;
  record.constraints.resize(trainer.evaluator().constraints().size(), {kUnknown, kUnknown, kUnknown});
  return record;
}

/// Loads a checkpoint; returns the length of the history that belongs to it.
std::uint64_t load_state(Trainer& trainer, const LoadedCheckpoint& loaded, const TrialFolder& folder) {
  try {
    const StateReader reader(loaded.payload);
    trainer.load(reader);
    return reader.get_integer("history.length");
  } catch (const InputError& error) {  // say which file, and what may be done
    InputError::Parts parts = error.parts();
    parts.place.file = folder.checkpoint_file();
    if (parts.hint.empty())
      parts.hint =
          "a run goes on with the networks, terms and points that it was begun with: train others anew by `pecann run`";
    throw InputError(std::move(parts));
  }
}

}  // namespace

void check_resume(const problem::Problem& problem, const RunFolder& folder, int trial) {
  check_training(problem);
  const TrialFolder own = folder.trial(trial);
  if (!own.has_checkpoint()) return;
  Trainer trainer(problem, trial_seed(problem, trial));
  load_state(trainer, read_checkpoint(own), own);
}

std::uint64_t trial_seed(const problem::Problem& problem, int trial) {
  return problem.seed + static_cast<std::uint64_t>(trial - 1);
}

TrialSummary summarise(Trainer& trainer, int trial, Outcome outcome) {
  TrialSummary summary;
  summary.trial = trial;
  summary.seed = trainer.seed();
  summary.outcome = std::move(outcome);
  summary.last = known_record(trainer.reported_record(), trainer);
  summary.held_out = trainer.held_out_choice();
  summary.epochs = trainer.total_epochs();
  summary.evaluations = trainer.total_evaluations();
  summary.seconds = trainer.last_record().seconds;
  summary.timings = trainer.timings();
  summary.parameters = trainer.parameters().size();
  summary.points = trainer.evaluator().num_points();
  summary.errors = trainer.measure_errors();
  if (trainer.finished_windows() + 1 < trainer.problem().windows.count)  // of one window: not the error of the answer
    for (FieldError& error : summary.errors)
      for (const std::string& measure : trainer.problem().evaluate.measures)
        set_measure(error, measure, std::numeric_limits<double>::quiet_NaN());
  const bool present_done = summary.outcome.termination != Termination::Interrupted &&
                            summary.outcome.termination != Termination::NotFinite &&
                            summary.outcome.termination != Termination::CheckFailed &&
                            trainer.finished_windows() + 1 == trainer.problem().windows.count;
  summary.windows_done = trainer.finished_windows() + (present_done ? 1 : 0);
  summary.windows.assign(trainer.window_reports().begin(), trainer.window_reports().end());
  summary.other_constants = trainer.other_constants();
  const evaluate::Model& model = trainer.evaluator().model();
  for (std::size_t i = 0; i < model.scalars().size(); ++i)
    summary.scalars.push_back({model.scalars()[i].name,
                               model.scalar(trainer.reported_parameters(), static_cast<int>(i)).value,
                               model.scalars()[i].exact});
  return summary;
}

std::string other_constants_text(const problem::Problem& problem, const TrialSummary& trial) {
  std::string text;
  for (const auto& [name, value] : trial.other_constants) {
    const auto own = problem.constants.find(name);
    text += fmt::format("{}{} = {:.6g}", text.empty() ? "" : ", ", name, value);
    if (own != problem.constants.end()) text += fmt::format(", not {:.6g}", own->second);
  }
  return text;
}

TrialSummary run_trial(const problem::Problem& problem, int trial, const TrialOptions& options) {
  Communicator& ranks = communicator();
  Trainer trainer(problem, trial_seed(problem, trial), options.extensions, ranks);
  std::uint64_t history_length = 0;
  if (options.resume) {
    const LoadedCheckpoint loaded = read_checkpoint(options.folder);
    if (!loaded.warning.empty() && options.warn) options.warn(loaded.warning);
    history_length = load_state(trainer, loaded, options.folder);
    if (options.more_time) trainer.allow_more_time();
    std::error_code error;
    const std::uintmax_t length = std::filesystem::file_size(options.folder.history_file(), error);
    if ((error || length < history_length) && options.warn)
      options.warn(options.folder.history_file() +
                   " has lost rows that the checkpoint knows of; going on behind the last one");
  } else if (options.start) {
    trainer.start_from(*options.start);
  }
  ranks.barrier();  // all have read what they resume from before the first one writes anew
  if (ranks.rank() > 0) return summarise(trainer, trial, trainer.run());

  HistoryWriter history(options.folder.history_file(), problem, history_length);
  CheckpointObserver checkpoints(trainer, history, options);
  trainer.add_observer(history);
  for (EpochObserver* observer : options.observers) trainer.add_observer(*observer);
  trainer.add_observer(checkpoints);
  if (!options.resume) checkpoints.write();  // a kill in the first seconds can be resumed as well

  Outcome outcome = trainer.run();
  checkpoints.write();
  return summarise(trainer, trial, std::move(outcome));
}

Snapshot load_snapshot(const problem::Problem& problem, const RunFolder& folder, int trial) {
  const std::string payload = read_last_checkpoint(folder.trial(trial));
  const StateReader reader(payload);
  Snapshot snapshot{Solution(problem, trial_seed(problem, trial)),
                    static_cast<long>(reader.get_integer("epoch.total", kMostEpochs)), reader.get_number("seconds")};
  const int finished =
      static_cast<int>(reader.get_integer("window", static_cast<std::uint64_t>(problem.windows.count) - 1));
  for (int w = 0; w < finished; ++w) snapshot.solution.add_window(reader.get("finished." + std::to_string(w)));
  snapshot.solution.add_window(reported_parameters(reader));
  return snapshot;
}

Solution load_solution(const problem::Problem& problem, const RunFolder& folder, int trial) {
  return std::move(load_snapshot(problem, folder, trial).solution);
}

void catch_stop_signals() {
  const auto handler = [](int signal) {
    const int interrupted = errno;  // errno of a call that the signal came after, before its caller looked at it
    constexpr char text[] = "\npecann: finishing the epoch, then saving; the same signal again ends at once\n";
    if (!stop_flag.exchange(true)) [[maybe_unused]]
      const ssize_t written = ::write(STDERR_FILENO, text, sizeof text - 1);
    std::signal(signal, SIG_DFL);
    errno = interrupted;
  };
  for (const int signal : {SIGINT, SIGTERM, SIGHUP, SIGXCPU})
    if (std::signal(signal, handler) == SIG_IGN) std::signal(signal, SIG_IGN);  // nohup, or a shell's background job
  std::signal(SIGXFSZ, SIG_IGN);  // main.cc does the same; this is for programs that embed the library
}

void request_stop() { stop_flag.store(true); }

bool stop_requested() { return stop_flag.load(std::memory_order_relaxed); }

}  // namespace pecann::train
