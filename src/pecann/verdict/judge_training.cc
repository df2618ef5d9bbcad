#include "pecann/verdict/judge_training.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <limits>
#include <vector>

#include "pecann/base/input_error.h"
#include "pecann/base/not_finite.h"
#include "pecann/penalty/registry.h"
#include "pecann/problem/constraint_terms.h"
#include "pecann/results/over_trials.h"
#include "pecann/verdict/judge_error.h"
#include "pecann/verdict/number_text.h"
#include "pecann/verdict/remedy.h"
#include "pecann/verdict/solve_text.h"

namespace pecann::verdict {
namespace {

constexpr double kGrown = 10;  // last violation over its smallest, in the units of the residual

/// Tells of trials in which an earlier iterate was clearly better than the last one on held-out points.
void judge_held_out(std::span<const train::TrialSummary> trials, VerdictBuilder& builder) {
  for (const train::TrialSummary& trial : trials) {
    if (!trial.held_out) continue;
    const double worse = not_finite_last(trial.held_out->last_over_best);  // null in a summary: not finite
    if (worse <= train::HeldOut::kClearlyWorse) continue;
    const std::string who = trials.size() > 1 ? fmt::format("trial {}: ", trial.trial) : "";
    const std::string fact =
        fmt::format("{}on held-out points the last iterate is {} worse than that of epoch {}", who,
                    std::isfinite(worse) ? short_number(worse) + " times" : "infinitely", trial.held_out->epoch);
    if (trial.held_out->best_reported) {
      builder.find(Level::Note, "Training went too far: " + fact + ", which is reported.");
    } else {
      builder.find(Level::Note, "Training went too far: " + fact + ", and it is reported all the same.");
      builder.advise(advice::kKeepBest);
    }
  }
}

void judge_histories(const problem::Problem& problem, std::span<const results::HistoryTable> histories,
                     VerdictBuilder& builder) {
  if (loss_trend(histories).falling && builder.verdict.grade != Grade::Good)
    builder.find(Level::Note, histories.size() == 1 ? "The loss was still falling at the end."
                                                    : "The loss was still falling at the end of some trials.");
  for (const problem::TermSpec* term : problem::constraint_terms(problem)) {
    double grown = 0;
    for (const results::HistoryTable& history : histories) {
      const std::vector<double>* const values = history.find("constraint." + term->name);
      if (values == nullptr || values->empty()) continue;
      double smallest = std::numeric_limits<double>::infinity();
      const std::vector<std::size_t> windows = history.starts_of("window");  // each of them begins anew
      for (std::size_t i = windows[windows.size() - 2]; i < values->size(); ++i)
        if ((*values)[i] > 0) smallest = std::min(smallest, (*values)[i]);
      grown = std::max(grown, problem::violation_of(*term, values->back()) / problem::violation_of(*term, smallest));
    }
    if (grown <= kGrown) continue;
    builder.find(Level::Note, fmt::format("Constraint {} was {} times smaller earlier in the training.",
                                          shortened(term->name, 60), short_number(grown)));
    if (penalty::strategy_row(problem.penalty.strategy).uses("eta")) builder.advise(advice::kLargerEta);
  }
}

void judge_penalties(const problem::Problem& problem, std::span<const train::TrialSummary> trials,
                     VerdictBuilder& builder) {
  if (!penalty::strategy_row(problem.penalty.strategy).uses("penalty_max")) return;
  const std::vector<const problem::TermSpec*> terms = problem::constraint_terms(problem);
  for (std::size_t i = 0; i < terms.size(); ++i) {
    const bool bounded = std::any_of(trials.begin(), trials.end(), [&](const train::TrialSummary& trial) {
      return i < trial.last.constraints.size() && trial.last.constraints[i].penalty >= problem.penalty.penalty_max;
    });
    if (!bounded) continue;
    builder.find(Level::Note, "The penalty reached its bound (penalty_max); the problem is as stiff as it can get.");
    builder.advise(advice::kCapu);
    return;
  }
}

/// Tells of multipliers that never moved: what was trained are the weights of the start.
void judge_updates(const problem::Problem& problem, std::span<const train::TrialSummary> trials, bool error_is_good,
                   VerdictBuilder& builder) {
  const penalty::StrategyRow& row = penalty::strategy_row(problem.penalty.strategy);
  const bool can_move = row.uses("eta") || row.uses("beta");
  if (!can_move || problem::constraint_terms(problem).empty()) return;
  const auto moved = [](const train::TrialSummary& trial) { return trial.last.updates != 0; };
  if (std::ranges::any_of(trials, moved)) return;
  builder.find(
      error_is_good ? Level::Good : Level::Note,
      fmt::format("No multiplier ever moved: `{}` waits until the loss no longer falls, and it fell to the end. "
                  "What was trained are the weights of the start.",
                  row.name));
}

std::string sentence(std::string text) {
  text[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(text[0])));
  return text + ".";
}

/// How long a resumed run trains, for a sentence of advice.
std::string more_time(const problem::Problem& problem) {
  if (!problem.stop.seconds) return "";
  return fmt::format(" for another {:g} s (`--set stop.seconds={:g}` for more)", *problem.stop.seconds,
                     10 * *problem.stop.seconds);
}

}  // namespace

