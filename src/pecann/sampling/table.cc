#include "pecann/sampling/table.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <unordered_set>

#include "pecann/base/input_error.h"
#include "pecann/base/memory.h"
#include "pecann/base/read_file.h"
#include "pecann/mesh/point_data.h"

namespace pecann::sampling {
namespace {

// Bytes of memory per byte of text: the text itself, its numbers (eight bytes from two characters or more), and the
// columns as they grow.
constexpr double kMemoryPerByte = 9;

[[noreturn]] void refuse(const std::string& file, int line, std::string value, std::string rule,
                         std::string hint = "") {
  InputError::Parts parts;
  parts.place.file = file;
  parts.place.line = line;
  parts.value = std::move(value);
  parts.rule = std::move(rule);
  parts.hint = std::move(hint);
  throw InputError(std::move(parts));
}

std::string_view trimmed(std::string_view text) {
  const std::size_t begin = text.find_first_not_of(" \t\r");
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(" \t\r") - begin + 1);
}

char separator_of(std::string_view header) {
  for (const char candidate : {';', '\t', ','}) {
    if (header.find(candidate) != std::string_view::npos) return candidate;
  }
  return ' ';
}

std::vector<std::string_view> fields_of(std::string_view line, char separator) {
  std::vector<std::string_view> fields;
  while (true) {
    if (separator == ' ') line = trimmed(line);
    const std::size_t end = separator == ' ' ? line.find_first_of(" \t") : line.find(separator);
    std::string_view field = trimmed(line.substr(0, end));
    if (field.size() >= 2 && field.front() == '"' && field.back() == '"') field = field.substr(1, field.size() - 2);
    fields.push_back(field);
    if (end == std::string_view::npos) return fields;
    line = line.substr(end + 1);
  }
}

bool parse_number(std::string_view text, double& value) {
  if (!text.empty() && text.front() == '+') text.remove_prefix(1);
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc{} && end == text.data() + text.size();
}

void read_header(Table& table, const std::vector<std::string_view>& fields, int line) {
  double ignored = 0;
  std::unordered_set<std::string_view> known;  // a file may have a million columns
  for (const std::string_view field : fields) {
    if (field.empty()) refuse(table.file, line, "", "a column of the header has no name");
    if (parse_number(field, ignored)) {
      refuse(table.file, line, std::string(field), "the first line must name the columns, not hold numbers");
    }
    if (!known.insert(field).second) {
      refuse(table.file, line, std::string(field), "two columns have this name");
    }
    table.names.emplace_back(field);
  }
  table.columns.resize(table.names.size());
}

void read_row(Table& table, const std::vector<std::string_view>& fields, int line) {
  if (fields.size() != table.names.size()) {
    refuse(table.file, line, "",
           "the row has " + std::to_string(fields.size()) + " fields, the header names " +
               std::to_string(table.names.size()));
  }
  for (std::size_t c = 0; c < fields.size(); ++c) {
    double value = 0;
    if (!parse_number(fields[c], value) || !std::isfinite(value)) {
      refuse(table.file, line, std::string(fields[c]), "column '" + table.names[c] + "' needs a finite number");
    }
    table.columns[c].push_back(value);
  }
}

/// The names in the last comment of COMSOL's text, as many as the first row has numbers: "% x    y    T (K)". Names
/// with blanks in them stand apart by two blanks or more; a unit behind a name is left out.
std::vector<std::string_view> names_in_comment(std::string_view comment, std::size_t count) {
  const char separator = separator_of(comment);
  std::vector<std::string_view> names = fields_of(comment, separator);
  if (separator == ' ' && names.size() != count) {
    std::vector<std::string_view> apart;
    for (comment = trimmed(comment); !comment.empty();) {
      const std::size_t end = std::min(comment.find("  "), comment.size());
      apart.push_back(comment.substr(0, end));
      comment = trimmed(comment.substr(end));
    }
    if (apart.size() == count) names = std::move(apart);
  }
  for (std::string_view& name : names)
    if (const std::size_t unit = name.rfind(" ("); unit != std::string_view::npos && unit > 0 && name.back() == ')')
      name = trimmed(name.substr(0, unit));
  return names;
}

bool begins_with_number(std::string_view field) {
  double ignored = 0;
  return parse_number(field, ignored);
}

}  // namespace

