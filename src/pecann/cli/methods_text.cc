#include "pecann/cli/methods_text.h"

#include <algorithm>

#include "pecann/base/input_error.h"
#include "pecann/kernel/activation.h"
#include "pecann/optim/registry.h"
#include "pecann/optim/schedule.h"
#include "pecann/penalty/registry.h"

namespace pecann::cli {
namespace {

using TableRow = std::vector<std::string>;

struct MethodTable {
  TableRow head;
  std::vector<TableRow> rows;  // the first cell is the method, in backquotes
};

struct MethodKind {
  const char* name;
  std::vector<MethodTable> tables;
};

std::string code(const std::string& text) { return "`" + text + "`"; }

/// The width of a text in characters, not bytes.
std::size_t width_of(const std::string& text) {
  return static_cast<std::size_t>(std::ranges::count_if(text, [](char c) { return (c & 0xC0) != 0x80; }));
}

std::string markdown(const MethodTable& table) {
  std::vector<std::size_t> widths;
  for (std::size_t c = 0; c < table.head.size(); ++c) {
    widths.push_back(width_of(table.head[c]));
    for (const TableRow& row : table.rows) widths[c] = std::max(widths[c], width_of(row[c]));
  }
  const auto line = [&](const TableRow& cells, char fill) {
    std::string text = "|";
    for (std::size_t c = 0; c < cells.size(); ++c)
      text += fill + cells[c] + std::string(widths[c] - width_of(cells[c]), fill) + fill + "|";
    return text + "\n";
  };
  std::string text = line(table.head, ' ') + line(TableRow(table.head.size()), '-');
  for (const TableRow& row : table.rows) text += line(row, ' ');
  return text;
}

TableRow option_row(const std::string& method, const OptionDescription& option) {
  return {method, code(option.name), option.usual_text(), option.range_text(), option.text};
}

MethodKind optimisers() {
  MethodTable methods{{"optimizer", "", "one epoch", "for", "learning_rate"}, {}};
  MethodTable options{{"optimizer", "option", "default", "allowed", "meaning"}, {}};
  for (const optim::OptimizerRow& row : optim::optimizer_table()) {
    const std::string name = code(row.name) + (*row.mode == '\0' ? "" : ", mode " + code(row.mode));
    methods.rows.push_back(
        {name, row.title, row.epoch, row.suits, row.least_squares ? "not used" : short_number_text(row.learning_rate)});
    for (const OptionDescription& option : row.options) options.rows.push_back(option_row(name, option));
  }
  return {"optimisers", {methods, options}};
}

MethodKind schedules() {
  MethodTable methods{{"schedule", "rate"}, {}};
  MethodTable options{{"schedule", "option", "default", "allowed", "meaning"}, {}};
  for (const optim::ScheduleRow& row : optim::schedule_table()) {
    methods.rows.push_back({code(row.name), row.description});
    for (const OptionDescription& option : row.options) options.rows.push_back(option_row(code(row.name), option));
  }
  return {"schedules", {methods, options}};
}

MethodKind strategies() {
  MethodTable methods{{"strategy", ""}, {}};
  MethodTable options{{"of", "option", "default", "allowed", "meaning"}, {}};
  for (const penalty::StrategyRow& row : penalty::strategy_table())
    methods.rows.push_back({code(row.name), row.description});
  for (const penalty::PenaltyOption& option : penalty::penalty_options()) {
    std::string users;
    for (const penalty::StrategyRow& row : penalty::strategy_table())
      if (row.uses(option.description.name)) users += (users.empty() ? "" : ", ") + code(row.name);
    options.rows.push_back(option_row(users, option.description));
  }
  return {"strategies", {methods, options}};
}

MethodKind activations() {
  MethodTable methods{{"activation", ""}, {}};
  for (const kernel::ActivationRow& row : kernel::kActivations) methods.rows.push_back({code(row.name), row.text});
  return {"activations", {methods}};
}

std::vector<MethodKind> all_kinds() { return {optimisers(), schedules(), strategies(), activations()}; }

std::string text_of(const std::vector<MethodTable>& tables) {
  std::string text;
  for (const MethodTable& table : tables)
    if (!table.rows.empty()) text += (text.empty() ? "" : "\n") + markdown(table);
  return text;
}

}  // namespace

std::vector<std::string> method_kinds() {
  std::vector<std::string> names;
  for (const MethodKind& kind : all_kinds()) names.emplace_back(kind.name);
  return names;
}

std::string methods_text(const std::string& kind_or_name) {
  std::vector<std::string> known = method_kinds();
  std::string all;
  std::vector<MethodTable> found;
  for (const MethodKind& kind : all_kinds()) {
    if (kind_or_name == kind.name) return text_of(kind.tables);
    all += (all.empty() ? "## " : "\n## ") + std::string(kind.name) + "\n\n" + text_of(kind.tables);
    for (const TableRow& row : kind.tables.front().rows) {
      const std::string name = row.front().substr(1, row.front().find('`', 1) - 1);
      if (std::ranges::find(known, name) == known.end()) known.push_back(name);
    }
    for (const MethodTable& table : kind.tables) {
      MethodTable own{table.head, {}};
      for (const TableRow& row : table.rows)
        if (row.front().find(code(kind_or_name)) != std::string::npos) own.rows.push_back(row);
      found.push_back(std::move(own));
    }
  }
  if (kind_or_name.empty()) return all;
  if (std::ranges::find(known, kind_or_name) == known.end())
    throw InputError({.place = {.file = "command line"},
                      .key = "methods",
                      .value = kind_or_name,
                      .rule = "neither a method nor a kind of them",
                      .hint = hint_for(kind_or_name, known)});
  return text_of(found);
}

}  // namespace pecann::cli
