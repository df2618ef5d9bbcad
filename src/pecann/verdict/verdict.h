// Can the answer be trusted? The verdict says in sentences what a careful colleague would say after looking at the same
// numbers, and what to try next. The thresholds are customs, not theorems; docs/report.md lists them.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "pecann/problem/problem.h"
#include "pecann/results/history_table.h"
#include "pecann/results/trained_state.h"
#include "pecann/train/trial.h"

namespace pecann::verdict {

enum class Level { Good, Note, Warning, Bad };
const char* name_of(Level level);  // "good", "note", "warning", "bad"

struct Finding {
  Level level;
  std::string text;
};

struct Verdict {
  Level level = Level::Good;  // the worst of the findings
  std::string headline;
  std::vector<Finding> findings;
  std::vector<std::string> advice;  // what to try, most promising first
};

/// Residuals (of the best trial) and histories (one per trial) may be empty: what they would tell is left out.
Verdict verdict_of(const problem::Problem& problem, std::span<const train::TrialSummary> trials,
                   std::span<const results::TermResidual> residuals, std::span<const results::HistoryTable> histories);

}  // namespace pecann::verdict
