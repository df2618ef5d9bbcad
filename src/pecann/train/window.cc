#include "pecann/train/window.h"

#include "pecann/base/check.h"

namespace pecann::train {

sampling::Box window_box(const problem::Problem& problem, const Window& window) {
  sampling::Box box = problem.box;
  if (window.count == 1) return box;
  check(box.time >= 0, "windows without a time are refused when the problem is read");
  const double start = box.lower[box.time], length = box.upper[box.time] - start;
  box.lower[box.time] = start + length * window.index / window.count;
  if (window.index + 1 < window.count)  // the last window ends where the problem does, to the bit
    box.upper[box.time] = start + length * (window.index + 1) / window.count;
  return box;
}

sampling::Box normalisation_box(const problem::Problem& problem, const Window& window) {
  return problem.windows.normalise == "window" ? window_box(problem, window) : problem.box;
}

}  // namespace pecann::train
