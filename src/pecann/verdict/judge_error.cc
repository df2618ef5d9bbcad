#include "pecann/verdict/judge_error.h"

#include <fmt/format.h>

#include <cmath>
#include <vector>

#include "pecann/base/input_error.h"
#include "pecann/base/not_finite.h"
#include "pecann/results/statistics.h"
#include "pecann/verdict/number_text.h"
#include "pecann/verdict/remedy.h"

namespace pecann::verdict {
namespace {

constexpr double kGoodError = 1e-2, kPoorError = 1e-1, kUselessError = 0.5;
constexpr double kLargeResidual = 1e-1;  // of an equation, relative to its parts: doubtful up to here, then bad
constexpr double kDataMisfit = 0.5;      // of measured values, relative to their size: not fitted
constexpr double kLargeSpread = 10;      // worst error over best error of the trials

/// Errors in other measures than the relative one have no scale of their own: they are told, not judged.
void tell_errors(const problem::Problem& problem, std::span<const train::TrialSummary> trials, std::size_t field,
                 VerdictBuilder& builder) {
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

Level level_of_error(double error) {
  return error <= kGoodError      ? Level::Good
         : error <= kPoorError    ? Level::Note
         : error <= kUselessError ? Level::Warning
                                  : Level::Bad;
}

/// Judges errors against a known solution, where they are relative.
void judge_known(std::span<const train::TrialSummary> trials, VerdictBuilder& builder) {
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
bool judge_estimate(const results::RunEstimate* estimate, VerdictBuilder& builder) {
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

/// Judges by residuals on fresh points, which are no errors: the best that they can say is "usable".
void judge_by_residuals(const problem::Problem& problem, const Evidence& evidence, VerdictBuilder& builder) {
  builder.cap(Grade::Usable);
  builder.find(Level::Note,
               "The error is not known: there is neither an exact solution nor a trusted estimate. What follows is "
               "judged by residuals on fresh points, relative to the size of the parts of each equation.");
  if (problem.windows.count > 1)
    builder.find(Level::Note,
                 fmt::format("What a time window leaves is handed over to the next and may grow there: small "
                             "residuals in {} windows do not bound the error at late times.",
                             problem.windows.count));
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

}  // namespace

std::string at_place(const problem::Problem& problem, const results::TermResidual& term) {
  return term.place.empty() ? "" : ", the largest at " + place_text(problem, term.place);
}

const results::TermResidual* worst_residual(std::span<const results::TermResidual> residuals) {
  const results::TermResidual* worst = nullptr;
  for (const results::TermResidual& term : residuals)
    if (term.kind != train::TermKind::Data && std::isfinite(term.relative) &&
        (worst == nullptr || term.relative > worst->relative))
      worst = &term;
  return worst;
}

ErrorSource judge_error(const problem::Problem& problem, const Evidence& evidence,
                        std::span<const train::TrialSummary> shown, VerdictBuilder& builder) {
  const std::vector<std::string>& measures = problem.evaluate.measures;
  const bool relative = std::ranges::find(measures, "relative_l2") != measures.end();
  if (!shown[0].errors.empty() && relative) {
    judge_known(shown, builder);
    return ErrorSource::Known;
  }
  for (std::size_t f = 0; f < shown[0].errors.size(); ++f) tell_errors(problem, shown, f, builder);
  if (judge_estimate(evidence.estimate, builder)) return ErrorSource::Estimate;
  judge_by_residuals(problem, evidence, builder);
  return ErrorSource::Residuals;
}

}  // namespace pecann::verdict
