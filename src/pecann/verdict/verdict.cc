#include "pecann/verdict/verdict.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <limits>

#include "pecann/base/input_error.h"
#include "pecann/base/not_finite.h"
#include "pecann/penalty/registry.h"
#include "pecann/problem/constraint_terms.h"
#include "pecann/results/over_trials.h"
#include "pecann/results/statistics.h"
#include "pecann/results/summary_json.h"
#include "pecann/verdict/advice.h"
#include "pecann/verdict/failed_trials.h"
#include "pecann/verdict/number_text.h"

namespace pecann::verdict {
namespace {

constexpr double kGoodError = 1e-2, kPoorError = 1e-1, kUselessError = 0.5;
constexpr double kLargeSpread = 10;  // worst error over best error of the trials
constexpr double kStillFalling = 2;  // loss before the last fifth of the epochs over the last loss
constexpr double kGrown = 10;        // last violation over its smallest, in the units of the residual

struct Builder {
  Verdict verdict;
  void find(Level level, std::string text) {
    verdict.level = std::max(verdict.level, level);
    verdict.findings.push_back({level, std::move(text)});
  }
  void advise(const Advice& advice) {
    if (std::find(verdict.advice.begin(), verdict.advice.end(), advice.text) == verdict.advice.end())
      verdict.advice.emplace_back(advice.text);
  }
};

void judge_endings(std::span<const train::TrialSummary> trials, Builder& builder) {
  for (const train::TrialSummary& trial : trials) {
    const std::string who = trials.size() > 1 ? fmt::format("Trial {}: ", trial.trial) : "";
    std::string message = who + shortened(trial.outcome.message, 400) + ".";
    message[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(message[0])));
    using enum train::Termination;
    switch (trial.outcome.termination) {
      case TargetReached:
        builder.find(Level::Good, message);
        break;
      case EpochsDone:
        if (trials.size() == 1 || &trial == &trials[0])
          builder.find(Level::Good, trials.size() == 1 ? message : "Trained to the end of its epochs.");
        break;
      case NotFinite:
        builder.find(Level::Bad, message);
        builder.advise(trial.outcome.cause.kind == train::Cause::Kind::EquationFails ? advice::kGuard
                                                                                     : advice::kSmallerRate);
        break;
      case CheckFailed:
        builder.find(Level::Bad, message);
        builder.advise(advice::kMoreEpochs);
        break;
      case Interrupted:
        builder.find(Level::Warning, message);
        builder.advise(advice::kResume);
        break;
      case TimeUp:
      case Stalled:
        builder.find(Level::Note, message);
        break;
    }
  }
}

/// Errors in other measures than the relative one have no scale of their own: they are told, not judged.
void tell_errors(const problem::Problem& problem, std::span<const train::TrialSummary> trials, std::size_t field,
                 Builder& builder) {
  std::string text;
  for (const std::string& measure : problem.evaluate.measures) {
    std::vector<double> values;
    for (const train::TrialSummary& trial : trials)
      if (field < trial.errors.size()) values.push_back(train::measure_of(trial.errors[field], measure));
    const results::Spread spread = results::spread_of(values);
    text += fmt::format("{}{} {}", text.empty() ? "" : ", ", measure, with_spread(spread.mean, spread.std));
  }
  builder.find(Level::Note, fmt::format("Error of {}: {}.", shortened(trials[0].errors[field].field, 60), text));
}

/// Judges the errors; returns true when they are known and good.
bool judge_errors(const problem::Problem& problem, std::span<const train::TrialSummary> trials, Builder& builder) {
  if (trials[0].errors.empty()) {
    builder.find(Level::Note, "No exact solution is known: residuals and their spread are all there is to judge by.");
    return false;
  }
  const std::vector<std::string>& measures = problem.evaluate.measures;
  const bool relative = std::find(measures.begin(), measures.end(), "relative_l2") != measures.end();
  bool good = relative;
  for (std::size_t f = 0; f < trials[0].errors.size(); ++f) {
    if (!relative) {
      tell_errors(problem, trials, f, builder);
      continue;
    }
    std::vector<double> values;
    for (const train::TrialSummary& trial : trials)
      values.push_back(f < trial.errors.size() ? trial.errors[f].relative_l2 : std::nan(""));
    const results::Spread spread = results::spread_of(values);
    const std::string name = shortened(trials[0].errors[f].field, 60);
    const double judged = std::isnan(spread.mean) ? std::numeric_limits<double>::infinity() : spread.mean;
    const Level level = judged <= kGoodError      ? Level::Good
                        : judged <= kPoorError    ? Level::Note
                        : judged <= kUselessError ? Level::Warning
                                                  : Level::Bad;
    builder.find(level, std::isnan(spread.mean)
                            ? fmt::format("The error of {} is not finite.", name)
                            : fmt::format("Relative l² error of {}: {}{}.", name, with_spread(spread.mean, spread.std),
                                          trials.size() > 1 ? fmt::format(", best {:.2e}", spread.best) : ""));
    good = good && level == Level::Good;
    if (level >= Level::Warning) builder.advise(advice::kLargerError);
    if (trials.size() > 1 && spread.worst > kLargeSpread * spread.best) {
      builder.find(Level::Warning, fmt::format("The trials differ: the worst error of {} is {:.0f} times the best.",
                                               name, spread.worst / spread.best));
      builder.advise(advice::kMoreTrials);
    }
  }
  return good;
}

/// Judges the residuals, which stand in for the error where that is not known to be small.
void judge_residuals(std::span<const results::TermResidual> residuals, bool error_is_good, Builder& builder) {
  double largest = 0;
  for (const results::TermResidual& term : residuals) {
    const bool fresh_broken = term.held_out_rms && !std::isfinite(*term.held_out_rms);
    if (!std::isfinite(term.rms) || fresh_broken) {
      builder.find(Level::Bad, fmt::format("The residual of term {} is not finite on {}.", shortened(term.name, 60),
                                           std::isfinite(term.rms) ? "fresh points" : "its points"));
      builder.advise(advice::kGuard);
      continue;
    }
    const auto ratio = term.ratio();
    if (ratio) largest = std::max(largest, *ratio);
    if (!ratio || *ratio <= results::kLargeRatio) continue;
    if (error_is_good) {
      builder.find(Level::Good,
                   fmt::format("Term {} has a residual of {} on fresh points, {} times that on "
                               "the points of training; the error is small all the same.",
                               shortened(term.name, 60), short_number(*term.held_out_rms), short_number(*ratio)));
      continue;
    }
    builder.find(
        Level::Warning,
        fmt::format("Term {} fits the points, not the equation: its residual on fresh points is {} ({} times that on "
                    "the points of training).",
                    shortened(term.name, 60), short_number(*term.held_out_rms), short_number(*ratio)));
    builder.advise(advice::kMorePoints);
  }
  if (largest > 0 && largest <= results::kLargeRatio)
    builder.find(Level::Good,
                 fmt::format("Residuals on fresh points agree with those of training (at most {} times larger).",
                             short_number(std::max(1.0, largest))));
}

/// Tells of trials in which an earlier iterate was clearly better than the last one on held-out points.
void judge_held_out(std::span<const train::TrialSummary> trials, Builder& builder) {
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
      builder.find(Level::Warning, "Training went too far: " + fact + ", and it is reported all the same.");
      builder.advise(advice::kKeepBest);
    }
    builder.advise(advice::kMorePoints);
  }
}

