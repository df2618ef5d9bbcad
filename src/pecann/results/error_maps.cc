#include "pecann/results/error_maps.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>
#include <stdexcept>

#include <fmt/format.h>

#include "pecann/base/input_error.h"

namespace pecann::results {
namespace {

using Json = nlohmann::ordered_json;

constexpr int kMapFormat = 1;

/// Six digits are enough for a picture.
Json six_digits(double value) {
  if (!std::isfinite(value)) return nullptr;
  const std::string text = fmt::format("{:.5e}", value);
  double rounded = 0;
  std::from_chars(text.data(), text.data() + text.size(), rounded);
  return rounded;
}

Json six_digits(const auto& values) {
  Json list = Json::array();
  for (const double value : values) list.push_back(six_digits(value));
  return list;
}

const FieldEstimate* estimate_of(const RunEstimate& estimate, const std::string& field) {
  const auto found = std::ranges::find(estimate.fields, field, &FieldEstimate::field);
  return found == estimate.fields.end() ? nullptr : &*found;
}

ErrorMap map_from(const Json& json) {
  ErrorMap map{.field = json.at("field"),
               .coordinates = json.at("coordinates"),
               .axes = json.at("axes"),
               .slider = json.at("slider"),
               .frames = json.at("frames"),
               .fixed = json.at("fixed"),
               .values = {}};
  for (const Json& value : json.at("values"))
    map.values.push_back(value.is_null() ? std::numeric_limits<float>::quiet_NaN() : value.get<float>());
  double count = map.slider.empty() ? 1 : static_cast<double>(map.frames.size());  // integers could begin anew at 2^64
  for (const std::vector<double>& axis : map.axes) count *= static_cast<double>(axis.size());
  if (map.coordinates.empty() || map.coordinates.size() > 2 || map.axes.size() != map.coordinates.size() ||
      count == 0 || count != static_cast<double>(map.values.size()))
    throw std::runtime_error("not as many values as nodes");
  return map;
}

}  // namespace

void write_error_maps(const train::RunFolder& folder, const RunEstimate& estimate) {
  Json fields = Json::array();
  for (const ErrorMap& map : estimate.maps) {
    Json axes = Json::array();
    for (const std::vector<double>& axis : map.axes) axes.push_back(six_digits(axis));
    const FieldEstimate* const field = estimate_of(estimate, map.field);
    fields.push_back({{"field", map.field},
                      {"relative_l2", field == nullptr ? 0 : field->relative_l2},
                      {"coordinates", map.coordinates},
                      {"axes", axes},
                      {"slider", map.slider},
                      {"frames", six_digits(map.frames)},
                      {"fixed", map.fixed},
                      {"values", six_digits(map.values)}});
  }
  const Json json = {{"format", kMapFormat}, {"trial", estimate.trial}, {"fields", fields}};
  train::write_run_file(folder.error_maps_file(), json.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n");
}

void read_error_maps(const train::RunFolder& folder, RunEstimate& estimate) {
  estimate.maps.clear();
  try {
    const std::string path = folder.error_maps_file();
    if (train::run_file_exists(path))
      estimate.maps = parse_error_maps(train::read_run_file(path, train::kLongestErrorMaps), estimate);
  } catch (const InputError&) {  // no plain file, or too large
  }
}

std::vector<ErrorMap> parse_error_maps(const std::string& text, const RunEstimate& estimate) {
  std::vector<ErrorMap> maps;
  try {
    const Json json = Json::parse(text);
    if (json.at("format") != kMapFormat || json.at("trial") != estimate.trial) return {};
    for (const Json& field : json.at("fields")) {
      ErrorMap map = map_from(field);
      const FieldEstimate* const known = estimate_of(estimate, map.field);
      if (known != nullptr && known->trusted && field.at("relative_l2") == known->relative_l2)
        maps.push_back(std::move(map));
    }
  } catch (const std::exception&) {
    return {};
  }
  return maps;
}

}  // namespace pecann::results
