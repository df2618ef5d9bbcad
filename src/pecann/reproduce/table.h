// The paper's tables as data: reproduce/*.toml, embedded in the program. A row is a problem of the catalogue with
// overrides, and what was published for it. docs/reproduce.md describes the files.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace pecann::reproduce {

struct Published {
  std::optional<double> mean, std, best;
  std::optional<double> below;  // where the paper gives a bound
  std::string text;             // where the paper gives words or a figure instead of a number
};

struct Row {
  std::string table, name;  // "burgers", "coarse-mpu"
  std::string title;
  std::string problem;                 // a catalogue name, or a file
  std::vector<std::string> set;        // overrides, "key=value"
  std::string recipe = "paper";        // of the paper's budget
  std::vector<std::string> short_set;  // further overrides of the budget `short`; none: not offered at it
  bool best = false;                   // has a row at our budget too, where the problem has that recipe
  int trials = 5;                      // of the paper
  Published published;
  std::string notes;  // why ours differ, or what the row does not do as the paper
  std::string store;  // "table/row" whose results these are: the row's own name, or that of an identical row
  std::string id() const { return table + "/" + name; }
};

/// A figure of other authors, for comparison only.
struct Cited {
  std::string title;
  Published published;
};

struct Table {
  std::string name, title;
  std::string source;             // section and table in the paper
  std::string text;               // a paragraph for the results page
  int order = 0;                  // on the page
  std::string measure;            // "u.relative_l2": field and measure of the published figures
  std::vector<std::string> also;  // further ones, shown beside; "constraint.NAME": a term's violation, rms
  std::vector<Row> rows;
  std::vector<Cited> cited;
};

/// A conclusion of the paper and the rows that show it.
struct Finding {
  std::string title, text, command;
  std::vector<std::string> rows;  // "table/row"
};

/// Throws InputError naming file, line and key. The problem of a row may be a file beside the table's.
Table read_table(std::string_view text, const std::string& name, const std::string& file);

/// Those of the paper, in their order.
const std::vector<Table>& paper_tables();
const std::vector<Finding>& paper_findings();

/// Tables and rows by name: "burgers", "burgers/fine-capu", or a file of a table; all of the paper's for no names. The
/// tables come with the chosen rows only. Throws InputError with the nearest name for an unknown one.
std::vector<Table> select_tables(const std::vector<std::string>& names);

}  // namespace pecann::reproduce
