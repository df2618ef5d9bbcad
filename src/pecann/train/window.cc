#include "pecann/train/window.h"

#include <algorithm>
#include <cmath>

#include "pecann/base/require.h"

namespace pecann::train {

sampling::Box window_box(const problem::Problem& problem, const Window& window) {
  sampling::Box box = problem.box;
  if (window.count == 1 && window.parts == 1) return box;
  require(box.time >= 0, "windows without a time are refused when the problem is read");
  const double start = box.lower[box.time], length = box.upper[box.time] - start;
  box.lower[box.time] = start + length * window.index / window.count;
  if (window.index + 1 < window.count)  // the last window ends where the problem does, to the bit
    box.upper[box.time] = start + length * (window.index + 1) / window.count;
  if (window.part + 1 < window.parts) {
    const double own = box.upper[box.time] - box.lower[box.time];
    box.upper[box.time] = box.lower[box.time] + own * (window.part + 1) / window.parts;
  }
  return box;
}

int planned_epochs(const problem::PhaseSpec& phase, const problem::WindowTry& attempt) {
  return static_cast<int>(std::ceil(phase.epochs * attempt.epochs));
}

long planned_epochs(const problem::Problem& problem, const problem::WindowTry& attempt) {
  long epochs = 0;
  for (const problem::PhaseSpec& phase : problem.phases) epochs += planned_epochs(phase, attempt);
  epochs *= attempt.grow;
  return problem.stop.epochs ? std::min<long>(epochs, *problem.stop.epochs) : epochs;
}

sampling::Box normalisation_box(const problem::Problem& problem, const Window& window) {
  return problem.windows.normalise == problem::Normalise::Window ? window_box(problem, {window.index, window.count})
                                                                 : problem.box;
}

std::vector<double> extrapolated(const problem::Problem& problem, const evaluate::Model& model,
                                 std::span<const double> parameters) {
  std::vector<double> result(parameters.begin(), parameters.end());
  if (problem.windows.normalise != problem::Normalise::Window) return result;
  for (std::size_t n = 0; n < model.networks().size(); ++n) {
    const std::vector<std::string>& inputs = model.network_inputs()[n];
    const auto time = std::find(inputs.begin(), inputs.end(), problem.box.names[problem.box.time]);
    if (time == inputs.end()) continue;
    const network::Network::Layer& first = model.networks()[n].layers()[0];
    double* const weights = result.data() + model.network_offset(static_cast<int>(n)) + first.offset;
    double* const biases = weights + static_cast<std::size_t>(first.in) * first.out;
    // The normalised time is t̂ = (t − middle) √12 / length: in the next window it is smaller by √12 at the same t.
    for (int row = 0; row < first.out; ++row)
      biases[row] += std::sqrt(12.0) * weights[static_cast<std::size_t>(row) * first.in + (time - inputs.begin())];
  }
  return result;
}

}  // namespace pecann::train
