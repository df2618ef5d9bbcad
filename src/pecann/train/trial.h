// One trial in a folder (run_folder.h): training with history and checkpoints, new or resumed.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "pecann/problem/problem.h"
#include "pecann/train/record.h"
#include "pecann/train/run_folder.h"
#include "pecann/train/trainer.h"

namespace pecann::train {

struct TrialOptions {
  TrialFolder folder;      // must exist
  bool resume = false;     // goes on from the folder's checkpoint
  bool more_time = false;  // a resumed trial whose stop.seconds were over has as many again
  double checkpoint_seconds = 30;
  double view_seconds = 0;  // > 0: checkpoints also this often, for a live page, up to a 200th of the time
  std::optional<std::vector<double>> start;      // parameters to begin with
  std::vector<EpochObserver*> observers;         // such as progress
  std::function<void(const std::string&)> warn;  // hears sentences for the user
  Extensions extensions;                         // parts of the embedding program
};

struct ScalarResult {
  std::string name;
  double value = 0;
  std::optional<double> exact;
};

struct TrialSummary {
  int trial = 1;  // from 1
  std::uint64_t seed = 0;
  Outcome outcome;
  EpochRecord last;                       // of the last epoch, with the values of the reported parameters; NaN
                                          // where no epoch ended
  std::optional<HeldOutChoice> held_out;  // of the last window; nothing where held-out points were not watched
  long epochs = 0, evaluations = 0;
  double seconds = 0;
  Timings timings;                         // the seconds by module
  std::size_t parameters = 0, points = 0;  // of the last window
  std::vector<FieldError> errors;          // at the end, where an exact solution exists
  std::vector<ScalarResult> scalars;
  std::vector<WindowReport> windows;  // every try of a window that was checked
  /// The windows whose training has ended, one where the problem has no others. In the last one it has ended too where
  /// its time was up; times of later windows were never trained.
  int windows_done = 1;
  /// The constants that it was trained with last, where they are not the problem's own: the answer is that of another
  /// problem. Empty for nearly all trials.
  std::map<std::string, double> other_constants;
};

/// "Re = 40, not 400": the constants that a trial ended with instead of the problem's own; "" where it has its own.
std::string other_constants_text(const problem::Problem& problem, const TrialSummary& trial);

/// Sums up what came out of a trainer that has run.
TrialSummary summarise(Trainer& trainer, int trial, Outcome outcome);

/// The seed of a trial: trials differ in their seeds and in nothing else.
std::uint64_t trial_seed(const problem::Problem& problem, int trial);

/// Throws the InputErrors that this problem would meet later: a phase that cannot begin, or a checkpoint of the trial
/// that does not fit the problem. Changes nothing.
void check_resume(const problem::Problem& problem, const RunFolder& folder, int trial);

/// Trains one trial in its folder. Of several ranks (base/communicator.h) the first one writes; all read the checkpoint
/// that they resume from, and it does not matter how many ranks wrote it.
TrialSummary run_trial(const problem::Problem& problem, int trial, const TrialOptions& options);

/// The trained fields of a trial as its checkpoint has them, finished or not. The problem must outlive the solution.
Solution load_solution(const problem::Problem& problem, const RunFolder& folder, int trial);

/// The same with the place in the training where the checkpoint was written.
struct Snapshot {
  Solution solution;
  long epochs = 0;     // of all windows
  double seconds = 0;  // of training
};
Snapshot load_snapshot(const problem::Problem& problem, const RunFolder& folder, int trial);

/// From this call on, Ctrl-C, SIGTERM, SIGHUP and SIGXCPU (the processor time of `ulimit -St` or of a batch queue is
/// up) ask the running trials to finish their epoch, save and end; the same signal again ends the process. Signals that
/// are ignored (nohup) stay so.
void catch_stop_signals();
/// Asks the running trials for the same.
void request_stop();
bool stop_requested();

}  // namespace pecann::train
