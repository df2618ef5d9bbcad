// The solution of a run for the page: maps and curves of its fields, profiles over all trials, snapshots.
#pragma once

#include <nlohmann/json.hpp>

#include "pecann/verdict/run_report.h"

namespace pecann::page {

/// The object
///     {"fields": […], "profiles": […], "snapshots": […]}.
/// Arrays of numbers are base64 of little-endian float32. `budget` bounds how many numbers the fields have.
nlohmann::ordered_json page_fields(const verdict::RunReport& report, std::size_t budget);

}  // namespace pecann::page