/// The loss still falls when it was kStillFalling times as large before the last fifth of the (last window's) rows.
bool still_falling(const results::HistoryTable& history) {
  const std::vector<double>* const loss = history.find("loss");
  const std::vector<double> epochs = history.running_epochs();
  if (loss == nullptr || epochs.size() < 20) return false;
  const std::vector<double>* const windows = history.find("window");
  double start = 0;
  if (windows != nullptr)
    for (std::size_t i = 1; i < epochs.size(); ++i)
      if ((*windows)[i] != (*windows)[i - 1]) start = epochs[i - 1];
  const double border = start + 0.8 * (epochs.back() - start);
  double before = std::numeric_limits<double>::infinity(), after = before;
  for (std::size_t i = 0; i < epochs.size(); ++i) {
    if (epochs[i] <= start) continue;
    double& best = epochs[i] <= border ? before : after;
    best = std::min(best, (*loss)[i]);
  }
  return std::isfinite(before) && after > 0 && before > kStillFalling * after;
}

void judge_histories(const problem::Problem& problem, std::span<const results::HistoryTable> histories,
                     Builder& builder) {
  const auto falling = std::count_if(histories.begin(), histories.end(), still_falling);
  if (falling > 0) {
    builder.find(Level::Note, histories.size() == 1
                                  ? "The loss was still falling at the end."
                                  : fmt::format("The loss was still falling at the end of {} of {} trials.", falling,
                                                histories.size()));
    builder.advise(advice::kMoreEpochs);
  }
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
    builder.advise(advice::kLargerEta);
  }
}

void judge_penalties(const problem::Problem& problem, std::span<const train::TrialSummary> trials, Builder& builder) {
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
                   Builder& builder) {
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
  if (!error_is_good) builder.advise(advice::kBalance);
}

std::string headline_of(Level level, bool truth_known) {
  switch (level) {
    case Level::Good:
      return "The answer is good.";
    case Level::Note:
      return truth_known ? "The answer is usable; read the notes."
                         : "Nothing speaks against the answer; read the notes.";
    case Level::Warning:
      return "Look closer before using this answer.";
    case Level::Bad:
      return "Do not use this answer.";
  }
  return "";
}

}  // namespace

const char* name_of(Level level) {
  switch (level) {
    case Level::Good:
      return "good";
    case Level::Note:
      return "note";
    case Level::Warning:
      return "warning";
    case Level::Bad:
      return "bad";
  }
  return "";
}

Verdict verdict_of(const problem::Problem& problem, std::span<const train::TrialSummary> trials,
                   std::span<const results::TermResidual> residuals, std::span<const results::HistoryTable> histories) {
  Builder builder;
  if (trials.empty()) return {Level::Bad, "No trial has been run.", {}, {}};
  const std::vector<train::TrialSummary> shown = results::shown_trials(trials);
  const bool error_is_good = judge_errors(problem, shown, builder);
  judge_endings(trials, builder);
  if (std::string note = failed_text(trials); !note.empty()) builder.find(Level::Note, std::move(note));
  if (const auto rate = results::success_rate(problem, trials); rate && *rate < 1)
    builder.find(Level::Warning, fmt::format("{:.0f} % of the trials reached the target of [stop].", 100 * *rate));
  judge_residuals(residuals, error_is_good, builder);
  judge_held_out(shown, builder);
  judge_histories(problem, histories, builder);
  judge_penalties(problem, shown, builder);
  judge_updates(problem, shown, error_is_good, builder);
  std::stable_sort(builder.verdict.findings.begin(), builder.verdict.findings.end(),
                   [](const Finding& a, const Finding& b) { return a.level > b.level; });
  builder.verdict.headline = headline_of(builder.verdict.level, !shown[0].errors.empty());
  return std::move(builder.verdict);
}

}  // namespace pecann::verdict