bool judge_windows(const problem::Problem& problem, const Evidence& evidence, VerdictBuilder& builder) {
  if (problem.windows.count < 2) return false;
  const std::vector<train::TrialSummary> shown = results::shown_trials(evidence.trials);
  int done = problem.windows.count;
  for (const train::TrialSummary& trial : shown) done = std::min(done, trial.windows_done);
  if (done >= problem.windows.count) return false;
  const sampling::Box& box = problem.box;
  const double range = box.upper[box.time] - box.lower[box.time];
  const double until = box.lower[box.time] + range * done / problem.windows.count;
  builder.find(Level::Bad,
               fmt::format("Incomplete: {} of {} windows are trained. After {} = {:.4g} there is no solution.", done,
                           problem.windows.count, box.names[box.time], until));
  builder.advise(fmt::format("`pecann resume {}` goes on with window {}{}.", shortened(evidence.folder, kLongestPath),
                             done + 1, more_time(problem)));
  return true;
}

std::string judge_constants(const problem::Problem& problem, const Evidence& evidence, VerdictBuilder& builder) {
  std::string first;
  for (const train::TrialSummary& trial : results::shown_trials(evidence.trials)) {
    const std::string text = shortened(train::other_constants_text(problem, trial), 100);
    if (text.empty()) continue;
    builder.find(Level::Bad,
                 fmt::format("{}he answer is that of another problem: the training ended at {}.",
                             evidence.trials.size() > 1 ? fmt::format("Trial {}: t", trial.trial) : "T", text));
    if (first.empty()) first = text;
  }
  if (first.empty()) return first;
  if (evidence.search == nullptr)
    builder.advise(fmt::format("`pecann resume {}` goes on to the problem's own value{}.",
                               shortened(evidence.folder, kLongestPath), more_time(problem)));
  else if (const std::string more = search_goes_on(evidence); !more.empty())
    builder.advise(more);
  return first;
}

void judge_endings(const problem::Problem& problem, std::span<const train::TrialSummary> trials,
                   VerdictBuilder& builder) {
  const bool all_failed = std::ranges::all_of(trials, results::failed);
  for (const train::TrialSummary& trial : trials) {
    const std::string who = trials.size() > 1 ? fmt::format("Trial {}: ", trial.trial) : "";
    const std::string message = sentence(who + shortened(trial.outcome.message, 400));
    using enum train::Termination;
    if (solved_whole(problem, trial)) {
      if (&trial == &trials[0]) builder.find(Level::Good, sentence(solve_text(problem, trials)));
      continue;
    }
    switch (trial.outcome.termination) {
      case TargetReached:
        builder.find(Level::Good, message);
        break;
      case EpochsDone:
        if (trials.size() == 1 || &trial == &trials[0])
          builder.find(Level::Good, trials.size() == 1 ? message : "Trained to the end of its epochs.");
        break;
      case NotFinite:
        builder.find(all_failed ? Level::Bad : Level::Note, message);
        builder.cap(Grade::Usable);
        builder.advise(trial.outcome.cause.kind == train::Cause::Kind::EquationFails ? advice::kGuard
                                                                                     : advice::kSmallerRate);
        break;
      case CheckFailed:
        builder.find(Level::Bad, message);
        break;
      case Interrupted:
        builder.cap(Grade::Usable);
        builder.find(Level::Note, message);
        break;
      case TimeUp:
      case Stalled:
        builder.find(Level::Note, message);
        break;
    }
  }
}

void tell_residuals(const problem::Problem& problem, std::span<const results::TermResidual> residuals, bool judged,
                    VerdictBuilder& builder) {
  double largest = 0;
  std::string untested;
  for (const results::TermResidual& term : residuals) {
    const std::string name = shortened(term.name, 60);
    const bool fresh_broken =
        (term.held_out_rms && !std::isfinite(*term.held_out_rms)) || std::isinf(term.relative);  // in any window
    if (!std::isfinite(term.rms) || fresh_broken) {
      builder.find(Level::Bad, fmt::format("The residual of term {} is not finite on {}.", name,
                                           std::isfinite(term.rms) ? "fresh points" : "its points"));
      builder.advise(advice::kGuard);
      continue;
    }
    if (!term.held_out_rms) untested += (untested.empty() ? "" : ", ") + name;
    const auto ratio = term.ratio();
    if (!ratio) continue;
    largest = std::max(largest, *ratio);
    if (*ratio <= results::kLargeRatio || (judged && term.relative > kSmallResidual)) continue;
    builder.find(
        Level::Note,
        fmt::format("Term {} has a residual of {} on fresh points, {} times that on the points of training{}{}.", name,
                    short_number(*term.held_out_rms), short_number(*ratio), at_place(problem, term),
                    std::isfinite(term.relative)
                        ? fmt::format("; that is {} of the size of its parts", short_number(term.relative))
                        : ""));
  }
  if (largest > 0 && largest <= results::kLargeRatio)
    builder.find(
        Level::Good,
        fmt::format("Residuals on fresh points agree with those of training (at most {} times larger){}.",
                    short_number(std::max(1.0, largest)),
                    untested.empty() ? "" : fmt::format("; not tested, for there are no fresh points: {}", untested)));
}

void tell_training(const problem::Problem& problem, const Evidence& evidence,
                   std::span<const train::TrialSummary> shown, VerdictBuilder& builder) {
  if (is_solve(problem)) return;
  judge_held_out(shown, builder);
  judge_histories(problem, evidence.histories, builder);
  judge_penalties(problem, shown, builder);
  judge_updates(problem, shown, builder.verdict.grade == Grade::Good, builder);
}

}  // namespace pecann::verdict
