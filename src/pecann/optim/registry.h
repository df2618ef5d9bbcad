// Optimisers by name. A new one is a file pair, a factory and a row of the table in registry.cc.
#pragma once

#include <cstddef>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "pecann/optim/optimizer.h"

namespace pecann::optim {

struct OptimizerOptions {
  std::string name = "adam";
  std::string mode;                       // "" or a mode of the row
  double learning_rate = 1e-3;            // adam: lr; lbfgs: first trial of a line search, 1 unless there is a reason
  std::map<std::string, double> options;  // further numbers by name; see OptimizerRow::option_names
};

struct OptimizerRow {
  const char* name;
  const char* mode;  // one row per mode
  const char* description;
  std::span<const std::string_view> option_names;
  std::unique_ptr<Optimizer> (*make)(const OptimizerOptions& options, std::size_t size);
};

/// All rows; an optimiser's usual mode comes before its others.
std::span<const OptimizerRow> optimizer_table();

/// Throws InputError for an unknown name, mode or option (with the nearest known one) and for a value out of
/// range.
std::unique_ptr<Optimizer> make_optimizer(const OptimizerOptions& options, std::size_t size);

}  // namespace pecann::optim