const std::vector<double>& Table::column(const std::string& name) const {
  const auto found = std::find(names.begin(), names.end(), name);
  if (found == names.end()) refuse(file, 0, name, "the file has no such column", hint_for(name, names));
  return columns[static_cast<std::size_t>(found - names.begin())];
}

Table parse_csv(std::string_view text, const std::string& file) {
  Table table;
  table.file = file;
  if (text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3);  // byte order mark of spreadsheet programs
  if (text.starts_with("\xFF\xFE") || text.starts_with("\xFE\xFF"))
    refuse(file, 0, "", "the file is UTF-16", "save it as UTF-8");
  char separator = ' ';
  std::string_view comment;  // COMSOL's last one, and its line
  int comment_line = 0;
  for (int line = 1; !text.empty(); ++line) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    std::string_view content = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    content = content.substr(0, content.find('#'));
    if (trimmed(content).empty()) continue;
    if (trimmed(content).front() == '%') {
      comment = trimmed(content).substr(1);
      comment_line = line;
      continue;
    }
    if (table.names.empty() && comment_line > 0) {
      separator = separator_of(content);
      const std::vector<std::string_view> row = fields_of(content, separator);
      if (begins_with_number(row.front())) read_header(table, names_in_comment(comment, row.size()), comment_line);
    }
    if (table.names.empty()) {
      separator = separator_of(content);
      read_header(table, fields_of(content, separator), line);
    } else {
      read_row(table, fields_of(content, separator), line);
    }
  }
  if (table.rows() == 0) refuse(file, 0, "", "the table has no rows");
  return table;
}

Table table_of(const NpyArray& array, const std::string& file) {
  Table table;
  table.file = file;
  table.has_header = false;
  const std::size_t rows = array.shape[0], columns = array.shape.size() == 2 ? array.shape[1] : 1;
  if (rows == 0 || columns == 0) refuse(file, 0, "", "the table has no rows");
  table.columns.resize(columns);
  for (std::size_t c = 0; c < columns; ++c) {
    table.names.push_back(std::to_string(c + 1));
    for (std::size_t r = 0; r < rows; ++r) {
      const double value = array.data[r * columns + c];
      if (!std::isfinite(value)) {
        refuse(file, 0, "", "row " + std::to_string(r + 1) + ", column " + table.names[c] + " is not a finite number");
      }
      table.columns[c].push_back(value);
    }
  }
  return table;
}

Table read_table(const std::string& path) {
  if (path.ends_with(".npy")) return table_of(read_npy(path), path);
  if (path.ends_with(".vtu")) {
    mesh::PointData data = mesh::parse_vtu_points(read_file(path, available_memory() / kMemoryPerByte), path);
    return {.file = path, .names = std::move(data.names), .columns = std::move(data.columns)};
  }
  return parse_csv(read_file(path, available_memory() / kMemoryPerByte), path);
}

PointSet points_of(const Table& table, const Box& box) {
  PointSet points;
  points.count = table.rows();
  for (int c = 0; c < box.dimension(); ++c) {
    const std::vector<double>& values = table.column(table.has_header ? box.names[c] : std::to_string(c + 1));
    const double tolerance = 1e-9 * (box.upper[c] - box.lower[c]);
    for (std::size_t r = 0; r < values.size(); ++r) {
      if (values[r] < box.lower[c] - tolerance || values[r] > box.upper[c] + tolerance) {
        refuse(table.file, 0, fmt::format("{:g}", values[r]),
               fmt::format("row {}: {} lies outside its range, [{:g}, {:g}]", r + 1, box.names[c], box.lower[c],
                           box.upper[c]));
      }
    }
    AlignedVector<double> column(values.begin(), values.end());
    column.resize(points.padded(), values.back());
    points.coordinates.push_back(std::move(column));
  }
  return points;
}

}  // namespace pecann::sampling
