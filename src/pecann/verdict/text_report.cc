#include "pecann/verdict/text_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "pecann/base/input_error.h"
#include "pecann/results/over_trials.h"
#include "pecann/results/statistics.h"
#include "pecann/verdict/number_text.h"
#include "pecann/verdict/run_report.h"
#include "pecann/verdict/wrapped_text.h"

namespace pecann::verdict {
namespace {

const char* mark_of(Level level) {
  switch (level) {
    case Level::Good:
      return "ok";
    case Level::Note:
      return "note";
    case Level::Warning:
      return "warn";
    case Level::Bad:
      return "BAD";
  }
  return "";
}

const char* colour_of(Level level) {
  return level == Level::Good ? "32" : level == Level::Note ? "36" : level == Level::Warning ? "33" : "31";
}

const char* colour_of(Grade grade) {
  return grade == Grade::Good ? "32" : grade == Grade::Usable ? "36" : grade == Grade::Doubtful ? "33" : "31";
}

std::string residual_table(const RunReport& report) {
  if (report.residuals.empty()) return report.residual_note.empty() ? "" : "\n" + wrapped(report.residual_note, 2);
  std::string text = fmt::format("\n{:<24}{:>9}{:>12}{:>12}{:>12}{:>9}\n", "residual, in its own units", "points",
                                 "rms", "largest", "fresh rms", "ratio");
  for (const results::TermResidual& term : report.residuals)
    text += fmt::format("  {:<24}{:>9}{:>12.2e}{:>12.2e}{:>12}{:>9}\n", shortened(term.name, 23), term.points, term.rms,
                        term.largest, term.held_out_rms ? fmt::format("{:.2e}", *term.held_out_rms) : "",
                        term.ratio() ? short_number(*term.ratio()) : "");
  return text;
}

/// One line per run and field.
std::string comparison(std::span<const RunReport> reports) {
  const auto measure_of_run = [](const RunReport& report) { return report.run.problem.evaluate.measures.front(); };
  const bool relative = std::all_of(reports.begin(), reports.end(),
                                    [&](const RunReport& report) { return measure_of_run(report) == "relative_l2"; });
  std::string text = fmt::format("{:<28}{:<14}{:<22}{:>10}{:>6}\n", "run", "field", relative ? "relative l2" : "error",
                                 "seconds", "runs");
  for (const RunReport& report : reports) {
    const std::vector<train::TrialSummary> trials = results::shown_trials(report.trials);
    const std::size_t failed = results::failed_trials(report.trials).size();
    double seconds = 0;
    for (const train::TrialSummary& trial : trials) seconds += trial.seconds;
    seconds /= static_cast<double>(std::max<std::size_t>(1, trials.size()));
    const std::size_t lines = std::max<std::size_t>(1, trials.empty() ? 0 : trials[0].errors.size());
    for (std::size_t f = 0; f < lines; ++f) {
      std::vector<double> values;
      for (const train::TrialSummary& trial : trials)
        if (f < trial.errors.size()) values.push_back(train::measure_of(trial.errors[f], measure_of_run(report)));
      const results::Spread spread = results::spread_of(values);
      std::string folder = std::filesystem::path(report.run.folder.path()).lexically_normal().string();
      if (folder.size() > 27) folder = "…" + folder.substr(folder.size() - 25);
      folder = shortened(folder);
      text += fmt::format(
          "{:<28}{:<14}{:<22}{:>10}{:>6}\n", f == 0 ? folder : "",
          values.empty() ? ""
                         : shortened(trials[0].errors[f].field + (relative ? "" : " " + measure_of_run(report)), 12),
          values.empty() ? "not known" : with_spread(spread.mean, spread.std), f == 0 ? short_number(seconds) : "",
          f > 0         ? ""
          : failed == 0 ? std::to_string(report.trials.size())
                        : fmt::format("{}/{}", report.trials.size() - failed, report.trials.size()));
    }
  }
  return text;
}

}  // namespace

std::string verdict_text(const Verdict& verdict, Colour colour) {
  std::string text = painted(verdict.headline, colour_of(verdict.grade), colour) + "\n";
  for (const Finding& finding : verdict.findings) {
    std::string lines = wrapped(fmt::format("  {:<5}{}", mark_of(finding.level), finding.text), 7);
    if (colour == Colour::Ansi)
      lines.replace(2, 4, painted(fmt::format("{:<4}", mark_of(finding.level)), colour_of(finding.level), colour));
    text += lines;
  }
  for (const std::string& advice : verdict.advice) text += wrapped("  try  " + advice, 7);
  return text;
}

std::string text_report(std::span<const std::string> folders, Colour colour) {
  std::vector<RunReport> reports;
  for (const std::string& folder : folders) reports.push_back(gather_report(folder));
  std::string text;
  for (const RunReport& report : reports) {
    if (!text.empty()) text += std::string(80, '-') + "\n";
    const std::string summary = summary_text(report.run.problem, report.trials, "", colour);
    text += shortened(report.run.folder.path(), kLongestPath) + "\n" + verdict_text(report.verdict, colour) + "\n" +
            summary + residual_table(report);
  }
  if (reports.size() > 1) text += std::string(80, '-') + "\n" + comparison(reports);
  return text;
}

}  // namespace pecann::verdict
