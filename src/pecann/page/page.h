// The HTML report: one file that needs no other and no network.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "pecann/page/page_data.h"
#include "pecann/verdict/run_report.h"

namespace pecann::page {

/// The page of one run, or of several side by side. Throws InputError for folders without a run.
std::string html_report(std::span<const std::string> folders);

/// Writes html_report to `path` and returns what it says of the runs, in their order.
std::vector<verdict::RunReport> write_report(std::span<const std::string> folders, const std::string& path);

/// The page around data that page_data made. Texts of the problem reach it only inside the JSON, where `<` is written
/// as \u003c: nothing in them can end the script element or become markup.
std::string page_with(std::string_view json);

}  // namespace pecann::page
