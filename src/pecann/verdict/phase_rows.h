// Which phase each row of a history belongs to. The file does not say; it is read off the learning rates, as
// the last row of every phase is in the history.
#pragma once

#include <vector>

#include "pecann/problem/problem.h"
#include "pecann/results/history_table.h"

namespace pecann::verdict {

/// One index into problem.phases for each row. A phase begins where the learning rate jumps to its own, one of
/// Levenberg–Marquardt (whose column holds the damping) where a constant rate ends; where neither shows, after
/// as many epochs as the phase before was given. Every window begins with the first phase.
std::vector<int> phases_of_rows(const problem::Problem& problem, const results::HistoryTable& history);

/// The rows where a window begins, with the number of rows at the end; {0, rows} without windows.
std::vector<std::size_t> window_starts(const results::HistoryTable& history);

}  // namespace pecann::verdict
