#include "pecann/optim/registry.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "pecann/base/input_error.h"
#include "pecann/optim/adam.h"
#include "pecann/optim/lbfgs.h"
#include "pecann/optim/lbfgs_compatible.h"
#include "pecann/optim/lm_options.h"
#include "pecann/optim/option_reader.h"
#include "pecann/optim/refuse.h"
#include "pecann/optim/ssbroyden.h"

namespace pecann::optim {
namespace {

constexpr std::string_view kAdamOptions[] = {"beta1", "beta2", "epsilon"};
constexpr std::string_view kLbfgsOptions[] = {"iterations", "evaluations", "history"};
constexpr std::string_view kCompatibleOptions[] = {"iterations", "evaluations", "history", "tolerance_grad",
                                                   "tolerance_change"};
constexpr std::string_view kBroydenOptions[] = {"iterations", "memory_limit"};
constexpr std::string_view kLmOptions[] = {"initial_damping",    "min_damping",       "max_trials",
                                           "acceleration_limit", "acceleration_step", "memory_limit"};

std::unique_ptr<Optimizer> make_adam(const OptimizerOptions& options, std::size_t size) {
  const OptionReader read(options);
  AdamOptions adam{.learning_rate = options.learning_rate};
  adam.beta1 = read.below_one("beta1", adam.beta1);
  adam.beta2 = read.below_one("beta2", adam.beta2);
  adam.epsilon = read.positive("epsilon", adam.epsilon);
  return std::make_unique<Adam>(size, adam);
}

std::unique_ptr<Optimizer> make_lbfgs(const OptimizerOptions& options, std::size_t size) {
  const OptionReader read(options);
  LbfgsOptions lbfgs{.learning_rate = options.learning_rate};
  lbfgs.iterations = read.positive_integer("iterations", lbfgs.iterations);
  lbfgs.evaluations = read.positive_integer("evaluations", std::min(lbfgs.iterations + 5, 1'000'000'000));
  lbfgs.history = read.positive_integer("history", lbfgs.history);
  return std::make_unique<Lbfgs>(size, lbfgs);
}

std::unique_ptr<Optimizer> make_lbfgs_compatible(const OptimizerOptions& options, std::size_t size) {
  const OptionReader read(options);
  LbfgsCompatibleOptions lbfgs{.learning_rate = options.learning_rate};
  lbfgs.iterations = read.positive_integer("iterations", lbfgs.iterations);
  lbfgs.evaluations =
      read.positive_integer("evaluations", static_cast<int>(std::clamp(lbfgs.iterations * 1.25, 1.0, 1e9)));
  lbfgs.history = read.positive_integer("history", lbfgs.history);
  lbfgs.tolerance_grad = read.not_negative("tolerance_grad", lbfgs.tolerance_grad);
  lbfgs.tolerance_change = read.not_negative("tolerance_change", lbfgs.tolerance_change);
  return std::make_unique<LbfgsCompatible>(size, lbfgs);
}

template <BroydenUpdate update>
std::unique_ptr<Optimizer> make_broyden(const OptimizerOptions& options, std::size_t size) {
  const OptionReader read(options);
  SsBroydenOptions broyden{.update = update, .learning_rate = options.learning_rate};
  broyden.iterations = read.positive_integer("iterations", broyden.iterations);
  broyden.memory_limit = read.positive("memory_limit", broyden.memory_limit);
  return std::make_unique<SsBroyden>(size, broyden);
}

std::unique_ptr<Optimizer> make_lm(const OptimizerOptions& options, std::size_t) {
  return std::make_unique<LevenbergMarquardt>(lm_options(options));
}

const OptimizerRow kOptimizers[] = {
    {"adam", "", "Adam: one gradient and one update an epoch", kAdamOptions, make_adam},
    {"lbfgs", "", "L-BFGS, clean curvature pairs across multiplier updates, relative tests", kLbfgsOptions, make_lbfgs},
    {"lbfgs", "compatible", "L-BFGS exactly as torch.optim.LBFGS with strong Wolfe", kCompatibleOptions,
     make_lbfgs_compatible},
    {"ssbroyden", "", "self-scaled Broyden with the whole inverse Hessian, P²/2 numbers", kBroydenOptions,
     make_broyden<BroydenUpdate::SelfScaled>},
    {"bfgs", "", "BFGS with the whole inverse Hessian, P²/2 numbers", kBroydenOptions,
     make_broyden<BroydenUpdate::Bfgs>},
    {"lm", "", "Levenberg–Marquardt on the residuals: one Gauss–Newton step an epoch", kLmOptions, make_lm},
};

/// The distinct values of one column, in the table's order.
template <class Column>
std::vector<std::string> names_of(const Column& column) {
  std::vector<std::string> names;
  for (const OptimizerRow& row : kOptimizers)
    if (const auto name = column(row); name && std::ranges::find(names, name) == names.end()) names.emplace_back(name);
  return names;
}

const OptimizerRow& row_for(const OptimizerOptions& options) {
  for (const OptimizerRow& row : kOptimizers)
    if (options.name == row.name && options.mode == row.mode) return row;
  const auto names = names_of([](const OptimizerRow& row) { return row.name; });
  if (std::ranges::find(names, options.name) == names.end())
    refuse("optimizer", options.name, "no such optimizer", hint_for(options.name, names));
  auto modes = names_of([&](const OptimizerRow& row) { return options.name == row.name ? row.mode : nullptr; });
  std::erase(modes, "");
  const char* const rule = modes.empty() ? "this optimizer has no modes" : "no such mode of this optimizer";
  refuse("mode", options.mode, rule, hint_for(options.mode, modes));
}

}  // namespace

std::span<const OptimizerRow> optimizer_table() { return kOptimizers; }

std::unique_ptr<Optimizer> make_optimizer(const OptimizerOptions& options, std::size_t size) {
  const OptimizerRow& row = row_for(options);
  const std::vector<std::string> known(row.option_names.begin(), row.option_names.end());
  for (const auto& [name, value] : options.options)
    if (std::ranges::find(known, name) == known.end())
      refuse(name, value, fmt::format("no such option of optimizer {}", row.name), hint_for(name, known));
  if (!(options.learning_rate > 0) || !std::isfinite(options.learning_rate))
    refuse("learning_rate", options.learning_rate, "must be positive");
  return row.make(options, size);
}

}  // namespace pecann::optim
