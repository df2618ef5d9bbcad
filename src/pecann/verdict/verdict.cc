#include "pecann/verdict/verdict.h"

#include <fmt/format.h>

#include <algorithm>

#include "pecann/results/over_trials.h"
#include "pecann/results/summary_json.h"
#include "pecann/train/missing_conditions.h"
#include "pecann/verdict/failed_trials.h"
#include "pecann/verdict/judge_error.h"
#include "pecann/verdict/judge_training.h"
#include "pecann/verdict/remedy.h"

namespace pecann::verdict {
namespace {

constexpr std::size_t kMostAdvice = 3;

std::string headline_of(Grade grade, ErrorSource source, bool incomplete, const std::string& other_constants) {
  if (incomplete) return "The answer is incomplete: do not use it.";
  if (!other_constants.empty()) return fmt::format("The answer is of {}: do not use it.", other_constants);
  switch (grade) {
    case Grade::Good:
      return "The answer is good.";
    case Grade::Usable:
      return source == ErrorSource::Residuals ? "The answer is usable as far as residuals tell; its error is not known."
                                              : "The answer is usable; read the notes.";
    case Grade::Doubtful:
      return "The answer is doubtful: look closer before using it.";
    case Grade::Bad:
      return "The answer is bad: do not use it.";
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
  VerdictBuilder builder;
  const std::vector<train::TrialSummary> shown = results::shown_trials(trials);
  const bool incomplete = judge_windows(problem, evidence, builder);
  const std::string other_constants = judge_constants(problem, evidence, builder);
  ErrorSource source = ErrorSource::Residuals;
  if (!incomplete) {
    source = judge_error(problem, evidence, shown, builder);
    for (const train::MissingCondition& missing : train::missing_conditions(problem))
      if (source != ErrorSource::Known) builder.find(Level::Warning, missing.text());
  }
  judge_endings(problem, trials, builder);
  if (std::string note = failed_text(trials); !note.empty()) builder.find(Level::Note, std::move(note));
  if (const auto rate = results::success_rate(problem, trials); rate && *rate < 1)
    builder.find(Level::Note, fmt::format("{:.0f} % of the trials reached the target of [stop].", 100 * *rate));
  tell_residuals(problem, evidence.residuals, source == ErrorSource::Residuals && !incomplete, builder);
  tell_training(problem, evidence, shown, builder);
  const Grade grade = builder.verdict.grade;
  if (grade == Grade::Good) {
    builder.verdict.advice.clear();  // nothing has to be changed
  } else if (!incomplete && other_constants.empty() && !std::ranges::all_of(trials, results::failed)) {
    const std::string remedy = remedy_for(problem, evidence, worst_residual(evidence.residuals));
    builder.verdict.advice.insert(builder.verdict.advice.begin(), remedy);
    if (builder.verdict.advice.size() > kMostAdvice) builder.verdict.advice.resize(kMostAdvice);
  }
  std::stable_sort(builder.verdict.findings.begin(), builder.verdict.findings.end(),
                   [](const Finding& a, const Finding& b) { return a.level > b.level; });
  builder.verdict.headline = headline_of(grade, source, incomplete, other_constants);
  return std::move(builder.verdict);
}

}  // namespace pecann::verdict
