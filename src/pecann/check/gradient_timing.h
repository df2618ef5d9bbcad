// How long one loss and gradient of a problem takes on this machine.
#pragma once

#include <cstddef>

#include "pecann/problem/problem.h"

namespace pecann::check {

struct GradientTiming {
  std::size_t parameters = 0, points = 0;
  double median_ms = 0, min_ms = 0;  // wall time
  /// The median of the processor's time, all threads together: it hardly depends on what else the machine does.
  double cpu_ms = 0;
  double flops = 0;  // floating-point operations of one evaluation
};

/// Evaluates the first window at fresh parameters for `seconds`, at least five times.
GradientTiming time_gradient(const problem::Problem& problem, double seconds);

}  // namespace pecann::check
