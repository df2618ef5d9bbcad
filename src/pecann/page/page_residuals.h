// Where the equations fail, for the page: the residual of every term at points that training has not seen.
#pragma once

#include <nlohmann/json.hpp>

#include "pecann/verdict/run_report.h"

namespace pecann::page {

/// The object
///     {"residual_points": [{"term", "columns": [one list per coordinate], "values": [|r|…]}…]}
/// of the best trial, over all of its windows, with |r| = √(Σ r²) over the equations of a term. Terms whose points
/// cannot be drawn anew have those of training. The list is empty where the points cannot be made again.
nlohmann::ordered_json page_residuals(const verdict::RunReport& report);

}  // namespace pecann::page
