// What was asked, for the page: coordinates, constants, networks and training in short texts; and how far a training
// is.
#pragma once

#include <string>

#include <nlohmann/json.hpp>

#include "pecann/verdict/run_report.h"

namespace pecann::page {

/// The object
///     {"coordinates": [{"name", "low", "high", "time"}…], "constants": {…}, "parameters": […], "exact": {…},
///      "networks": [{"name", "fields", "text"}…], "training": "adam 1000, then lm 50", "recommendation", "windows"}.
nlohmann::ordered_json page_problem(const problem::Problem& problem);

/// The phases of a problem in the order of training, "adam 1000, then lm 50".
std::string training_text(const problem::Problem& problem);

/// How far a run without a summary is:
///     {"share", "seconds", "left", "trial", "trials", "window", "windows", "phase", "epoch", "epochs"}
/// `left` are the seconds that the rest takes at most if it goes on as before; null: not known.
nlohmann::ordered_json page_progress(const verdict::RunReport& report);

}  // namespace pecann::page
