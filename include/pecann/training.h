/// \file
/// Training as a program sees it: options, what an observer is told, and what comes out.
#pragma once

#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "pecann/export.h"
#include "pecann/optimizer.h"
#include "pecann/options.h"
#include "pecann/penalty_strategy.h"
#include "pecann/solution.h"
#include "pecann/training_points.h"

namespace pecann {

/// A constraint after an epoch; for a point-wise one, the means over its points.
struct ConstraintState {
  std::string name;       ///< of its term
  double value = 0;       ///< C
  double multiplier = 0;  ///< λ that the step used
  double penalty = 0;     ///< μ that the step used
};

/// A trainable number.
struct ParameterValue {
  std::string name;             ///< as in the problem
  double value = 0;             ///< found
  std::optional<double> exact;  ///< known
};

/// Error of a field against its exact solution on the evaluation grid.
struct FieldError {
  std::string field;       ///< name
  double relative_l2 = 0;  ///< ‖û - u‖₂ / ‖u‖₂
  double linf = 0;         ///< max |û - u|
};

/// What an epoch leaves behind: values after the step, with the multipliers that the step used.
struct Epoch {
  int window = 0;                            ///< from 0
  int phase = 0;                             ///< from 0
  long number = 0;                           ///< from 1, over the phases of a window
  double seconds = 0;                        ///< of training so far
  double loss = 0;                           ///< L
  double objective = 0;                      ///< J
  std::vector<ConstraintState> constraints;  ///< in the order of the problem
  double learning_rate = 0;                  ///< 0 where the optimiser has none
  std::optional<double> damping;             ///< of Levenberg–Marquardt
  int evaluations = 0;                       ///< of L in this epoch
  std::vector<FieldError> errors;            ///< empty where they were not measured
  std::vector<ParameterValue> parameters;    ///< trainable numbers with names
};

/// An observer's answer.
enum class Directive {
  Continue,  ///< go on
  Stop       ///< end in order after this epoch
};

/// Why the training ended.
enum class Termination {
  EpochsDone,     ///< all phases ran to their end
  TargetReached,  ///< a loss, violation or error that Stop asks for
  TimeUp,         ///< Stop::seconds
  Stalled,        ///< Stop::stall, or nothing can change any more
  NotFinite,      ///< a value became infinite or NaN; the last good state is kept
  Interrupted,    ///< the observer asked to stop
  CheckFailed     ///< a time window failed its check twice
};

/// The word of summary.json: "epochs done", "target reached", ….
PECANN_API const char* name_of(Termination termination);

/// One row per recorded epoch: every epoch up to 10,000, then every 10th up to 100,000, and so on. The columns are
/// those of history.csv (docs/report.md), with its digits.
struct History {
  std::vector<std::string> names;            ///< "epoch", "loss", "constraint.NAME", …
  std::vector<std::vector<double>> columns;  ///< NaN where a cell is empty

