// Optimisers by name. A new one is a file pair that describes it (optimizer_row.h) and a line of the
// table in registry.cc.
#pragma once

#include <cstddef>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "pecann/optim/optimizer_row.h"

namespace pecann::optim {

struct OptimizerOptions {
  std::string name = "adam";
  std::string mode;                       // "" or a mode of the row
  double learning_rate = 1e-3;            // adam: lr; lbfgs: first trial of a line search, 1 unless there is a reason
  std::map<std::string, double> options;  // further numbers by name; see OptimizerRow::options
};

/// All rows; an optimiser's usual mode comes before its others.
std::span<const OptimizerRow> optimizer_table();

/// Distinct names in the table's order; the modes of a name without "".
std::vector<std::string> optimizer_names();
std::vector<std::string> optimizer_modes(const std::string& name);

/// The row of a name and mode; null when either is unknown.
const OptimizerRow* find_optimizer(const std::string& name, const std::string& mode);
/// Throws InputError for an unknown name or mode, with the nearest known one.
const OptimizerRow& optimizer_row(const std::string& name, const std::string& mode = "");

/// The row of these options, after a check of the options and the learning rate.
const OptimizerRow& checked_row(const OptimizerOptions& options);

/// Throws InputError for an unknown name, mode or option (with the nearest known one) and for a value out of range.
std::unique_ptr<Optimizer> make_optimizer(const OptimizerOptions& options, std::size_t size);

}  // namespace pecann::optim
