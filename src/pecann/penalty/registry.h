// Penalty strategies by name, and the options of [penalty] that they share. A new strategy is a file pair and a row of
// the table in registry.cc; an option of its own is a member of StrategyOptions and a row of the other table.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "pecann/base/option_description.h"
#include "pecann/penalty/strategy.h"

namespace pecann::penalty {

struct StrategyRow {
  const char* name;
  const char* description;
  std::span<const std::string_view> option_names;  // the options that it looks at
  std::unique_ptr<Strategy> (*make)(const StrategyOptions& options);
  bool balances = false;  // the equations of all terms are weighed against each other (train/balance.h)

  bool uses(std::string_view option) const;
};

/// An option, and the member of StrategyOptions that holds its value.
struct PenaltyOption {
  using Member =
      std::variant<double StrategyOptions::*, std::optional<double> StrategyOptions::*, bool StrategyOptions::*>;
  OptionDescription description;
  Member member;

  /// The value, a flag as 0 or 1; nothing where it was left open.
  std::optional<double> value(const StrategyOptions& options) const;
};

std::span<const StrategyRow> strategy_table();
std::vector<std::string> strategy_names();
/// The options of all strategies: a problem may set those of another strategy than its own.
std::span<const PenaltyOption> penalty_options();

/// The row of a name; null when it is unknown.
const StrategyRow* find_strategy(const std::string& name);
/// Throws InputError for an unknown name, with the nearest known one.
const StrategyRow& strategy_row(const std::string& name);

/// Throws InputError for an unknown name (with the nearest known one) and for a value out of range.
std::unique_ptr<Strategy> make_strategy(const StrategyOptions& options);

}  // namespace pecann::penalty
