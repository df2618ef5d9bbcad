// Words about a run that trains nothing: its features were solved for.
#pragma once

#include <span>
#include <string>

#include "pecann/problem/problem.h"
#include "pecann/train/trial.h"

namespace pecann::verdict {

/// True where every phase is a solve for the coefficients of features: such a run has no multipliers and no history
/// of a training.
bool is_solve(const problem::Problem& problem);

/// True for a trial of such a run that has done all its steps, in all windows of time, be its time up since then.
bool solved_whole(const problem::Problem& problem, const train::TrialSummary& trial);

/// "solved in one step for each of 4 windows of time by 100 sin features of u in each of 8 × 8 parts"; the steps of
/// the first trial, none where there is no trial yet.
std::string solve_text(const problem::Problem& problem, std::span<const train::TrialSummary> trials);

}  // namespace pecann::verdict
