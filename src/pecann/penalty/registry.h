// Penalty strategies by name. A new one is a file pair and a row of the table in registry.cc.
#pragma once

#include <memory>
#include <span>

#include "pecann/penalty/strategy.h"

namespace pecann::penalty {

struct StrategyRow {
  const char* name;
  const char* description;
  std::unique_ptr<Strategy> (*make)(const StrategyOptions& options);
};

std::span<const StrategyRow> strategy_table();

/// Throws InputError for an unknown name (with the nearest known one) and for a value out of range.
std::unique_ptr<Strategy> make_strategy(const StrategyOptions& options);

}  // namespace pecann::penalty
