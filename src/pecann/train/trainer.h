// One trial: the windows of a problem, the phases of a window, the epochs of a phase.
//
// An epoch is the algorithm of the paper [Hu, Basir, Senocak 2026, CAPU]: a primal step with λ, μ frozen; J, C and L at
// the new parameters with the old λ, μ; the record; the schedule; the dual update. Everything that a later epoch
// depends on is in save(), so that a resumed trial goes on bit for bit.
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "pecann/penalty/strategy.h"
#include "pecann/train/assembly.h"
#include "pecann/train/error_norms.h"
#include "pecann/train/extensions.h"
#include "pecann/train/held_out.h"
#include "pecann/train/phase.h"
#include "pecann/train/record.h"
#include "pecann/train/solution.h"
#include "pecann/train/timings.h"

namespace pecann::train {

/// How the last iterate of a window compares with the best one on held-out points.
struct HeldOutChoice {
  long epoch = 0;             // of the best iterate
  double last_over_best = 1;  // L on held-out points with the last multipliers
  bool best_reported = false;
  double residual = 0;  // HeldOut::residual of the reported iterate
};

class Trainer {
 public:
  /// The problem must outlive the trainer, and have passed check_training.
  Trainer(const problem::Problem& problem, std::uint64_t seed, Extensions extensions = {});

  /// Start parameters of the first window instead of the random ones (same length).
  void start_from(std::vector<double> parameters);
  void add_observer(EpochObserver& observer) { observers_.push_back(&observer); }

  /// Trains until the end or a reason to stop. A resumed trial whose last run ended for good ends again at once.
  Outcome run();

  const problem::Problem& problem() const { return *problem_; }
  std::uint64_t seed() const { return seed_; }
  const EpochRecord& last_record() const { return record_; }
  /// Of the present window: the last iterate, or the best on held-out points when the last run ended with a clearly
  /// worse one.
  std::span<const double> reported_parameters() const;
  /// The last record with the values of the reported parameters and the multipliers of now.
  EpochRecord reported_record();
  /// The iterate that is best on held-out points; nothing when none was watched.
  const std::optional<HeldOutChoice>& held_out_choice() const { return choice_; }
  long total_evaluations() const { return total_evaluations_; }
  long total_epochs() const { return total_epochs_; }
  const Timings& timings() const { return timings_; }  // over all stops and resumes
  const evaluate::Evaluator& evaluator() const { return std::as_const(*assembly_).evaluator(); }
  const penalty::DualState& duals() const { return duals_; }
  std::span<const double> parameters() const { return parameters_; }
  /// Every try of a window that was checked, in order.
  std::span<const WindowReport> window_reports() const { return reports_; }
  /// Finished windows and the reported parameters of the present one.
  Solution solution() const;
  /// Over the whole domain once the last window has begun; before, over the present window.
  std::vector<FieldError> measure_errors();

  void save(StateWriter& writer) const;
  void load(const StateReader& reader);

 private:
  void begin_window();
  /// Starts the window from its beginning, for the first or the second time.
  void begin_attempt();
  /// Fresh held-out points of the window or the part that it has grown to.
  void begin_watch();
  std::vector<double> start_parameters() const;
  /// How the window is tried now.
  const problem::WindowTry& attempt() const;
  /// Model, terms and points of the window or the part that it has grown to, with the constants of the phase.
  void assemble();
  void begin_phase();
  /// Drops the phase; its optimiser's memory stays for the next one where windows.curvature asks for it.
  void end_part();
  /// The check of a window at its end; begins the second try after a failure. An outcome: training ends here.
  enum class WindowEnd { Done, Again };
  WindowEnd close_window(std::optional<Outcome>& outcome);
  std::optional<Outcome> train_phase();
  Outcome ended(Outcome outcome);  // chooses the iterate to report, and says so when it is not the last one
  void choose_iterate();
  optim::StepSummary take_step();
  const evaluate::TermValues& values_after_step();
  bool update_duals(const evaluate::TermValues& values, double loss);  // true: something changed
  bool notify_observers();                                             // true: one of them asks to stop
  bool ends_window(const Outcome& outcome) const;  // the rules of [stop], but for the seconds, hold for each window
  bool ends_trial(const Outcome& outcome) const;
  Outcome end_of_phases() const;
  int error_interval() const;
  bool errors_due() const;
  void measure_record_errors();
  void record_epoch(const optim::StepSummary& step, const evaluate::TermValues& values, double loss);
  void record_values(const evaluate::TermValues& values, double loss, EpochRecord& record) const;
  void close_record();  // the epoch is the last one of its phase for another reason than the phase's length
  std::optional<Outcome> reason_to_stop();
  Outcome not_finite(long epoch);
  std::string strategy_name() const;  // as the checkpoint knows it

  const problem::Problem* problem_;
  std::uint64_t seed_;
  Extensions extensions_;
  std::vector<EpochObserver*> observers_;

  int window_ = 0, phase_index_ = 0;
  int attempt_ = 0, part_ = 0;  // of the window; 0 or 1, and below attempt().grow
  long attempt_begin_ = 0;      // epochs of the window before this try
  std::vector<WindowReport> reports_;
  std::vector<double> first_try_;        // parameters of a first try that failed
  long epoch_ = 0, epoch_in_phase_ = 0;  // of the window; finished epochs
  double phase_start_loss_ = 0;          // L of the phase's first epoch
  bool phase_reached_ = false;           // … fell below PhaseSpec::until of it
  bool phase_stalled_ = false;           // nothing can change any more in this phase
  long total_epochs_ = 0, total_evaluations_ = 0;
  double seconds_before_ = 0;  // of earlier runs of this trial
  std::chrono::steady_clock::time_point started_;
  double best_loss_ = 0;
  long best_epoch_ = 0;

  Solution finished_;
  std::unique_ptr<problem::Problem> variant_;  // the problem with a phase's constants; null: the problem itself
  std::map<std::string, double> assembled_constants_;
  std::unique_ptr<Assembly> assembly_;
  std::unique_ptr<ErrorNorms> error_norms_;
  std::unique_ptr<HeldOut> held_out_;  // null: not watched
  std::optional<HeldOutChoice> choice_;
  std::unique_ptr<penalty::Strategy> strategy_;
  penalty::DualState duals_;
  std::unique_ptr<Phase> phase_, earlier_phase_;  // earlier_phase_: whose memory the next one may take
  std::vector<double> parameters_, last_good_;
  EpochRecord record_;
  double errors_at_ = 0, errors_cost_ = 0;  // seconds of the trial when errors were measured last, and what that took
  Timings timings_;
};

/// [penalty] as the strategies know it.
penalty::StrategyOptions strategy_options(const problem::PenaltySpec& spec);

/// The parameters of a checkpoint's last window that are its answer.
std::vector<double> reported_parameters(const StateReader& reader);

}  // namespace pecann::train
