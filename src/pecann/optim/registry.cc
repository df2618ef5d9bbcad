#include "pecann/optim/registry.h"

#include <algorithm>

#include "pecann/base/input_error.h"
#include "pecann/optim/adam.h"
#include "pecann/optim/lbfgs.h"
#include "pecann/optim/lbfgs_compatible.h"
#include "pecann/optim/lm_row.h"
#include "pecann/optim/solve_row.h"
#include "pecann/optim/ssbroyden.h"

namespace pecann::optim {

std::span<const OptimizerRow> optimizer_table() {
  static const OptimizerRow kOptimizers[] = {
      adam_row(), lbfgs_row(), lbfgs_compatible_row(), ssbroyden_row(), bfgs_row(), lm_row(), solve_row(),
  };
  return kOptimizers;
}

std::vector<std::string> optimizer_names() {
  std::vector<std::string> names;
  for (const OptimizerRow& row : optimizer_table())
    if (std::ranges::find(names, row.name) == names.end()) names.emplace_back(row.name);
  return names;
}

std::vector<std::string> optimizer_modes(const std::string& name) {
  std::vector<std::string> modes;
  for (const OptimizerRow& row : optimizer_table())
    if (name == row.name && *row.mode != '\0') modes.emplace_back(row.mode);
  return modes;
}

const OptimizerRow* find_optimizer(const std::string& name, const std::string& mode) {
  for (const OptimizerRow& row : optimizer_table())
    if (name == row.name && mode == row.mode) return &row;
  return nullptr;
}

const OptimizerRow& optimizer_row(const std::string& name, const std::string& mode) {
  if (const OptimizerRow* const row = find_optimizer(name, mode)) return *row;
  const std::vector<std::string> names = optimizer_names(), modes = optimizer_modes(name);
  if (std::ranges::find(names, name) == names.end())
    throw InputError({.key = "optimizer", .value = name, .rule = "no such optimizer", .hint = hint_for(name, names)});
  throw InputError({.key = "mode",
                    .value = mode,
                    .rule = modes.empty() ? "this optimizer has no modes" : "no such mode of this optimizer",
                    .hint = hint_for(mode, modes)});
}

const OptimizerRow& checked_row(const OptimizerOptions& options) {
  const OptimizerRow& row = optimizer_row(options.name, options.mode);
  check_options(row.options, options.options, "", "optimizer " + options.name);
  if (!kPositive.contain(options.learning_rate))
    throw InputError(
        {.key = "learning_rate", .value = short_number_text(options.learning_rate), .rule = describe(kPositive)});
  return row;
}

std::unique_ptr<Optimizer> make_optimizer(const OptimizerOptions& options, std::size_t size) {
  const OptimizerRow& row = checked_row(options);
  return row.make(options.learning_rate, OptionValues(row.options, options.options), size);
}

}  // namespace pecann::optim
