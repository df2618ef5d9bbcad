#include "pecann/results/estimate_json.h"

#include <cmath>
#include <limits>
#include <utility>

#include "pecann/results/json_numbers.h"

namespace pecann::results {
namespace {

double number_of(const nlohmann::ordered_json& object, const char* name) {
  const auto found = object.find(name);
  return found == object.end() || found->is_null() ? std::numeric_limits<double>::quiet_NaN() : found->get<double>();
}

}  // namespace

void put_estimate(const problem::Problem& problem, const RunEstimate& estimate, nlohmann::ordered_json& summary) {
  using Json = nlohmann::ordered_json;
  Json& fields = summary["estimate"] = Json::object();
  for (const FieldEstimate& field : estimate.fields)
    fields[field.field] = {{"relative_l2", field.relative_l2},
                           {"trusted", field.trusted},
                           {"low", field.low},
                           {"high", field.high},
                           {"good", field.good},
                           {"decided", field.decided}};
  Json& scalars = summary["scalars"] = Json::object();
  for (const ScalarEstimate& scalar : estimate.scalars) {
    scalars[scalar.name] = {{"value", scalar.value}, {"standard_error", scalar.standard_error}};
    for (const problem::ParameterSpec& parameter : problem.parameters)
      if (parameter.name == scalar.name && parameter.exact) scalars[scalar.name]["exact"] = *parameter.exact;
  }
  summary["estimate_made"] = {{"trial", estimate.trial}, {"seconds", estimate.seconds}, {"decided", estimate.decided}};
}

std::optional<RunEstimate> get_estimate(const nlohmann::ordered_json& summary) {
  if (!summary.contains("estimate_made")) return std::nullopt;
  const nlohmann::ordered_json& made = summary["estimate_made"];
  RunEstimate estimate;
  estimate.trial = whole<int>(made.at("trial"));
  estimate.seconds = number_of(made, "seconds");
  estimate.decided = made.at("decided");
  for (const auto& [name, json] : summary.at("estimate").items()) {
    FieldEstimate field{name,
                        number_of(json, "relative_l2"),
                        number_of(json, "low"),
                        number_of(json, "high"),
                        json.at("trusted"),
                        json.at("good"),
                        json.at("decided")};
    const bool known = std::isfinite(field.relative_l2) && std::isfinite(field.low) && std::isfinite(field.high);
    field.trusted = field.trusted && known;
    field.good = field.good && field.trusted;
    estimate.fields.push_back(std::move(field));
  }
  for (const auto& [name, scalar] : summary.at("scalars").items())
    estimate.scalars.push_back({name, number_of(scalar, "value"), number_of(scalar, "standard_error")});
  return estimate;
}

}  // namespace pecann::results
