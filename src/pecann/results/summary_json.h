// summary.json of a run folder: what came out, for programs. docs/report.md describes every key. Numbers that
// are not finite are null.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "pecann/problem/problem.h"
#include "pecann/results/estimate.h"
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

/// How a search for an accuracy went (accuracy/search.h).
struct AccuracyAnswer {
  struct Attempt {
    std::string what, why;
    double error = 0;  // estimated; NaN where there is no estimate
    bool trusted = false;
    double seconds = 0;
  };
  double asked = 0;
  bool reached = false;
  std::string ending;      // one sentence
  double seconds = 0;      // that it was given
  std::string stopped_by;  // "time", "signal", or empty where it came to an end by itself
  int best = 0;            // the attempt that is the answer, from 1; 0: none
  std::vector<Attempt> attempts;
};

/// What was found out of a run beside its training.
struct Assessment {
  std::optional<RunEstimate> estimate = {};
  std::optional<Conclusion> conclusion = {};
  std::optional<AccuracyAnswer> accuracy = {};
};

struct RunSummary {
  std::vector<train::TrialSummary> trials;
  RunFacts facts;
  std::optional<RunEstimate> estimate = {};  // of the best trial; nothing where none was made
  std::optional<AccuracyAnswer> accuracy = {};
};

/// The text of summary.json. The constraints of each trial are in the order of the problem's constraint terms.
std::string summary_json(const problem::Problem& problem, std::span<const train::TrialSummary> trials,
                         const RunFacts& facts, const Assessment& assessment = {});

/// Writes folder/summary.json, and the maps of the estimated error where there are some. Throws InputError when it
/// cannot be written.
void write_summary(const train::RunFolder& folder, const problem::Problem& problem,
                   std::span<const train::TrialSummary> trials, const RunFacts& facts,
                   const Assessment& assessment = {});

/// The inverse of summary_json; null numbers become NaN. `name` stands for the file in messages (InputError).
RunSummary parse_summary(const std::string& text, const problem::Problem& problem, const std::string& name);

/// Reads folder/summary.json and the maps of its estimate; nothing where it does not exist (a run that is still
/// going, or was killed).
std::optional<RunSummary> read_summary(const train::RunFolder& folder, const problem::Problem& problem);

/// The same for who goes on with the run and writes the file anew: nothing where it is no summary, too.
std::optional<RunSummary> read_sound_summary(const train::RunFolder& folder, const problem::Problem& problem);

/// The share of the trials that reached what [stop] asks for (loss, violation or error); nothing where it
/// asks for none of them.
std::optional<double> success_rate(const problem::Problem& problem, std::span<const train::TrialSummary> trials);

}  // namespace pecann::results
