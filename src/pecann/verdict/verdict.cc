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
#include "pecann/train/missing_conditions.h"
#include "pecann/verdict/advice.h"
#include "pecann/verdict/failed_trials.h"
#include "pecann/verdict/number_text.h"
#include "pecann/verdict/remedy.h"

namespace pecann::verdict {
namespace {

constexpr double kGoodError = 1e-2, kPoorError = 1e-1, kUselessError = 0.5;
constexpr double kSmallResidual = 1e-2;  // of an equation, relative to its parts: usable
constexpr double kLargeResidual = 1e-1;  // doubtful up to here, then bad
constexpr double kDataMisfit = 0.5;      // of measured values, relative to their size: not fitted
constexpr double kLargeSpread = 10;      // worst error over best error of the trials
constexpr std::size_t kMostAdvice = 3;
constexpr double kGrown = 10;  // last violation over its smallest, in the units of the residual

struct Builder {
  Verdict verdict;
  void cap(Grade grade) { verdict.grade = std::max(verdict.grade, grade); }
  void find(Level level, std::string text) {
    if (level == Level::Warning) cap(Grade::Doubtful);
    if (level == Level::Bad) cap(Grade::Bad);
    verdict.findings.push_back({level, std::move(text)});
  }
  void advise(std::string text) {
    if (std::ranges::find(verdict.advice, text) == verdict.advice.end()) verdict.advice.push_back(std::move(text));
  }
  void advise(const Advice& advice) { advise(std::string(advice.text)); }
};

/// A run that ended before its last window: the times behind were never trained. Returns true for such a run.
bool judge_windows(const problem::Problem& problem, const Evidence& evidence, Builder& builder) {
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
  builder.advise(
      fmt::format("`pecann resume {}` goes on with window {}{}.", shortened(evidence.folder, kLongestPath), done + 1,
                  problem.stop.seconds ? fmt::format(" for another {:g} s (`--set stop.seconds={:g}` for more)",
                                                     *problem.stop.seconds, 10 * *problem.stop.seconds)
                                       : ""));
  return true;
}

void judge_endings(std::span<const train::TrialSummary> trials, Builder& builder) {
  const bool all_failed = std::ranges::all_of(trials, results::failed);
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

/// By what the size of the error is judged.
enum class Source { Known, Estimate, Residuals };

Level level_of_error(double error) {
  return error <= kGoodError      ? Level::Good
         : error <= kPoorError    ? Level::Note
         : error <= kUselessError ? Level::Warning
                                  : Level::Bad;
}

/// Judges errors against a known solution, where they are relative.
void judge_known(std::span<const train::TrialSummary> trials, Builder& builder) {
  for (std::size_t f = 0; f < trials[0].errors.size(); ++f) {
    std::vector<double> values;
    for (const train::TrialSummary& trial : trials)
      values.push_back(f < trial.errors.size() ? trial.errors[f].relative_l2 : std::nan(""));
    const results::Spread spread = results::spread_of(values);
    const std::string name = shortened(trials[0].errors[f].field, 60);
    const Level level = level_of_error(not_finite_last(spread.mean));
    builder.find(level, std::isnan(spread.mean)
                            ? fmt::format("The error of {} is not finite.", name)
                            : fmt::format("Relative l² error of {}: {}{}.", name, with_spread(spread.mean, spread.std),
                                          trials.size() > 1 ? fmt::format(", best {:.2e}", spread.best) : ""));
    if (level == Level::Note) builder.cap(Grade::Usable);
    if (trials.size() > 1 && spread.worst > kLargeSpread * spread.best && spread.worst > kGoodError) {
      builder.find(Level::Warning, fmt::format("The trials differ: the worst error of {} is {:.0f} times the best.",
                                               name, spread.worst / spread.best));
      builder.advise(advice::kMoreTrials);
    }
  }
}

/// Judges by the estimate where that of every field is trusted; returns whether it is.
bool judge_estimate(const results::RunEstimate* estimate, Builder& builder) {
  if (estimate == nullptr) return false;
  const bool trusted = !estimate->fields.empty() &&
                       std::ranges::all_of(estimate->fields, [](const auto& field) { return field.trusted; });
  for (const results::FieldEstimate& field : estimate->fields) {
    const std::string name = shortened(field.field, 60), why = shortened(field.decided, 200);
    if (!field.trusted) {
      builder.find(Level::Note,
                   fmt::format("The error of {} could not be estimated{}.", name, why.empty() ? "" : ": " + why));
      continue;
    }
    const Level level = level_of_error(not_finite_last(field.high));
    builder.find(level, fmt::format("Estimated relative l² error of {}: {}, between {} and {}{}.", name,
                                    small_number(field.relative_l2), small_number(field.low), small_number(field.high),
                                    why.empty() ? "" : " (" + why + ")"));
    if (level == Level::Note) builder.cap(Grade::Usable);
  }
  return trusted;
}

std::string at_place(const problem::Problem& problem, const results::TermResidual& term) {
  return term.place.empty() ? "" : ", the largest at " + place_text(problem, term.place);
}

/// The worst of the residuals relative to the parts of their equations; measured values have noise and are left out.
const results::TermResidual* worst_residual(std::span<const results::TermResidual> residuals) {
  const results::TermResidual* worst = nullptr;
  for (const results::TermResidual& term : residuals)
    if (term.kind != train::TermKind::Data && std::isfinite(term.relative) &&
        (worst == nullptr || term.relative > worst->relative))
      worst = &term;
  return worst;
}

/// Judges by residuals on fresh points, which are no errors: the best that they can say is "usable".
void judge_by_residuals(const problem::Problem& problem, const Evidence& evidence, Builder& builder) {
  builder.cap(Grade::Usable);
  builder.find(Level::Note,
               "The error is not known: there is neither an exact solution nor a trusted estimate. What follows is "
               "judged by residuals on fresh points, relative to the size of the parts of each equation.");
  if (worst_residual(evidence.residuals) == nullptr) {
    builder.cap(Grade::Doubtful);
    builder.find(Level::Warning, "No residual could be computed on fresh points: nothing speaks for the answer.");
    return;
  }
  for (const results::TermResidual& term : evidence.residuals) {
    if (!std::isfinite(term.relative)) continue;
    const std::string name = shortened(term.name, 60), where = at_place(problem, term);
    if (term.kind == train::TermKind::Data) {
      if (term.relative > kDataMisfit)
        builder.find(Level::Warning, fmt::format("The values of term {} are not met: the misfit is {} of their size{}.",
                                                 name, short_number(term.relative), where));
      continue;
    }
    const bool points_only = term.ratio() && *term.ratio() > results::kLargeRatio;
    if (term.relative > kSmallResidual)
      builder.find(
          term.relative > kLargeResidual ? Level::Bad : Level::Warning,
          fmt::format("Term {} does not hold: its residual is {} of the size of its parts{}{}.", name,
                      short_number(term.relative), where,
                      points_only ? fmt::format("; it fits the points, not the equation ({} times the residual "
                                                "on the points of training)",
                                                short_number(*term.ratio()))
                                  : ""));
  }
}

/// Tells what fresh points say beside the size of the error.
void tell_residuals(const problem::Problem& problem, std::span<const results::TermResidual> residuals,
                    bool by_residuals, Builder& builder) {
  double largest = 0;
  std::string untested;
  for (const results::TermResidual& term : residuals) {
    const std::string name = shortened(term.name, 60);
    const bool fresh_broken = term.held_out_rms && !std::isfinite(*term.held_out_rms);
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
    if (*ratio <= results::kLargeRatio || (by_residuals && term.relative > kSmallResidual)) continue;
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
      builder.find(Level::Note, "Training went too far: " + fact + ", and it is reported all the same.");
      builder.advise(advice::kKeepBest);
    }
  }
}

void judge_histories(const problem::Problem& problem, std::span<const results::HistoryTable> histories,
                     Builder& builder) {
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
}

std::string headline_of(Grade grade, Source source, bool incomplete) {
  if (incomplete) return "The answer is incomplete: do not use it.";
  switch (grade) {
    case Grade::Good:
      return "The answer is good.";
    case Grade::Usable:
      return source == Source::Residuals ? "The answer is usable as far as residuals tell; its error is not known."
                                         : "The answer is usable; read the notes.";
    case Grade::Doubtful:
      return "The answer is doubtful: look closer before using it.";
    case Grade::Bad:
      return "The answer is bad: do not use it.";
  }
  return "";
}

/// The size of the error, from the best source there is.
Source judge_accuracy(const problem::Problem& problem, const Evidence& evidence,
                      std::span<const train::TrialSummary> shown, Builder& builder) {
  const std::vector<std::string>& measures = problem.evaluate.measures;
  const bool relative = std::ranges::find(measures, "relative_l2") != measures.end();
  if (!shown[0].errors.empty() && relative) {
    judge_known(shown, builder);
    return Source::Known;
  }
  for (std::size_t f = 0; f < shown[0].errors.size(); ++f) tell_errors(problem, shown, f, builder);
  if (judge_estimate(evidence.estimate, builder)) return Source::Estimate;
  judge_by_residuals(problem, evidence, builder);
  return Source::Residuals;
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

const char* name_of(Grade grade) {
  switch (grade) {
    case Grade::Good:
      return "good";
    case Grade::Usable:
      return "usable";
    case Grade::Doubtful:
      return "doubtful";
    case Grade::Bad:
      return "bad";
  }
  return "";
}

Verdict verdict_of(const problem::Problem& problem, const Evidence& evidence) {
  const std::span<const train::TrialSummary> trials = evidence.trials;
  if (trials.empty()) return {Grade::Bad, "No trial has been run.", {}, {}};
  Builder builder;
  const std::vector<train::TrialSummary> shown = results::shown_trials(trials);
  const bool incomplete = judge_windows(problem, evidence, builder);
  Source source = Source::Residuals;
  if (!incomplete) {
    source = judge_accuracy(problem, evidence, shown, builder);
    for (const train::MissingCondition& missing : train::missing_conditions(problem))
      if (source != Source::Known) builder.find(Level::Warning, missing.text());
  }
  judge_endings(trials, builder);
  if (std::string note = failed_text(trials); !note.empty()) builder.find(Level::Note, std::move(note));
  if (const auto rate = results::success_rate(problem, trials); rate && *rate < 1)
    builder.find(Level::Note, fmt::format("{:.0f} % of the trials reached the target of [stop].", 100 * *rate));
  tell_residuals(problem, evidence.residuals, source == Source::Residuals && !incomplete, builder);
  judge_held_out(shown, builder);
  judge_histories(problem, evidence.histories, builder);
  judge_penalties(problem, shown, builder);
  judge_updates(problem, shown, builder.verdict.grade == Grade::Good, builder);
  const Grade grade = builder.verdict.grade;
  if (grade == Grade::Good) {
    builder.verdict.advice.clear();  // nothing has to be changed
  } else if (!incomplete && !std::ranges::all_of(trials, results::failed)) {
    const std::string remedy = remedy_for(problem, evidence, worst_residual(evidence.residuals));
    builder.verdict.advice.insert(builder.verdict.advice.begin(), remedy);
    if (builder.verdict.advice.size() > kMostAdvice) builder.verdict.advice.resize(kMostAdvice);
  }
  std::stable_sort(builder.verdict.findings.begin(), builder.verdict.findings.end(),
                   [](const Finding& a, const Finding& b) { return a.level > b.level; });
  builder.verdict.headline = headline_of(grade, source, incomplete);
  return std::move(builder.verdict);
}

}  // namespace pecann::verdict