  /// A column by its name. Throws with the nearest name when there is none.
  PECANN_API const std::vector<double>& column(const std::string& name) const;
};

/// One sentence of a verdict.
struct Finding {
  std::string level;  ///< "good", "note", "warning" or "bad"
  std::string text;   ///< the sentence
};

/// Can the answer be trusted? What the report says on top (docs/report.md).
struct Verdict {
  std::string level;                ///< "good", "usable", "doubtful" or "bad"
  std::string headline;             ///< the verdict in one sentence
  std::vector<Finding> findings;    ///< the worst first
  std::vector<std::string> advice;  ///< what to try, most promising first
};

/// How large the error of a field is, as far as that can be told without the exact solution (docs/estimate.md).
struct FieldEstimate {
  std::string field;       ///< name
  double relative_l2 = 0;  ///< of the error, over the norm of the field
  double low = 0;          ///< below which the error does not lie where the estimate is trusted
  double high = 0;         ///< above which it does not lie
  bool trusted = false;    ///< within a factor of two
  bool good = false;       ///< within a fourth
  std::string decided;     ///< in words: by what it is trusted or not
};

/// A trainable number and what noise in the data does to it.
struct ScalarEstimate {
  std::string name;           ///< as in the problem
  double value = 0;           ///< found
  double standard_error = 0;  ///< NaN where no data decide
};

/// The estimated error of a result.
struct Estimate {
  std::vector<FieldEstimate> fields;    ///< empty where none could be made; `decided` says why
  std::vector<ScalarEstimate> scalars;  ///< trainable numbers with names
  std::string decided;                  ///< why there are no fields
  double seconds = 0;                   ///< that it took
};

/// How a search for an accuracy (Problem::accuracy) went.
struct AccuracyAnswer {
  double asked = 0;      ///< the largest relative l² error
  bool reached = false;  ///< by a trusted estimate
  std::string ending;    ///< why the search ended, in one sentence
  int attempts = 0;      ///< that were tried
  int best = 0;          ///< the attempt that is the answer, from 1
};

/// What came out.
struct Summary {
  int trial = 1;                                      ///< its number, from 1
  std::uint64_t seed = 1;                             ///< its seed
  double seconds = 0;                                 ///< of training
  Termination termination = Termination::EpochsDone;  ///< why it ended
  std::string message;                                ///< the same for people
  Epoch last;                                         ///< the last epoch
  long epochs = 0;                                    ///< of all windows
  long evaluations = 0;                               ///< of L, of all windows
  std::size_t num_parameters = 0;                     ///< trainable numbers, of the last window
  std::size_t num_points = 0;                         ///< of all terms, of the last window
  std::vector<FieldError> errors;                     ///< over the whole domain
  std::vector<ParameterValue> parameters;             ///< trainable numbers with names
  std::string text;                                   ///< what `pecann run` prints at the end
  History history;                                    ///< of all epochs, those before a resume included
  Verdict verdict;                                    ///< of all trials of the run
  std::optional<Estimate> estimate;                   ///< where one was made with the training
  std::optional<AccuracyAnswer> accuracy;             ///< where one was asked for
  std::string json;                                   ///< the text of summary.json (docs/report.md)
};

/// A summary and the trained fields.
struct Result {
  Summary summary;    ///< what came out
  Solution solution;  ///< the trained fields

  /// The error without the exact solution, as `pecann estimate` tells it: the one that was made with the training, or
  /// a new one, which leaves out what would take longer than about `most_seconds`.
  PECANN_API Estimate estimate(double most_seconds = std::numeric_limits<double>::infinity()) const;

  /// The result in a folder that `pecann run` or TrainOptions::folder has written; trial 0 is the best one.
  PECANN_API static Result open(const std::string& folder, int trial = 0);
};

/// How to train; the problem itself says what.
struct TrainOptions {
  /// A new folder for history, checkpoints and summary, as `pecann run --out` makes it; `pecann report`, `predict`,
  /// `export` and (without own strategy and optimiser) `resume` understand it. Empty: nothing is written.
  std::string folder;
  bool resume = false;             ///< go on from the folder's checkpoint, bit for bit
  double checkpoint_seconds = 30;  ///< between checkpoints
  int threads = 0;                 ///< 0: all cores; results do not depend on it
  bool estimate = false;           ///< estimate the error after training; the verdict then judges by it
  std::vector<double> start;       ///< parameters to begin with; empty: random
  /// Called after every epoch. What it throws ends the training in order, as Stop does: the folder is complete and can
  /// be resumed when train() throws it on.
  std::function<Directive(const Epoch&)> observer;
  /// Asked between epochs, before the observer: true ends the training in order. It costs less than an observer, for no
  /// Epoch is made for it.
  std::function<bool()> interrupt;
  /// Makes the dual update instead of Penalty::strategy; called once per time window.
  std::function<std::unique_ptr<PenaltyStrategy>()> penalty_strategy;
  /// Makes the optimiser of a phase for so many parameters. Where it returns null, the phase keeps its own.
  std::function<std::unique_ptr<Optimizer>(const Phase& phase, std::size_t parameters)> optimizer;
  /// Called after every epoch, before the observer: it may give terms other points. What it throws ends the training as
  /// with the observer. The points are part of the state; a training whose function depends on nothing but what it is
  /// given resumes bit for bit. Networks are trained, no linear solve is tried (docs/features.md).
  std::function<void(TrainingPoints&)> change_points;
};

}  // namespace pecann
