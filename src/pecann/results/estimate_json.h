// The error estimate in summary.json: `estimate.FIELD`, `scalars.NAME` and how it was made.
#pragma once

#include <nlohmann/json.hpp>
#include <optional>

#include "pecann/problem/problem.h"
#include "pecann/results/estimate.h"

namespace pecann::results {

/// Adds the keys estimate, scalars and estimate_made.
void put_estimate(const problem::Problem& problem, const RunEstimate& estimate, nlohmann::ordered_json& summary);
/// The estimate of a summary; nothing where it has none.
std::optional<RunEstimate> get_estimate(const nlohmann::ordered_json& summary);

}  // namespace pecann::results
