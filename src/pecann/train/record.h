// What an epoch leaves behind, who is told of it, and why a training ends.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "pecann/train/error_norms.h"

namespace pecann::train {

/// The values of a constraint term; for a point-wise one their means over its points.
struct ConstraintRecord {
  double value = 0, multiplier = 0, penalty = 0;
};

/// The values on held-out points (held_out.h).
struct HeldOutRecord {
  double loss = 0;      // L with the multipliers of the record
  double residual = 0;  // without multipliers, relative to the start
};

/// A checkpoint may claim so many epochs and evaluations: whole numbers up to this one are exact as doubles.
inline constexpr std::uint64_t kMostEpochs = std::uint64_t{1} << 53;

struct EpochRecord {
  int window = 0, attempt = 0;                // from 0; attempt 1 is the second try of a window
  int part = 0, phase = 0;                    // from 0; `part` counts in a window that grows, `phase` in a part
  long epoch = 0;                             // from 1, counted over the phases of a window
  long window_epochs = 0;                     // the largest value of `epoch` in this window, its tries so far included
  double seconds = 0;                         // of training in this trial so far, over all stops and resumes
  double loss = 0, objective = 0;             // after the step, with the multipliers that the step used
  std::vector<ConstraintRecord> constraints;  // in the order of the problem's constraint terms
  std::optional<double> learning_rate;        // of the step; nothing where the optimiser has none
  std::optional<double> damping;              // after the step; nothing where the optimiser has none
  std::vector<double> shares;                 // of the terms in L, in the order of the problem's terms
  std::vector<double> weights;                // of the equations in their terms, term by term; empty: all are 1
  long updates = -1;                          // changes of multipliers, penalties or weights before this epoch's step;
                                              // -1: not known
  std::vector<double> scalars;                // the problem's trainable scalars, in its order and its units
  std::vector<double> standard_errors;        // of the scalars; empty where they were not taken
  int evaluations = 0;                        // of the loss in this epoch's step
  bool phase_ends = false;                    // the last epoch of its phase
  std::vector<FieldError> errors;             // empty where they were not measured
  std::optional<HeldOutRecord> held_out;      // where held-out points were looked at
};

/// One value of the check of a window (windows.check): the mean of a term's distance on fresh points, and the largest
/// value with which the window passes.
struct CheckValue {
  std::string term;
  double value = 0, limit = 0;
};

/// What is known of a try of a window at its end.
struct WindowReport {
  int window = 0, attempt = 0;  // from 0
  long epochs = 0;              // of this try
  std::vector<CheckValue> checks;
  std::string not_finite;  // why the try broke off, if it did

  double excess() const;  // the largest value / limit; infinite for a try that broke off or a value that is no number
  bool passed() const { return excess() <= 1; }
};
/// The checks as "pde 2.1e-03 (limit 1.0e-03), initial 3.0e-09 (limit 1.0e-05)", or why the try broke off.
std::string check_text(const WindowReport& report);

enum class Directive { Continue, Stop };

/// An observer is called after every epoch, in the order in which observers were added. Stop ends the training in
/// order after this epoch.
class EpochObserver {
 public:
  virtual ~EpochObserver() = default;
  virtual Directive on_epoch(const EpochRecord& record) = 0;
  /// Called after the check of a window.
  virtual void on_window(const WindowReport&) {}
};

enum class Termination {
  EpochsDone,     // all phases ran to their end
  TargetReached,  // a loss, violation or error that [stop] asks for
  TimeUp,         // stop.seconds
  Stalled,        // stop.stall, or nothing can change any more
  NotFinite,      // a value became infinite or NaN; the last good state is kept
  Interrupted,    // an observer asked to stop (signal)
  CheckFailed     // a window failed its check twice
};
const char* name_of(Termination termination);

/// What ended the training, for code that has to tell cases apart.
struct Cause {
  enum class Kind {
    Unknown,     // read from a summary of a version that did not write causes
    PhasesDone,  // the last phase of the last window has ended
    StopEpochs,  // this and the next five: the rule of [stop] of that name
    StopLoss,
    StopViolation,
    StopError,
    StopSeconds,
    StopStall,
    NothingChanges,  // neither the parameters nor the multipliers can change any more
    Observer,        // an observer asked to stop (signal)
    WindowCheck,     // a window failed windows.check twice
    EquationFails,   // a residual or its derivative was no number before the step: no learning rate would have helped
    StepFails,       // the step led to parameters or to a residual that is no number
    TooLarge         // the Lagrangian is too large for a number though every residual is one
  };
  Kind kind = Kind::Unknown;
  std::string term;           // whose residual failed; empty where none did
  std::vector<double> point;  // where it failed, in the order of the problem's coordinates
};
const char* name_of(Cause::Kind kind);
/// The inverse of name_of; Unknown for any other name.
Cause::Kind cause_kind(const std::string& name);

struct Outcome {
  Termination termination = Termination::EpochsDone;
  std::string message;  // one sentence for people
  Cause cause;
};

}  // namespace pecann::train
