// A try of a time window has its model and points, its parameters, multipliers and optimiser, and the watch on held-out
// points. A problem without windows has one window; a window without a check has one try.
//
// A try goes through its parts (the first 1/grow of the window, 2/grow, …, all of it) and on each of them through the
// phases of the problem.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "pecann/penalty/strategy.h"
#include "pecann/train/assembly.h"
#include "pecann/train/balance.h"
#include "pecann/train/error_norms.h"
#include "pecann/train/extensions.h"
#include "pecann/train/held_out.h"
#include "pecann/train/phase.h"
#include "pecann/train/record.h"
#include "pecann/train/solution.h"
#include "pecann/train/stop_rules.h"
#include "pecann/train/timings.h"

namespace pecann::train {

/// How the last iterate of a window compares with the best one on held-out points.
struct HeldOutChoice {
  long epoch = 0;             // of the best iterate
  double last_over_best = 1;  // L_h(last iterate)/L_h(best iterate) with the last multipliers
  bool best_reported = false;
  double residual = 0;  // HeldOut::residual of the reported iterate
};

/// What all windows of a trial share. Everything referred to outlives the windows.
struct TrialBasis {
  const problem::Problem& problem;
  std::uint64_t seed;
  const Extensions& extensions;
  const Solution& finished;  // the windows before the present one
};

class WindowAttempt {
 public:
  /// What a try leaves to the next one or to the next window.
  struct Legacy {
    std::unique_ptr<Phase> phase;       // the phase whose optimiser's memory goes on; null: none does
    std::unique_ptr<HeldOut> held_out;  // the watch to whose start residuals stay relative
  };

  /// `epochs_before` is the number of epochs in earlier tries of the window.
  WindowAttempt(const TrialBasis& basis, int window, int attempt, long epochs_before, Legacy legacy = {});

  int window() const { return window_; }
  int attempt() const { return attempt_; }
  long epoch() const { return epoch_; }  // finished epochs of the window, earlier tries included
  long epochs_before() const { return epochs_before_; }
  bool at_last_part() const { return part_ + 1 == plan().grow; }
  /// The constants of the present phase that are not the problem's own: what is trained then is another problem.
  const std::map<std::string, double>& other_constants() const { return basis_.problem.phases[phase_index_].constants; }
  bool at_last_phase() const { return phase_index_ + 1 == static_cast<int>(basis_.problem.phases.size()); }

  /// Begins the present phase unless it has begun.
  void begin_phase();
  void to_next_phase();
  /// Makes fresh points and a fresh watch on a longer part of the window; parameters and multipliers go on.
  void to_next_part();
  /// Gives away what the next try or window takes over. The object is of no use afterwards.
  Legacy hand_over();

  // The steps of an epoch, in their order; timings tell where the seconds went.
  optim::StepSummary step(Timings& timings);
  const evaluate::TermValues& values_after_step(Timings& timings);
  double lagrangian(const evaluate::TermValues& values) const;
  /// Counts the epoch after a step whose values are finite.
  void count_epoch();
  /// Goes back to the parameters before a step whose values are not finite, and says why they are not.
  Outcome undo_step();
  EpochRecord record(const optim::StepSummary& step, const evaluate::TermValues& values, double loss) const;
  /// Looks at the held-out points when a look is due.
  std::optional<HeldOutRecord> look_at_held_out(const optim::StepSummary& step);
  bool update_duals(const evaluate::TermValues& values, double loss, Timings& timings);  // true: something changed
  /// Lets the program change points; true where it did.
  bool change_points();
  bool redraws() const { return stage_.assembly->redraws(); }
  Phase& phase() { return *phase_; }
  LowestLoss& lowest() { return lowest_; }

  /// A record of where training stands (window, part, phase, epoch), without the values of an epoch.
  EpochRecord place() const;
  void set_parameters(std::vector<double> parameters) { parameters_ = std::move(parameters); }
  std::span<const double> parameters() const { return parameters_; }
  const penalty::DualState& duals() const { return duals_; }
  const evaluate::Evaluator& evaluator() const { return std::as_const(*stage_.assembly).evaluator(); }
  ErrorNorms& error_norms() const { return *stage_.error_norms; }

  /// Compares the last iterate with the best one on held-out points, and so decides what is reported from now on.
  void choose_iterate();
  const std::optional<HeldOutChoice>& choice() const { return choice_; }
  std::span<const double> reported_parameters() const;
  /// The record `last` with the values of the reported parameters and the present multipliers.
  EpochRecord reported_record(const EpochRecord& last);

  void save(StateWriter& writer) const;
  /// To be called on a fresh object of the window and try that the state names.
  void load(const StateReader& reader);

 private:
  /// Model, terms, points and error norms of a part, with the constants of a phase.
  struct Stage {
    std::unique_ptr<problem::Problem> variant;  // the problem with the phase's constants; null: the problem itself
    std::map<std::string, double> constants;
    std::unique_ptr<Assembly> assembly;
    std::unique_ptr<ErrorNorms> error_norms;
  };
  const problem::WindowTry& plan() const;
  Window extent() const;
  void assemble();
  std::vector<double> start_parameters() const;
  void begin_watch(std::unique_ptr<HeldOut> earlier);
  void record_values(const evaluate::TermValues& values, double loss, EpochRecord& record) const;
  std::vector<double> scalars_of(std::span<const double> parameters) const;
  std::string method() const;         // the optimiser of the present phase, as checkpoints name it
  std::string strategy_name() const;  // the penalty strategy, as checkpoints name it
  void balance_equations();

  TrialBasis basis_;
  int window_, attempt_;  // from 0
  int part_ = 0, phase_index_ = 0;
  long epochs_before_, epoch_;
  LowestLoss lowest_;
  Stage stage_;
  std::unique_ptr<penalty::Strategy> strategy_;
  penalty::DualState duals_;
  std::optional<Balance> balance_;                // none: all equations have the weight 1
  long updates_ = 0;                              // changes of multipliers, penalties or weights in the try
  double steps_ = 0;                              // of the optimisers, in the try (optim::OptimizerRow::steps)
  std::unique_ptr<Phase> phase_, earlier_phase_;  // null: not begun; earlier_phase_: its memory may go on in the next
  std::vector<double> parameters_, last_good_;
  std::unique_ptr<HeldOut> held_out_;  // null: not watched
  std::optional<HeldOutChoice> choice_;
};

/// How a window is tried for the first (0) or second time.
const problem::WindowTry& window_try(const problem::WindowSpec& windows, int window, int attempt);

/// The parameters of a checkpoint's last window that are its answer.
std::vector<double> reported_parameters(const StateReader& reader);

}  // namespace pecann::train
