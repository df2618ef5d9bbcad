#include "pecann/penalty/dual_state.h"

#include "pecann/base/require.h"

namespace pecann::penalty {
namespace {

constexpr std::size_t kPartial = 8;  // interleaved sums: vectorised in a fixed order, the same bits on every machine

}  // namespace

double augmented_lagrangian(double objective, std::span<const double> constraints, const DualState& duals) {
  require(constraints.size() == duals.size(), "one dual entry per constraint");
  const std::size_t size = constraints.size(), whole = size / kPartial * kPartial;
  double linear[kPartial] = {}, square[kPartial] = {};
  const auto take = [&](std::size_t lane, std::size_t i) {
    const double c = constraints[i];
    linear[lane] += duals.multiplier[i] * c;
    square[lane] += duals.penalty[i] * c * c;
  };
  for (std::size_t i = 0; i < whole; i += kPartial)
    for (std::size_t lane = 0; lane < kPartial; ++lane) take(lane, i + lane);
  for (std::size_t i = whole; i < size; ++i) take(i - whole, i);
  double linear_sum = 0, square_sum = 0;
  for (std::size_t lane = 0; lane < kPartial; ++lane) {
    linear_sum += linear[lane];
    square_sum += square[lane];
  }
  return objective + linear_sum + 0.5 * square_sum;
}

void save_duals(const DualState& duals, StateWriter& writer) {
  writer.put("duals.multiplier", duals.multiplier);
  writer.put("duals.penalty", duals.penalty);
  writer.put("duals.violation_average", duals.violation_average);
  writer.put("duals.previous_loss", duals.previous_loss);
  writer.put("duals.previous_norm", duals.previous_norm);
}

void load_duals(const StateReader& reader, DualState& duals) {
  reader.get("duals.multiplier", duals.multiplier);
  reader.get("duals.penalty", duals.penalty);
  reader.get("duals.violation_average", duals.violation_average);
  duals.previous_loss = reader.get_number("duals.previous_loss");
  duals.previous_norm = reader.get_number("duals.previous_norm");
}

}  // namespace pecann::penalty
