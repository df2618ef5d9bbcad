// The end of a run for people at a terminal of 80 columns.
#pragma once

#include <span>
#include <string>

#include "pecann/problem/problem.h"
#include "pecann/train/trial.h"

namespace pecann::verdict {

enum class Colour { Never, Ansi };

/// Says why the trials stopped, what was solved and how, then errors (mean ± std over several trials), violations in
/// the units of their residuals, multipliers, penalties, inferred scalars, time by
/// part, and what to do next with `folder`.
std::string summary_text(const problem::Problem& problem, std::span<const train::TrialSummary> trials,
                         const std::string& folder, Colour colour = Colour::Never);

}  // namespace pecann::verdict
