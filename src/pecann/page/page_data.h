// The data behind the HTML page as JSON: thinned histories, and fields on grids that a browser can hold. docs/report.md
// describes the keys; page/assets/*.js reads them.
#pragma once

#include <nlohmann/json.hpp>
#include <span>
#include <string>
#include <vector>

#include "pecann/verdict/run_report.h"

namespace pecann::page {

enum class Mode { Final, Live };

struct PageBudget {
  std::size_t history_numbers = 300'000;  // for all runs, trials and columns together
  std::size_t field_numbers = 180'000;    // of maps; a page of a small run has less than 3 MB with its plots' script
};

/// The data of the page: valid JSON, whatever the texts of a problem hold.
std::string page_data(std::span<const verdict::RunReport> reports, Mode mode, const PageBudget& budget = {});

/// {"trial", "fields", "scalars", "decided", "seconds"}.
nlohmann::ordered_json estimate_json(const results::RunEstimate& estimate);

/// The part of a run's data that evaluates networks: fields, profiles, points, measured data.
nlohmann::ordered_json solution_data(const verdict::RunReport& report, std::size_t field_numbers);

/// The same with the solution_data of each run, which was made before: a live page makes it less often than the rest.
/// The members of `more` stand before the runs.
std::string page_data(std::span<const verdict::RunReport> reports, std::span<const nlohmann::ordered_json> solutions,
                      Mode mode, std::size_t history_numbers,
                      const nlohmann::ordered_json& more = nlohmann::ordered_json::object());

}  // namespace pecann::page
