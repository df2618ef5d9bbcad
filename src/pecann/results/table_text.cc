#include "pecann/results/table_text.h"

#include <fmt/format.h>

#include <iterator>

namespace pecann::results {

std::vector<double> table_rows(const Prediction& prediction) {
  std::vector<double> rows;
  rows.reserve(prediction.points.count * (prediction.box.names.size() + prediction.names.size()));
  for (std::size_t i = 0; i < prediction.points.count; ++i) {
    for (const auto& coordinate : prediction.points.coordinates) rows.push_back(coordinate[i]);
    for (const auto& column : prediction.values) rows.push_back(column[i]);
  }
  return rows;
}

std::string csv_field(std::string_view text) {
  const bool odd = text.empty() || text.find_first_of(",;\"\n\r\t") != std::string_view::npos || text.front() == ' ' ||
                   text.back() == ' ' || text.front() == '#';
  if (!odd) return std::string(text);
  std::string quoted = "\"";
  for (const char c : text) {
    if (c == '"') quoted += '"';
    quoted += c;
  }
  return quoted + "\"";
}

std::string csv_text(const Prediction& prediction) {
  std::string text;
  for (const auto* names : {&prediction.box.names, &prediction.names})
    for (const std::string& name : *names) text += (text.empty() ? "" : ",") + csv_field(name);
  text += "\n";
  const std::vector<double> rows = table_rows(prediction);
  const std::size_t columns = prediction.box.names.size() + prediction.names.size();
  for (std::size_t i = 0; i < rows.size(); ++i)
    fmt::format_to(std::back_inserter(text), "{}{}", rows[i], (i + 1) % columns == 0 ? "\n" : ",");
  return text;
}

std::string csv_text(std::span<const std::string> names, std::span<const std::vector<double>> columns) {
  std::string text;
  for (const std::string& name : names) text += (text.empty() ? "" : ",") + csv_field(name);
  text += "\n";
  for (std::size_t row = 0; !columns.empty() && row < columns.front().size(); ++row)
    for (std::size_t c = 0; c < columns.size(); ++c)
      fmt::format_to(std::back_inserter(text), "{}{}", columns[c][row], c + 1 < columns.size() ? "," : "\n");
  return text;
}

}  // namespace pecann::results
