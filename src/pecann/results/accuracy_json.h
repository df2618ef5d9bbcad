// The search for an accuracy in summary.json: the key `accuracy`.
#pragma once

#include <nlohmann/json.hpp>
#include <optional>

#include "pecann/results/summary_json.h"

namespace pecann::results {

nlohmann::ordered_json accuracy_json(const AccuracyAnswer& answer);
/// The answer of a summary; nothing where no accuracy was asked for.
std::optional<AccuracyAnswer> get_accuracy(const nlohmann::ordered_json& summary);

}  // namespace pecann::results
