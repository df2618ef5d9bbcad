#include "pecann/reproduce/table.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <set>

#include "pecann/base/input_error.h"
#include "pecann/problem/catalogue.h"
#include "pecann/problem/reader.h"
#include "pecann/reproduce/embedded_tables.h"

namespace pecann::reproduce {
namespace {

using problem::Item;
using problem::Section;

constexpr std::string_view kFindings = "findings";

toml::table parsed(std::string_view text, const std::string& file) {
  toml::parse_result tree = toml::parse(text, file);
  if (!tree)
    throw InputError({.place = {file, static_cast<int>(tree.error().source().begin.line)},
                      .rule = std::string("not valid TOML: ") + std::string(tree.error().description())});
  return std::move(tree).table();
}

std::string text_or(Section& section, const char* key, const std::string& otherwise) {
  const std::optional<Item> item = section.find(key);
  return item ? item->text() : otherwise;
}

Published read_published(Section& parent) {
  Published published;
  if (std::optional<Section> section = parent.section("published")) {
    section->read("mean", published.mean, kPositive);
    section->read("std", published.std, kNotNegative);
    section->read("best", published.best, kPositive);
    section->read("below", published.below, kPositive);
    published.text = text_or(*section, "text", "");
    section->finish();
  }
  return published;
}

/// Reads a name that serves as a folder's name as well.
std::string row_name(const Item& item) {
  const std::string name = item.text();
  const bool fits = !name.empty() && name[0] != '.' && std::ranges::all_of(name, [](unsigned char c) {
    return std::isalnum(c) || c == '-' || c == '.' || c == '_';
  });
  if (!fits) item.refuse("a name has letters, digits, '-', '_' and '.' only");
  return name;
}

/// The path of a row's problem: a file that a table names is looked for beside the table.
std::string problem_path(const std::string& name, const std::string& table_file) {
  if (problem::find_in_catalogue(name) != nullptr || std::filesystem::path(name).is_absolute()) return name;
  const std::filesystem::path beside = std::filesystem::path(table_file).parent_path() / name;
  std::error_code unknown;
  return std::filesystem::exists(beside, unknown) ? beside.string() : name;
}

/// Reads one row. `defaults` has what the table says for all of its rows: problem, trials, short_set.
Row read_row(Section section, const Table& table, const Row& defaults, const std::string& file) {
  Row row = defaults;
  row.table = table.name;
  row.name = row_name(section.require("name", "of the row"));
  row.title = text_or(section, "title", row.name);
  row.problem = problem_path(text_or(section, "problem", defaults.problem), file);
  if (row.problem.empty()) section.refuse("neither the row nor the table names a problem");
  if (const auto set = section.find("set")) row.set = set->texts();
  row.recipe = text_or(section, "recipe", row.recipe);
  section.read("best", row.best);
  section.read("trials", row.trials, {.low = 1, .high = 1000});
  row.published = read_published(section);
  row.notes = text_or(section, "notes", "");
  row.store = text_or(section, "same_as", row.id());
  section.finish();
  return row;
}

std::vector<std::string> known_names(const std::vector<Table>& tables) {
  std::vector<std::string> names;
  for (const Table& table : tables) names.push_back(table.name);
  return names;
}

[[noreturn]] void refuse_name(const std::string& key, const std::string& value, const std::string& rule,
                              const std::vector<std::string>& known) {
  throw InputError(
      {.place = {.file = "command line"}, .key = key, .value = value, .rule = rule, .hint = hint_for(value, known)});
}

/// Adds a table, or rows to one that is there already.
void add_rows(std::vector<Table>& chosen, const Table& table, const std::vector<Row>& rows) {
  const auto there = std::ranges::find(chosen, table.name, &Table::name);
  if (there == chosen.end()) {
    chosen.push_back(table);
    chosen.back().rows = rows;
    return;
  }
  for (const Row& row : rows)
    if (std::ranges::find(there->rows, row.name, &Row::name) == there->rows.end()) there->rows.push_back(row);
}

Table table_of_file(const std::string& file) {
  std::ifstream stream(file, std::ios::binary);
  const std::string text{std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>()};
  return read_table(text, std::filesystem::path(file).stem().string(), file);
}

}  // namespace

Table read_table(std::string_view text, const std::string& name, const std::string& file) {
  const toml::table tree = parsed(text, file);
  const problem::ReadContext context{file, {}};
  Section root(tree, "", context);
  Table table;
  table.name = name;
  table.title = text_or(root, "title", name);
  table.source = text_or(root, "source", "");
  table.text = text_or(root, "text", "");
  root.read("order", table.order, {.low = 0, .high = 1000});
  const Item measure = root.require("measure", "field and measure of the published figures");
  table.measure = measure.text();
  if (table.measure.find('.') == std::string::npos)
    measure.refuse("must be written FIELD.MEASURE", "for example \"u.relative_l2\"");
  if (const auto also = root.find("also")) table.also = also->texts();
  Row defaults;
  defaults.problem = text_or(root, "problem", "");
  if (const auto set = root.find("short")) defaults.short_set = set->texts();
  root.read("trials", defaults.trials, {.low = 1, .high = 1000});
  std::set<std::string> names;
  for (const Item& item : root.list_of_tables("row")) {
    table.rows.push_back(read_row(item.table(), table, defaults, file));
    if (!names.insert(table.rows.back().name).second)
      item.refuse("two rows have the name '" + table.rows.back().name + "'");
  }
  for (const Item& item : root.list_of_tables("cited")) {
    Section section = item.table();
    Cited cited;
    cited.title = section.require("title", "of the method").text();
    cited.published = read_published(section);
    section.finish();
    table.cited.push_back(std::move(cited));
  }
  root.finish();
  return table;
}

const std::vector<Table>& paper_tables() {
  static const std::vector<Table> tables = [] {
    std::vector<Table> list;
    for (const EmbeddedTable& table : embedded_tables())
      if (table.name != kFindings)
        list.push_back(
            read_table(table.text, std::string(table.name), "reproduce/" + std::string(table.name) + ".toml"));
    std::ranges::stable_sort(list, {}, &Table::order);
    return list;
  }();
  return tables;
}

const std::vector<Finding>& paper_findings() {
  static const std::vector<Finding> findings = [] {
    std::vector<Finding> list;
    for (const EmbeddedTable& table : embedded_tables()) {
      if (table.name != kFindings) continue;
      const std::string file = "reproduce/findings.toml";
      const toml::table tree = parsed(table.text, file);
      const problem::ReadContext context{file, {}};
      Section root(tree, "", context);
      for (const Item& item : root.list_of_tables("finding")) {
        Section section = item.table();
        Finding finding;
        finding.title = section.require("title", "of the finding").text();
        finding.text = text_or(section, "text", "");
        finding.command = text_or(section, "command", "");
        finding.rows = section.require("rows", "that show it").texts();
        section.finish();
        list.push_back(std::move(finding));
      }
      root.finish();
    }
    return list;
  }();
  return findings;
}

std::vector<Table> select_tables(const std::vector<std::string>& names) {
  if (names.empty()) return paper_tables();
  std::vector<Table> chosen;
  std::error_code unknown;
  for (const std::string& name : names) {
    if (name.ends_with(".toml") && std::filesystem::is_regular_file(name, unknown)) {
      const Table table = table_of_file(name);
      add_rows(chosen, table, table.rows);
      continue;
    }
    const std::size_t slash = name.find('/');
    const auto table = std::ranges::find(paper_tables(), name.substr(0, slash), &Table::name);
    if (table == paper_tables().end())
      refuse_name("table", name.substr(0, slash), "no such table, and no file of one", known_names(paper_tables()));
    if (slash == std::string::npos) {
      add_rows(chosen, *table, table->rows);
      continue;
    }
    const auto row = std::ranges::find(table->rows, name.substr(slash + 1), &Row::name);
    std::vector<std::string> rows;
    for (const Row& known : table->rows) rows.push_back(known.name);
    if (row == table->rows.end())
      refuse_name("row", name.substr(slash + 1), "the table '" + table->name + "' has no such row", rows);
    add_rows(chosen, *table, {*row});
  }
  return chosen;
}

}  // namespace pecann::reproduce
