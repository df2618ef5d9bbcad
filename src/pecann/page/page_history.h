// The histories of a run for the page: every column of every trial, thinned; bands over the trials;
// marks where phases begin.
#pragma once

#include <nlohmann/json.hpp>

#include "pecann/verdict/run_report.h"

namespace pecann::page {

/// The object
///     {"columns": [{"name", "trials": [{"trial", "x", "y"}…], "band": {"x", "mean", "low", "high"}}…],
///      "marks": [{"x", "label"}…]}
/// with at most about `limit` samples per series.
nlohmann::ordered_json page_history(const verdict::RunReport& report, std::size_t limit);

/// A number with five significant digits: enough for a picture, half the bytes.
double five_digits(double value);
nlohmann::ordered_json five_digits(std::span<const double> values);

}  // namespace pecann::page
