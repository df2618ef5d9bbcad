#include "pecann/penalty/registry.h"

#include <fmt/format.h>

#include <cmath>

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

const StrategyRow kTable[] = {
    {"capu", "conditionally adaptive: each penalty follows its own violation, once the loss has settled",
     make<ConditionallyAdaptiveUpdate>},
    {"mpu", "monotonic: multipliers and one growing penalty, every epoch", make<MonotonicUpdate>},
    {"cpu", "conditional: multipliers when the violation fell, else the penalty grows", make<ConditionalUpdate>},
    {"rmsprop", "penalties by RMSProp directly, every epoch (the ancestor of capu, for comparison)",
     make<RmspropUpdate>},
    {"fixed", "constant weights, no penalty: the classical physics-informed network", make<FixedWeights>},
    {"sa", "self-adaptive weights trained by gradient ascent, no penalty", make<SelfAdaptiveWeights>},
};

[[noreturn]] void refuse(const std::string& key, const std::string& value, const std::string& rule,
                         const std::string& hint) {
  InputError::Parts parts;
  parts.key = "penalty." + key;
  parts.value = value;
  parts.rule = rule;
  parts.hint = hint;
  throw InputError(parts);
}

void accept_only(bool condition, const char* key, double value, const char* rule) {
  if (!condition) refuse(key, fmt::format("{}", value), rule, "");
}

void validate(const StrategyOptions& o) {
  accept_only(o.beta >= 1 && std::isfinite(o.beta), "beta", o.beta, "must be 1 or more");
  accept_only(o.penalty_max > 0, "penalty_max", o.penalty_max, "must be positive");
  accept_only(o.zeta >= 0 && o.zeta < 1, "zeta", o.zeta, "must be in [0, 1)");
  accept_only(o.omega > 0 && std::isfinite(o.omega), "omega", o.omega, "must be positive");
  accept_only(o.epsilon > 0 && std::isfinite(o.epsilon), "epsilon", o.epsilon, "must be positive");
  accept_only(o.multiplier >= 0 && std::isfinite(o.multiplier), "multiplier", o.multiplier, "must not be negative");
  accept_only(o.penalty >= 0 && std::isfinite(o.penalty), "penalty", o.penalty, "must not be negative");
  accept_only(o.sa_scale > 0 && std::isfinite(o.sa_scale), "sa_scale", o.sa_scale, "must be positive");
  accept_only(o.sa_power >= 1 && std::isfinite(o.sa_power), "sa_power", o.sa_power, "must be 1 or more");
  accept_only(o.sa_learning_rate > 0 && std::isfinite(o.sa_learning_rate), "sa_learning_rate", o.sa_learning_rate,
              "must be positive");
}

}  // namespace

std::span<const StrategyRow> strategy_table() { return kTable; }

std::unique_ptr<Strategy> make_strategy(const StrategyOptions& options) {
  for (const StrategyRow& row : kTable) {
    if (options.name != row.name) continue;
    validate(options);
    return row.make(options);
  }
  std::vector<std::string> names;
  for (const StrategyRow& row : kTable) names.emplace_back(row.name);
  refuse("strategy", options.name, "no such penalty strategy", hint_for(options.name, names));
}

}  // namespace pecann::penalty
