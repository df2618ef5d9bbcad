// The records of a trial: who hears of an epoch, what the clock says, when errors are measured.
#pragma once

#include <chrono>
#include <span>
#include <utility>
#include <vector>

#include "pecann/base/communicator.h"
#include "pecann/base/state_archive.h"
#include "pecann/problem/problem.h"
#include "pecann/train/error_norms.h"
#include "pecann/train/record.h"
#include "pecann/train/timings.h"

namespace pecann::train {

class Recorder {
 public:
  /// The problem and the communicator must outlive the recorder. All ranks call each function together.
  Recorder(const problem::Problem& problem, Communicator& ranks);

  void add_observer(EpochObserver& observer) { observers_.push_back(&observer); }

  /// What came before the first epoch of a new trial and counts for its time.
  void count_seconds(double before) { record_.seconds = before; }
  /// Begins a run of the trial, whose seconds go on from where the last run ended.
  void start_clock();
  /// Takes the record of a finished epoch, adds the time to it, and measures the errors of the parameters when they are
  /// due or the phase ends.
  void take(EpochRecord record, ErrorNorms& norms, std::span<const double> parameters);
  void add_held_out(const HeldOutRecord& held_out) { record_.held_out = held_out; }
  void add_standard_errors(std::vector<double> errors) { record_.standard_errors = std::move(errors); }
  /// Marks the epoch as the last one of its phase where that ends for another reason than its length.
  void mark_end_of_phase(ErrorNorms& norms, std::span<const double> parameters);

  /// Shows the record to the observers; true when one of them asks to stop.
  bool tell_observers();
  void tell_observers(const WindowReport& report);

  const EpochRecord& last() const { return record_; }
  long total_epochs() const { return total_epochs_; }
  long total_evaluations() const { return total_evaluations_; }
  Timings& timings() { return timings_; }
  const Timings& timings() const { return timings_; }

  void save(StateWriter& writer) const;
  /// `place` holds the window, phase and so on of the record that is read.
  void load(const StateReader& reader, EpochRecord place, ErrorNorms& norms, std::span<const double> parameters);

 private:
  bool errors_due() const;
  int error_interval() const;
  void measure_errors(ErrorNorms& norms, std::span<const double> parameters);

  const problem::Problem* problem_;
  Communicator* ranks_;
  std::vector<EpochObserver*> observers_;
  EpochRecord record_;
  long total_epochs_ = 0, total_evaluations_ = 0;
  double seconds_before_ = 0;  // of earlier runs of this trial
  std::chrono::steady_clock::time_point started_;
  double errors_at_ = 0, errors_cost_ = 0;  // seconds of the trial when errors were measured last, and what that took
  Timings timings_;
};

}  // namespace pecann::train
