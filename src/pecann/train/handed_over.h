// What passes from one time window to the next, by name and by time.
#pragma once

#include <cstddef>
#include <string>

#include "pecann/problem/problem.h"

namespace pecann::train {

/// The column with what the window before hands over to an equation of an initial condition.
std::string handed_over_name(const problem::TermSpec& term, std::size_t equation);

/// The window, counted from 0, that a time belongs to: the earlier one where two meet, the last of those trained beyond
/// it.
int window_of_time(const problem::Problem& problem, double time, int trained);

}  // namespace pecann::train
