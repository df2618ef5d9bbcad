// One trial goes through the windows of a problem, the tries of a window, the parts of a try, the phases of a part and
// the epochs of a phase.
//
// An epoch follows the algorithm of the paper [Hu, Basir, Senocak 2026, CAPU]: a primal step with λ, μ frozen; J, C and
// L at the new parameters with the old λ, μ; the record; the schedule; the dual update. Everything that a later epoch
// depends on is in save(), so that a resumed trial goes on bit for bit.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "pecann/base/communicator.h"
#include "pecann/train/extensions.h"
#include "pecann/train/record.h"
#include "pecann/train/recorder.h"
#include "pecann/train/scalar_watch.h"
#include "pecann/train/solution.h"
#include "pecann/train/stop_rules.h"
#include "pecann/train/window_attempt.h"

namespace pecann::train {

class Trainer {
 public:
  /// The problem must outlive the trainer, and have passed check_training. All ranks train together.
  Trainer(const problem::Problem& problem, std::uint64_t seed, Extensions extensions = {},
          Communicator& ranks = communicator());
  Trainer(const Trainer&) = delete;
  Trainer& operator=(const Trainer&) = delete;

  /// Sets the start parameters of the first window, which replace the random ones (same length).
  void start_from(std::vector<double> parameters);
  void add_observer(EpochObserver& observer) { recorder_.add_observer(observer); }

  /// Where the time of a loaded trial was up (stop.seconds), gives it as much again.
  void allow_more_time() { spent_seconds_ = spent_seconds(problem_->stop, recorder_.last()); }

  /// Trains until the end or a reason to stop. A resumed trial whose last run ended for good ends again at once.
  Outcome run();

  const problem::Problem& problem() const { return *problem_; }
  std::uint64_t seed() const { return seed_; }
  const EpochRecord& last_record() const { return recorder_.last(); }
  /// The answer of the present window: the last iterate, or the one that is best on held-out points when the last run
  /// ended with a clearly worse one.
  std::span<const double> reported_parameters() const { return attempt_->reported_parameters(); }
  /// The last record with the values of the reported parameters and the present multipliers.
  EpochRecord reported_record() { return attempt_->reported_record(recorder_.last()); }
  /// The iterate that is best on held-out points; nothing when none was watched.
  const std::optional<HeldOutChoice>& held_out_choice() const { return attempt_->choice(); }
  long total_evaluations() const { return recorder_.total_evaluations(); }
  long total_epochs() const { return recorder_.total_epochs(); }
  const Timings& timings() const { return recorder_.timings(); }  // over all stops and resumes
  const evaluate::Evaluator& evaluator() const { return attempt_->evaluator(); }
  const penalty::DualState& duals() const { return attempt_->duals(); }
  std::span<const double> parameters() const { return attempt_->parameters(); }
  /// The constants of the present phase that are not the problem's own (a way from an easier problem to this one).
  const std::map<std::string, double>& other_constants() const { return attempt_->other_constants(); }
  /// The windows before the present one.
  int finished_windows() const { return finished_.num_windows(); }
  /// Every try of a window that was checked, in order.
  std::span<const WindowReport> window_reports() const { return reports_; }
  /// The finished windows and the reported parameters of the present one.
  Solution solution() const;
  /// Measures the errors over the whole domain once the last window has begun; before, over the present window.
  std::vector<FieldError> measure_errors();

  void save(StateWriter& writer) const;
  void load(const StateReader& reader);

 private:
  TrialBasis basis() const { return {*problem_, seed_, extensions_, finished_}; }
  bool at_last_window() const { return attempt_->window() + 1 == problem_->windows.count; }

  // The loops of training, each inside the one before. Each returns what ended the training before all phases were
  // done, or nothing. `standing` is what ended the run before and still holds; nothing is trained then.
  std::optional<Outcome> train_window(std::optional<Outcome> standing);   // its tries
  std::optional<Outcome> train_attempt(std::optional<Outcome> standing);  // its parts
  std::optional<Outcome> train_part(std::optional<Outcome> standing);     // its phases
  std::optional<Outcome> train_phase();                                   // its epochs
  std::optional<Outcome> train_epoch();

  /// What [stop] says of the last record. The time does not end a trial after a step that was known before: it costs
  /// nothing.
  std::optional<Outcome> reason_to_stop(bool known = false);
  /// True when no part, try or window would follow such an outcome.
  bool is_end_of_trial(const Outcome& outcome) const;
  Outcome outcome_of_last_phase() const;
  /// Chooses the iterate to report at the end of the trial, and says so in the outcome when it is not the last one.
  Outcome with_reported_iterate(Outcome outcome);

  /// Takes the standard errors of scalars where they are due.
  void watch_scalars();
  /// The finished windows and these parameters of the present one.
  Solution solution_with(std::span<const double> parameters) const;

  void begin_next_window();
  void begin_second_try();
  /// Checks a window that was trained to the end of a try. After the second failure the better try is kept, and the
  /// failure becomes the outcome when it is bad enough.
  enum class WindowCheck { Done, TryAgain };
  WindowCheck check_trained_window(std::optional<Outcome>& outcome);

  const problem::Problem* problem_;
  std::uint64_t seed_;
  Extensions extensions_;
  Solution finished_;  // the finished windows
  std::unique_ptr<WindowAttempt> attempt_;
  std::vector<double> first_try_;  // the parameters of a first try that failed its check
  std::vector<WindowReport> reports_;
  Recorder recorder_;
  std::optional<ScalarWatch> scalar_watch_;  // of the first rank, where the program takes standard errors
  double spent_seconds_ = 0;                 // of earlier runs, which stop.seconds does not count
};

}  // namespace pecann::train
