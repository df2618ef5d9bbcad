// What was solved and how, for people: the problem's size, its networks, its training, and where the time went.
#pragma once

#include <span>
#include <string>

#include "pecann/problem/problem.h"
#include "pecann/train/trial.h"

namespace pecann::verdict {

/// " K": what stands behind a number of this name; "" where the problem gives no unit.
std::string unit_text(const problem::Problem& problem, const std::string& name);

/// "hidden 20 × 20, tanh of x, t"
std::string network_text(const problem::NetworkSpec& network);

/// "adam 1000, then lbfgs 200"; without a number where time ends the phase. What a solve does instead.
std::string training_text(const problem::Problem& problem);

/// Lines of at most 80 columns: problem, networks, method, windows.
std::string problem_block(const problem::Problem& problem, std::span<const train::TrialSummary> trials);

/// Lines of at most 80 columns: seconds and share of every part of the training, all trials together; "" where they
/// are not known.
std::string time_block(std::span<const train::TrialSummary> trials);

}  // namespace pecann::verdict
