// history.csv read back (train/history.h writes it): columns by name, one row per recorded epoch.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace pecann::results {

struct HistoryTable {
  std::vector<std::string> names;
  std::vector<std::vector<double>> columns;  // NaN where a cell is empty

  std::size_t rows() const { return columns.empty() ? 0 : columns[0].size(); }
  const std::vector<double>* find(std::string_view name) const;  // null when there is no such column

  /// The rows where a window, phase, part or try begins, by the name of its column, with the number of rows at the end;
  /// {0, rows} for a history without the column (of an earlier version, or of one window).
  std::vector<std::size_t> starts_of(std::string_view name) const;

  /// The epochs counted through all windows: those of a window begin behind the last one of the window before.
  std::vector<double> running_epochs() const;
};

/// Reads the text of a history. A last line that is not complete (the run is writing it) is left out. Throws InputError
/// for anything else that is wrong.
HistoryTable parse_history(std::string_view text, const std::string& file);

/// Adds the complete lines at the beginning of `text` (the first of which, without columns yet, is the header) and
/// returns the number of their bytes. `line` is the number of the text's first line, for messages.
std::size_t append_history(std::string_view text, const std::string& file, int line, HistoryTable& table);

/// Reads a history file; the table is empty where the file does not exist.
HistoryTable read_history(const std::string& file);

}  // namespace pecann::results
