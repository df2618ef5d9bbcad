// Can the answer be trusted? The verdict says in sentences what a careful colleague would say after looking at the same
// numbers, and what to try next. The thresholds are customs, not theorems; docs/report.md lists them.
//
// How large the error is decides, from the best source there is: the known error, a trusted estimate of it, or, without
// both, residuals on fresh points relative to the size of the equations' parts. Those are no errors: the best that they
// can give is "usable".
#pragma once

#include <span>
#include <string>
#include <vector>

#include "pecann/problem/problem.h"
#include "pecann/results/estimate.h"
#include "pecann/results/history_table.h"
#include "pecann/results/summary_json.h"
#include "pecann/results/trained_state.h"
#include "pecann/train/trial.h"

namespace pecann::verdict {

enum class Level { Good, Note, Warning, Bad };
const char* name_of(Level level);  // "good", "note", "warning", "bad"

/// What may be done with the answer: use it; use it where some per cent do no harm; look closer first; do not.
enum class Grade { Good, Usable, Doubtful, Bad };
const char* name_of(Grade grade);  // "good", "usable", "doubtful", "bad"

struct Finding {
  Level level;
  std::string text;
};

struct Verdict {
  Grade grade = Grade::Good;
  std::string headline;
  std::vector<Finding> findings;    // the most severe first
  std::vector<std::string> advice;  // what to try, most promising first
};

/// What is known of a run. Residuals (of the best trial) and histories (one per trial) may be empty: what they would
/// tell is left out. `estimate` and `search` may be null. `folder` is the one that commands are to name.
struct Evidence {
  std::span<const train::TrialSummary> trials;
  std::span<const results::TermResidual> residuals;
  std::span<const results::HistoryTable> histories;
  const results::RunEstimate* estimate = nullptr;
  const results::AccuracyAnswer* search = nullptr;  // where an accuracy was asked for
  std::string folder = "DIR";
};

Verdict verdict_of(const problem::Problem& problem, const Evidence& evidence);

}  // namespace pecann::verdict
