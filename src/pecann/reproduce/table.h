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
  std::string recipe = "paper";        // the recipe of the paper's budget
  std::vector<std::string> short_set;  // further overrides of the budget `short`; none: the row is not offered at it
  bool best = false;                   // the row is offered at the budget `best` too, where the problem has that recipe
  int trials = 5;                      // as many as in the paper
  Published published;
  std::string notes;  // why our figures differ, or what the row does in another way than the paper
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
  std::vector<std::string> also;  // further measures, shown beside it; "constraint.NAME" is the rms violation of a term
  std::vector<Row> rows;
  std::vector<Cited> cited;
};

/// A conclusion of the paper and the rows that show it.
struct Finding {
  std::string title, text, command;
  std::vector<std::string> rows;  // "table/row"
};

/// Reads the text of a table. Throws InputError naming file, line and key. The problem of a row may be a
/// file beside the table's.
Table read_table(std::string_view text, const std::string& name, const std::string& file);

/// The tables and the findings of the paper, in its order.
const std::vector<Table>& paper_tables();
const std::vector<Finding>& paper_findings();

/// Chooses tables and rows by name: "burgers", "burgers/fine-capu", or the file of a table; without names, all tables
/// of the paper. The tables come with the chosen rows only. Throws InputError with the nearest name for an unknown one.
std::vector<Table> select_tables(const std::vector<std::string>& names);

}  // namespace pecann::reproduce
