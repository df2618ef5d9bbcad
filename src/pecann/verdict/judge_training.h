// What the training itself tells beside the size of the error: how it ended, what fresh points say, which constraints,
// multipliers and penalties moved and which did not.
#pragma once

#include <span>
#include <string>

#include "pecann/verdict/verdict_builder.h"

namespace pecann::verdict {

/// A run that ended before its last window: the times behind were never trained. Returns true for such a run.
bool judge_windows(const problem::Problem& problem, const Evidence& evidence, VerdictBuilder& builder);

/// A run that ended in a phase with other constants than the problem's own: its answer is that of another problem.
/// Returns these constants in words, "" for any other run.
std::string judge_constants(const problem::Problem& problem, const Evidence& evidence, VerdictBuilder& builder);

void judge_endings(const problem::Problem& problem, std::span<const train::TrialSummary> trials,
                   VerdictBuilder& builder);

/// Tells what fresh points say; `judged` where the residuals themselves decided the grade.
void tell_residuals(const problem::Problem& problem, std::span<const results::TermResidual> residuals, bool judged,
                    VerdictBuilder& builder);

/// Tells of the iterates, the constraints, the penalties and the multipliers of the trials that are shown.
void tell_training(const problem::Problem& problem, const Evidence& evidence,
                   std::span<const train::TrialSummary> shown, VerdictBuilder& builder);

}  // namespace pecann::verdict
