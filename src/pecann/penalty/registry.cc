#include "pecann/penalty/registry.h"

#include <algorithm>
#include <limits>

#include "pecann/base/input_error.h"
#include "pecann/penalty/capu.h"
#include "pecann/penalty/monotone.h"
#include "pecann/penalty/weights.h"

namespace pecann::penalty {
namespace {

template <class Type>
std::unique_ptr<Strategy> make(const StrategyOptions& options) {
  return std::make_unique<Type>(options);
}

constexpr std::string_view kCapuOptions[] = {"eta", "zeta", "omega", "epsilon", "rebase", "multiplier", "penalty"};
constexpr std::string_view kGrowthOptions[] = {"beta", "penalty_max", "multiplier", "penalty"};
constexpr std::string_view kRmspropOptions[] = {"eta", "zeta", "epsilon", "multiplier", "penalty"};
constexpr std::string_view kFixedOptions[] = {"multiplier"};
constexpr std::string_view kAscentOptions[] = {"multiplier", "sa_scale", "sa_power", "sa_learning_rate"};

const StrategyRow kTable[] = {
    {"capu", "conditionally adaptive: each penalty follows its own violation, once the loss has settled", kCapuOptions,
     make<ConditionallyAdaptiveUpdate>},
    {"balance",
     "equations weighed against each other by their curvature, data first; for second-order training",
     {},
     make<FixedWeights>,
     true},
    {"mpu", "monotonic: multipliers and one growing penalty, every epoch", kGrowthOptions, make<MonotonicUpdate>},
    {"cpu", "conditional: multipliers when the violation fell, else the penalty grows", kGrowthOptions,
     make<ConditionalUpdate>},
    {"rmsprop", "penalties by RMSProp directly, every epoch (the ancestor of capu, for comparison)", kRmspropOptions,
     make<RmspropUpdate>},
    {"fixed", "constant weights, no penalty: the classical physics-informed network", kFixedOptions,
     make<FixedWeights>},
    {"sa", "self-adaptive weights trained by gradient ascent, no penalty", kAscentOptions, make<SelfAdaptiveWeights>},
};

using Options = StrategyOptions;
const Options kUsual;

// β = 1 is allowed: the method of multipliers with a constant penalty. Powers q below one are not: m'(ω) has no bound
// at ω = 0. A negative multiplier would reward violations.
const PenaltyOption kOptionTable[] = {
    {{"eta", std::numeric_limits<double>::quiet_NaN(), kPositive, "penalty scale η of constraints without their own",
      "0.01 with Adam, 100 with Levenberg–Marquardt, else 1"},
     &Options::eta},
    {{"beta", kUsual.beta, kAtLeastOne, "growth of the penalty, μ ← min(β μ, μ_max)"}, &Options::beta},
    {{"penalty_max", kUsual.penalty_max, kPositive, "its ceiling μ_max"}, &Options::penalty_max},
    {{"zeta", kUsual.zeta, kBelowOne, "memory of the mean square violation, v̄ ← ζ v̄ + (1−ζ) C²"}, &Options::zeta},
    {{"omega", kUsual.omega, kPositive, "a dual update waits until L ≥ ω L_prev"}, &Options::omega},
    {{"epsilon", kUsual.epsilon, kPositive, "floor of v̄, μ = η/√(v̄ + ε)"}, &Options::epsilon},
    {{"multiplier", kUsual.multiplier, kNotNegative, "start value of λ; with `fixed` the weight"},
     &Options::multiplier},
    {{"penalty", kUsual.penalty, kNotNegative, "start value of μ"}, &Options::penalty},
    {{"rebase",
      0,
      {},
      "after an update the loss to beat is the one with the new multipliers, so that updates come singly",
      "",
      true},
     &Options::rebase},
    {{"sa_scale", kUsual.sa_scale, kPositive, "c of the mask λ = c ω^q"}, &Options::sa_scale},
    {{"sa_power", kUsual.sa_power, kAtLeastOne, "q of the mask"}, &Options::sa_power},
    {{"sa_learning_rate", kUsual.sa_learning_rate, kPositive, "of the ascent of ω, by Adam"},
     &Options::sa_learning_rate},
};

void validate(const StrategyOptions& options) {
  for (const PenaltyOption& option : kOptionTable) {
    const std::optional<double> value = option.value(options);
    if (value && !option.description.limits.contain(*value))
      throw InputError({.key = std::string("penalty.") + option.description.name,
                        .value = short_number_text(*value),
                        .rule = describe(option.description.limits)});
  }
}

}  // namespace

bool StrategyRow::uses(std::string_view option) const {
  return std::ranges::find(option_names, option) != option_names.end();
}

std::optional<double> PenaltyOption::value(const StrategyOptions& options) const {
  return std::visit([&](const auto at) { return std::optional<double>(options.*at); }, member);
}

std::span<const StrategyRow> strategy_table() { return kTable; }

std::vector<std::string> strategy_names() {
  std::vector<std::string> names;
  for (const StrategyRow& row : kTable) names.emplace_back(row.name);
  return names;
}

std::span<const PenaltyOption> penalty_options() { return kOptionTable; }

const StrategyRow* find_strategy(const std::string& name) {
  for (const StrategyRow& row : kTable)
    if (name == row.name) return &row;
  return nullptr;
}

const StrategyRow& strategy_row(const std::string& name) {
  if (const StrategyRow* const row = find_strategy(name)) return *row;
  throw InputError({.key = "penalty.strategy",
                    .value = name,
                    .rule = "no such penalty strategy",
                    .hint = hint_for(name, strategy_names())});
}

std::unique_ptr<Strategy> make_strategy(const StrategyOptions& options) {
  const StrategyRow& row = strategy_row(options.strategy);
  validate(options);
  return row.make(options);
}

}  // namespace pecann::penalty
