// summary.json of a run folder: what came out, for programs. docs/report.md describes every key. Numbers that
// are not finite are null.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "pecann/problem/problem.h"
#include "pecann/results/run_facts.h"
#include "pecann/results/trained_state.h"
#include "pecann/train/trial.h"

namespace pecann::results {

/// What the verdict says of a run (verdict/verdict.h), for programs that read the summary.
struct Conclusion {
  std::string verdict;               // "good", "usable", "doubtful", "bad"
  std::vector<std::string> reasons;  // what decided first
  std::vector<std::string> advice;
  int best_trial = 1;                   // whose residuals these are
  std::vector<TermResidual> residuals;  // may be empty
};

struct RunSummary {
  std::vector<train::TrialSummary> trials;
  RunFacts facts;
};

/// The text of summary.json. The constraints of each trial are in the order of the problem's constraint terms.
std::string summary_json(const problem::Problem& problem, std::span<const train::TrialSummary> trials,
                         const RunFacts& facts, const Conclusion* conclusion = nullptr);

/// Writes folder/summary.json. Throws InputError when it cannot be written.
void write_summary(const train::RunFolder& folder, const problem::Problem& problem,
                   std::span<const train::TrialSummary> trials, const RunFacts& facts,
                   const Conclusion* conclusion = nullptr);

/// The inverse of summary_json; null numbers become NaN. `name` stands for the file in messages (InputError).
RunSummary parse_summary(const std::string& text, const problem::Problem& problem, const std::string& name);

/// Reads folder/summary.json; nothing where it does not exist (a run that is still going, or was killed).
std::optional<RunSummary> read_summary(const train::RunFolder& folder, const problem::Problem& problem);

/// The share of the trials that reached what [stop] asks for (loss, violation or error); nothing where it
/// asks for none of them.
std::optional<double> success_rate(const problem::Problem& problem, std::span<const train::TrialSummary> trials);

}  // namespace pecann::results
