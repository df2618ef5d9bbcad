// The check of a trained window (windows.check) evaluates its equations on points that training has not seen.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "pecann/train/record.h"
#include "pecann/train/solution.h"

namespace pecann::train {

/// The mean of each named term's distance (r² or |r|) over fresh points of the whole window. Random rules draw as many
/// points as in training, also those near a density; a grid is replaced by windows.check_points Sobol points (on every
/// face of a boundary); points from files stay.
std::vector<CheckValue> check_window(const problem::Problem& problem, std::uint64_t seed, const Window& window,
                                     const Solution& finished, std::span<const double> parameters);

/// What the last sentence of a trial adds about windows, "; second tries: windows 3, 7" and "; failed twice: window 7";
/// empty when every window passed at once.
std::string second_tries(std::span<const WindowReport> reports);

}  // namespace pecann::train
