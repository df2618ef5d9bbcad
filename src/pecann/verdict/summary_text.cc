#include "pecann/verdict/summary_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <map>

#include "pecann/base/input_error.h"
#include "pecann/problem/constraint_terms.h"
#include "pecann/results/over_trials.h"
#include "pecann/results/statistics.h"
#include "pecann/results/summary_json.h"
#include "pecann/train/run_folder.h"
#include "pecann/verdict/failed_trials.h"
#include "pecann/verdict/number_text.h"
#include "pecann/verdict/problem_text.h"
#include "pecann/verdict/solve_text.h"
#include "pecann/verdict/wrapped_text.h"

namespace pecann::verdict {
namespace {

constexpr std::size_t kNameWidth = 22;

const char* colour_of(train::Termination termination) {
  using enum train::Termination;
  switch (termination) {
    case TargetReached:
      return "32";  // green
    case NotFinite:
    case CheckFailed:
      return "31";  // red
    case Stalled:
    case TimeUp:
    case Interrupted:
      return "33";  // yellow
    case EpochsDone:
      break;
  }
  return "1";
}

/// One line per way the trials ended, with the message of the first of them.
std::string endings(const problem::Problem& problem, std::span<const train::TrialSummary> trials, Colour colour) {
  std::map<train::Termination, std::vector<const train::TrialSummary*>> by_reason;
  for (const train::TrialSummary& trial : trials) by_reason[trial.outcome.termination].push_back(&trial);
  std::string text;
  for (const auto& [reason, members] : by_reason) {
    const std::string who = trials.size() == 1 ? "" : fmt::format("{} of {} trials: ", members.size(), trials.size());
    const std::string what = solved_whole(problem, *members[0])
                                 ? solve_text(problem, trials)
                                 : train::name_of(reason) + (": " + shortened(members[0]->outcome.message, 400));
    std::string line = wrapped(who + what, 2);
    text += colour == Colour::Ansi ? painted(line.substr(0, line.size() - 1), colour_of(reason), colour) + "\n" : line;
  }
  return text;
}

/// Said first of a run that ended before its last window; empty for others, and where there is one window only.
std::string missing_windows(const problem::Problem& problem, std::span<const train::TrialSummary> trials) {
  int done = problem.windows.count;
  for (const train::TrialSummary& trial : results::shown_trials(trials)) done = std::min(done, trial.windows_done);
  if (problem.windows.count == 1 || done == problem.windows.count) return "";
  const sampling::Box& box = problem.box;
  return fmt::format("incomplete: {} of {} windows are trained, up to {} = {:.4g}", done, problem.windows.count,
                     box.names[box.time],
                     box.lower[box.time] + (box.upper[box.time] - box.lower[box.time]) * done / problem.windows.count);
}

/// A mean over the trials; "–" where one of them has no number.
std::string mean_of(std::span<const train::TrialSummary> trials, const auto& value) {
  double sum = 0;
  for (const train::TrialSummary& trial : trials) sum += value(trial);
  return small_number(sum / static_cast<double>(trials.size()));
}

std::string error_lines(const problem::Problem& problem, std::span<const train::TrialSummary> trials) {
  if (trials[0].errors.empty()) return "";
  std::string text = fmt::format("\n{:<{}} {:<26}{}\n", "error", kNameWidth + 19, "", trials.size() > 1 ? "best" : "");
  for (std::size_t f = 0; f < trials[0].errors.size(); ++f) {
    for (const std::string& measure : problem.evaluate.measures) {
      std::vector<double> values;
      for (const train::TrialSummary& trial : trials)
        if (f < trial.errors.size()) values.push_back(train::measure_of(trial.errors[f], measure));
      const results::Spread spread = results::spread_of(values);
      text += fmt::format("  {:<{}}{:<19} {:<26}", shortened(trials[0].errors[f].field, kNameWidth - 2), kNameWidth - 2,
                          measure, with_spread(spread.mean, spread.std));
      if (trials.size() > 1) text += small_number(spread.best);
      text += "\n";
    }
  }
  return text;
}

std::string constraint_lines(const problem::Problem& problem, std::span<const train::TrialSummary> trials) {
  const std::vector<const problem::TermSpec*> terms = problem::constraint_terms(problem);
  if (terms.empty()) return "";
  const bool weighed = !is_solve(problem);
  std::string text = fmt::format("\n{:<{}} {:>14}", "constraint", kNameWidth, "violation") +
                     (weighed ? fmt::format(" {:>14} {:>14}\n", "multiplier", "penalty") : "\n");
  for (std::size_t i = 0; i < terms.size(); ++i) {
    const auto record = [&](const train::TrialSummary& trial) {
      constexpr double kUnknown = std::numeric_limits<double>::quiet_NaN();
      return i < trial.last.constraints.size() ? trial.last.constraints[i]
                                               : train::ConstraintRecord{kUnknown, kUnknown, kUnknown};
    };
    text += fmt::format(
        "  {:<{}} {:>14}", shortened(terms[i]->name, kNameWidth - 3), kNameWidth - 2,
        mean_of(trials, [&](const auto& trial) { return problem::violation_of(*terms[i], record(trial).value); }));
    if (weighed)
      text +=
          fmt::format(" {:>14} {:>14}", mean_of(trials, [&](const auto& trial) { return record(trial).multiplier; }),
                      mean_of(trials, [&](const auto& trial) { return record(trial).penalty; }));
    text += "\n";
  }
  return text + "  (violation: rms of the residual, in its units" +
         (trials.size() > 1 ? "; means over trials)\n" : ")\n");
}

/// How long all trials took, for how many steps of what.
std::string effort_line(const problem::Problem& problem, std::span<const train::TrialSummary> trials,
                        std::span<const train::TrialSummary> shown) {
  double seconds = 0, epochs = 0, evaluations = 0;
  for (const train::TrialSummary& trial : trials) {
    seconds += trial.seconds;
    epochs += static_cast<double>(trial.epochs);
    evaluations += static_cast<double>(trial.evaluations);
  }
  const char* const plural = epochs == 1 ? "" : "s";
  if (is_solve(problem)) return fmt::format("\n{} for {:.0f} step{}\n", duration_text(seconds), epochs, plural);
  return fmt::format(
      "\nloss {}, {} for {:.0f} epoch{}{}\n", mean_of(shown, [](const auto& trial) { return trial.last.loss; }),
      duration_text(seconds), epochs, plural,
      seconds > 0 && epochs > 0
          ? fmt::format(" ({} an epoch, {:.3g} evaluations)", duration_text(seconds / epochs), evaluations / epochs)
          : "");
}

/// Which terms make up L at the end, the largest first: what training would lower next.
std::string share_line(const problem::Problem& problem, std::span<const train::TrialSummary> trials) {
  std::vector<std::pair<double, std::string>> shares;
  for (std::size_t t = 0; t < problem.terms.size(); ++t) {
    double sum = 0;
    for (const train::TrialSummary& trial : trials)
      sum += t < trial.last.shares.size() ? trial.last.shares[t] : std::numeric_limits<double>::quiet_NaN();
    shares.emplace_back(sum / static_cast<double>(trials.size()), shortened(problem.terms[t].name, kNameWidth));
  }
  if (shares.size() < 2 || std::ranges::any_of(shares, [](const auto& share) { return !std::isfinite(share.first); }))
    return "";
  std::ranges::stable_sort(shares, std::ranges::greater{}, [](const auto& share) { return share.first; });
  std::string text;
  for (const auto& [share, name] : shares)
    text += fmt::format("{}{} {:.{}f} %", text.empty() ? "shares of the loss: " : ", ", name, 100 * share,
                        share >= 0.1 || share < 0.0005 ? 0 : 1);
  return wrapped(text, 2);
}

/// The weights that a strategy gave to the equations, where it weighs them.
std::string weight_lines(const problem::Problem& problem, std::span<const train::TrialSummary> trials) {
  if (trials[0].last.weights.empty()) return "";
  const long updates = trials[0].last.updates;
  const std::string counted = trials.size() == 1 && updates > 0 ? fmt::format(" (set anew {} times)", updates) : "";
  const std::string head = "weights of the equations" + counted + ": ";
  std::string text;
  std::size_t next = 0;
  for (const problem::TermSpec& term : problem.terms) {
    for (std::size_t e = 0; e < term.residuals.size(); ++e, ++next)
      text += fmt::format("{}{} {}", text.empty() ? head : ", ", shortened(problem::equation_name(term, e), kNameWidth),
                          mean_of(trials, [&](const train::TrialSummary& trial) {
                            return next < trial.last.weights.size() ? trial.last.weights[next]
                                                                    : std::numeric_limits<double>::quiet_NaN();
                          }));
  }
  return wrapped(text, 2);
}

std::string scalar_lines(const problem::Problem& problem, std::span<const train::TrialSummary> trials) {
  std::string text;
  for (std::size_t s = 0; s < trials[0].scalars.size(); ++s) {
    if (s == 0) text += fmt::format("\n{:<{}} {:>26}   {}\n", "inferred", kNameWidth, "value", "exact");
    std::vector<double> values;
    for (const train::TrialSummary& trial : trials)
      if (s < trial.scalars.size()) values.push_back(trial.scalars[s].value);
    const results::Spread spread = results::spread_of(values);
    const std::string value = std::isnan(spread.std) ? fmt::format("{:.6g}", spread.mean)
                                                     : fmt::format("{:.6g} ± {:.1g}", spread.mean, spread.std);
    const train::ScalarResult& first = trials[0].scalars[s];
    text += fmt::format("  {:<{}} {:>26}   {}\n", shortened(first.name, kNameWidth - 3), kNameWidth - 2,
                        value + unit_text(problem, first.name), first.exact ? fmt::format("{:.6g}", *first.exact) : "");
  }
  return text;
}

}  // namespace

std::string summary_text(const problem::Problem& problem, std::span<const train::TrialSummary> trials,
                         const std::string& folder, Colour colour) {
  if (trials.empty()) return "no trial has been run\n";
  std::string text =
      painted(shortened(problem.title.empty() ? problem.source : problem.title, kTextWidth - 4), "1", colour) + "\n";
  if (const std::string missing = missing_windows(problem, trials); !missing.empty())
    text += painted(missing, "31", colour) + "\n";
  for (const train::TrialSummary& trial : results::shown_trials(trials))
    if (const std::string other = train::other_constants_text(problem, trial); !other.empty())
      text +=
          painted(fmt::format("{}another problem is solved: {}",
                              trials.size() > 1 ? fmt::format("trial {}: ", trial.trial) : "", shortened(other, 100)),
                  "31", colour) +
          "\n";
  text += endings(problem, trials, colour);
  if (const std::string note = failed_text(trials); !note.empty()) text += wrapped(note, 2);
  const std::vector<train::TrialSummary> shown = results::shown_trials(trials);
  text += "\n" + problem_block(problem, shown);
  text += error_lines(problem, shown);
  text += constraint_lines(problem, shown);
  if (!is_solve(problem))
    if (const std::string lines = share_line(problem, shown) + weight_lines(problem, shown); !lines.empty())
      text += "\n" + lines;
  text += scalar_lines(problem, shown);
  text += effort_line(problem, trials, shown);
  text += time_block(trials);
  if (const auto rate = results::success_rate(problem, trials))
    text += fmt::format("{:.0f} % of the trials reached the target of [stop]\n", 100 * *rate);
  if (!folder.empty()) {
    const std::string path = shortened(folder, kLongestPath);
    text += fmt::format("\nfiles    {}/\nlook     {}\n", path,
                        shortened(train::RunFolder(folder).report_file(), kLongestPath));
    if (!is_solve(problem) || missing_windows(problem, trials) != "") text += "go on    pecann resume " + path + "\n";
    if (std::ranges::all_of(trials, results::untrained)) return text;
    text += fmt::format("use      pecann predict {} --fields {} -o FILE.csv|.npy|.vti\n", path,
                        problem.networks.empty() ? "u" : problem.networks[0].fields[0]);
  }
  return text;
}

}  // namespace pecann::verdict
