#include "pecann/penalty/weights.h"

#include <cmath>

#include "pecann/base/input_error.h"
#include "pecann/base/require.h"
#include "pecann/penalty/dual_update.h"

namespace pecann::penalty {
namespace {
constexpr double kBeta1 = 0.9, kBeta2 = 0.999, kEpsilon = 1e-8;  // constants of Adam
}

DualState FixedWeights::start(std::size_t count) const { return constant_start(count, options_.multiplier, 0.0); }

bool FixedWeights::update(std::span<const double>, double, std::span<const double>, DualState&) { return false; }

DualState SelfAdaptiveWeights::start(std::size_t count) const {
  return constant_start(count, options_.multiplier, 0.0);
}

bool SelfAdaptiveWeights::update(std::span<const double> constraints, double, std::span<const double>,
                                 DualState& duals) {
  require(constraints.size() == duals.size(), "one dual entry per constraint");
  const double c = options_.sa_scale, q = options_.sa_power;
  if (weight_.empty()) {
    weight_.assign(duals.size(), std::pow(options_.multiplier / c, 1 / q));
    first_moment_.assign(duals.size(), 0.0);
    second_moment_.assign(duals.size(), 0.0);
  }
  if (weight_.size() != duals.size())  // they came from a checkpoint of another problem
    throw InputError({.rule = "the checkpoint's self-adaptive weights do not fit the constraints"});

  ++steps_;
  const double t = static_cast<double>(steps_);
  const double rate = options_.sa_learning_rate / (1 - std::pow(kBeta1, t));
  const double root = std::sqrt(1 - std::pow(kBeta2, t));
  bool changed = false;
  for (std::size_t i = 0; i < weight_.size(); ++i) {
    const double ascent = c * q * std::pow(weight_[i], q - 1) * constraints[i];
    first_moment_[i] = kBeta1 * first_moment_[i] + (1 - kBeta1) * ascent;
    second_moment_[i] = kBeta2 * second_moment_[i] + (1 - kBeta2) * ascent * ascent;
    weight_[i] += rate * first_moment_[i] / (std::sqrt(second_moment_[i]) / root + kEpsilon);
    const double multiplier = bounded(c * std::pow(weight_[i], q));
    changed |= multiplier != duals.multiplier[i];
    duals.multiplier[i] = multiplier;
  }
  return changed;
}

void SelfAdaptiveWeights::save(StateWriter& writer) const {
  writer.put_integer("penalty.steps", steps_);
  writer.put("penalty.weight", weight_);
  writer.put("penalty.first_moment", first_moment_);
  writer.put("penalty.second_moment", second_moment_);
}

void SelfAdaptiveWeights::load(const StateReader& reader) {
  steps_ = reader.get_integer("penalty.steps");
  weight_ = reader.get("penalty.weight");
  first_moment_.resize(weight_.size());
  second_moment_.resize(weight_.size());
  reader.get("penalty.first_moment", first_moment_);
  reader.get("penalty.second_moment", second_moment_);
}

}  // namespace pecann::penalty
