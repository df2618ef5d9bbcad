// What was asked, for the page: coordinates, constants, networks and training in short texts; and how far a training
// is.
#pragma once

#include <nlohmann/json.hpp>

#include "pecann/verdict/run_report.h"

namespace pecann::page {

/// The object
///     {"coordinates": [{"name", "low", "high", "time"}…], "constants": {…}, "parameters": […], "exact": {…},
///      "networks": [{"name", "fields", "text"}…], "training": "adam 1000, then lm 50", "recommendation", "windows"}.
nlohmann::ordered_json page_problem(const problem::Problem& problem);

/// How far a run without a summary is:
///     {"share", "seconds", "left", "trial", "trials", "window", "windows", "phase", "epoch", "epochs", "error",
///      "residual"}
/// `left` are the seconds that the rest takes at most if it goes on as before; null: not known. `error` is
/// the largest relative l² error that was measured last, `residual` the largest on fresh points relative to the size of
/// the equation's parts; null where there is none.
nlohmann::ordered_json page_progress(const verdict::RunReport& report);

}  // namespace pecann::page
