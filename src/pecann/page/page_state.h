// What a run was trained with, for the page: its points, point-wise multipliers, measured data and Fourier features.
#pragma once

#include <nlohmann/json.hpp>

#include "pecann/verdict/run_report.h"

namespace pecann::page {

/// The object
///     {"points": […], "multipliers": […], "measured": […], "fourier": […]}
/// of the best trial's last window; the Fourier features are those of all trials. The lists are empty where the points
/// cannot be made again.
nlohmann::ordered_json page_state(const verdict::RunReport& report);

/// Which of many points are shown, at most `most`: spread evenly by multiples of the golden ratio, so that grids and
/// Sobol points keep their look.
std::vector<std::size_t> shown_points(std::size_t count, std::size_t most);

}  // namespace pecann::page
