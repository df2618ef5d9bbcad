// One trial: the windows of a problem, the phases of a window, the epochs of a phase.
//
// An epoch is the algorithm of the paper [Hu, Basir, Senocak 2026, CAPU]: a primal step with λ, μ frozen; J, C and L at the new
// parameters with the old λ, μ; the record; the schedule; the dual update. Everything that a later epoch depends on is in
// save(), so that a resumed trial goes on bit for bit.
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
#include "pecann/train/phase.h"
#include "pecann/train/record.h"
#include "pecann/train/solution.h"
#include "pecann/train/timings.h"

namespace pecann::train {

class Trainer {
 public:
  /// The problem must outlive the trainer.
  Trainer(const problem::Problem& problem, std::uint64_t seed, Extensions extensions = {});

  /// Start parameters of the first window instead of the random ones (same length).
  void start_from(std::vector<double> parameters);
  void add_observer(EpochObserver& observer) { observers_.push_back(&observer); }

  /// Throws the InputErrors that a later phase would throw when it begins: unknown optimisers and options.
  void check_phases();

  /// Trains until the end or a reason to stop. A resumed trial whose last run ended for good ends again at once.
  Outcome run();

  const problem::Problem& problem() const { return *problem_; }
  std::uint64_t seed() const { return seed_; }
  const EpochRecord& last_record() const { return record_; }
  long total_evaluations() const { return total_evaluations_; }
  long total_epochs() const { return total_epochs_; }
  const Timings& timings() const { return timings_; }  // over all stops and resumes
  const evaluate::Evaluator& evaluator() const { return std::as_const(*assembly_).evaluator(); }
  const penalty::DualState& duals() const { return duals_; }
  std::span<const double> parameters() const { return parameters_; }
  /// Finished windows and the present one as it stands.
  Solution solution() const;
  /// Over the whole domain once the last window has begun; before, over the present window.
  std::vector<FieldError> measure_errors();

  void save(StateWriter& writer) const;
  void load(const StateReader& reader);

 private:
  void begin_window();
  /// Model, terms and points of the window, with the constants of the phase.
  void assemble();
  void begin_phase();
  std::optional<Outcome> train_phase();
  optim::StepSummary take_step();
  const evaluate::TermValues& values_after_step();
  bool update_duals(const evaluate::TermValues& values, double loss);  // true: something changed
  std::vector<FieldError> present_errors();
  bool notify_observers();  // true: one of them asks to stop
  bool ends_trial(const Outcome& outcome) const;  // the rules of [stop], but for the seconds, hold for each window
  Outcome end_of_phases() const;
  int error_interval() const;
  void record_epoch(const optim::StepSummary& step, const evaluate::TermValues& values, double loss);
  void close_record();  // the epoch is the last one of its phase for another reason than the phase's length
  std::optional<Outcome> reason_to_stop();
  Outcome not_finite(long epoch);
  std::string strategy_name() const;  // as the checkpoint knows it

  const problem::Problem* problem_;
  std::uint64_t seed_;
  Extensions extensions_;
  std::vector<EpochObserver*> observers_;

  int window_ = 0, phase_index_ = 0;
  long epoch_ = 0, epoch_in_phase_ = 0;       // of the window; finished epochs
  double phase_start_loss_ = 0;               // L of the phase's first epoch
  bool phase_reached_ = false;                // … fell below PhaseSpec::until of it
  bool phase_stalled_ = false;                // nothing can change any more in this phase
  long total_epochs_ = 0, total_evaluations_ = 0;
  double seconds_before_ = 0;                 // of earlier runs of this trial
  std::chrono::steady_clock::time_point started_;
  double best_loss_ = 0;
  long best_epoch_ = 0;

  Solution finished_;
  std::unique_ptr<problem::Problem> variant_;  // the problem with a phase's constants; null: the problem itself
  std::map<std::string, double> assembled_constants_;
  std::unique_ptr<Assembly> assembly_;
  std::unique_ptr<ErrorNorms> error_norms_;
  std::unique_ptr<penalty::Strategy> strategy_;
  penalty::DualState duals_;
  std::unique_ptr<Phase> phase_;
  std::vector<double> parameters_, last_good_;
  EpochRecord record_;
  Timings timings_;
};

}  // namespace pecann::train
