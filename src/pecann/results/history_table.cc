#include "pecann/results/history_table.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "pecann/base/csv_header.h"
#include "pecann/base/input_error.h"
#include "pecann/train/run_folder.h"

namespace pecann::results {
namespace {

/// The largest whole number of columns that count: what a stranger writes there is converted to integers, and epochs
/// are summed up over windows.
double most_counted(std::string_view name) {
  if (name == "epoch") return 1e11;
  constexpr std::string_view kCounting[] = {"window", "phase", "part", "try"};
  return std::ranges::find(kCounting, name) != std::end(kCounting) ? 1e9 : std::numeric_limits<double>::infinity();
}

/// The first column that counts and has something else in this row; nothing where all are right.
std::string_view wrong_count(const std::vector<std::string>& names, const std::vector<double>& row) {
  for (std::size_t c = 0; c < row.size(); ++c) {
    const double most = most_counted(names[c]);
    if (std::isinf(most) || (std::isnan(row[c]) && names[c] != "epoch")) continue;
    if (!(row[c] >= 0 && row[c] <= most && row[c] == std::floor(row[c]))) return names[c];
  }
  return "";
}

/// Reads one row of numbers; false when the number of cells is wrong or a cell is no number.
bool parse_row(std::string_view line, std::vector<double>& row) {
  for (std::size_t column = 0; column < row.size(); ++column) {
    const std::size_t end = std::min(line.find(','), line.size());
    const bool last = column + 1 == row.size();
    if ((end == line.size()) != last) return false;
    row[column] = std::numeric_limits<double>::quiet_NaN();
    if (end > 0) {
      const auto [stop, error] = std::from_chars(line.data(), line.data() + end, row[column]);
      if (error == std::errc::invalid_argument || stop != line.data() + end) return false;
    }
    if (!last) line.remove_prefix(end + 1);
  }
  return true;
}

}  // namespace

const std::vector<double>* HistoryTable::find(std::string_view name) const {
  const auto found = std::find(names.begin(), names.end(), name);
  return found == names.end() ? nullptr : &columns[static_cast<std::size_t>(found - names.begin())];
}

std::vector<double> HistoryTable::running_epochs() const {
  const std::vector<double>* const epochs = find("epoch");
  const std::vector<double>* const windows = find("window");
  if (epochs == nullptr) return {};
  std::vector<double> result = *epochs;
  if (windows == nullptr) return result;
  double before = 0;
  for (std::size_t i = 1; i < result.size(); ++i) {
    if ((*windows)[i] != (*windows)[i - 1]) before = result[i - 1];
    result[i] += before;
  }
  return result;
}

std::vector<std::size_t> HistoryTable::starts_of(std::string_view name) const {
  std::vector<std::size_t> starts = {0};
  if (const std::vector<double>* const column = find(name))
    for (std::size_t i = 1; i < column->size(); ++i)
      if ((*column)[i] != (*column)[i - 1]) starts.push_back(i);
  starts.push_back(rows());
  return starts;
}

std::size_t append_history(std::string_view text, const std::string& file, int line, HistoryTable& table) {
  const std::size_t all = text.size();
  if (table.names.empty()) {
    table.names = take_csv_header(text);
    if (table.names.empty()) return 0;
    if (std::find(table.names.begin(), table.names.end(), "epoch") == table.names.end())
      throw InputError({.place = {.file = file, .line = 1}, .rule = "not a history: the header has no column 'epoch'"});
    table.columns.resize(table.names.size());
    ++line;
  }
  std::vector<double> row(table.names.size());
  for (std::size_t end; (end = text.find('\n')) != std::string_view::npos; ++line) {
    if (!parse_row(text.substr(0, end), row))
      throw InputError({.place = {.file = file, .line = line},
                        .value = std::string(text.substr(0, end)),
                        .rule = "a row must have " + std::to_string(row.size()) + " numbers"});
    if (const std::string_view name = wrong_count(table.names, row); !name.empty())
      throw InputError({.place = {.file = file, .line = line},
                        .key = std::string(name),
                        .rule = "must be a whole number from 0 to " + fmt::format("{}", most_counted(name))});
    for (std::size_t c = 0; c < row.size(); ++c) table.columns[c].push_back(row[c]);
    text.remove_prefix(end + 1);
  }
  return all - text.size();
}

HistoryTable parse_history(std::string_view text, const std::string& file) {
  HistoryTable table;
  append_history(text, file, 1, table);
  if (table.names.empty())
    throw InputError({.place = {.file = file, .line = 1}, .rule = "not a history: there is no line of names"});
  return table;
}

HistoryTable read_history(const std::string& file) {
  if (!train::run_file_exists(file)) return {};
  return parse_history(train::read_run_file(file, train::kLongestHistory), file);
}

}  // namespace pecann::results
