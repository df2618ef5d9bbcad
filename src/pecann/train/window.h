// Time windows: the time axis cut into equal parts that are trained one after the other. A problem without windows has one.
#pragma once

#include "pecann/problem/problem.h"
#include "pecann/sampling/points.h"

namespace pecann::train {

struct Window {
  int index = 0;   // from 0
  int count = 1;
};

/// The part of the domain that a window covers.
sampling::Box window_box(const problem::Problem& problem, const Window& window);

/// The ranges that a window's network inputs are normalised with (windows.normalise).
sampling::Box normalisation_box(const problem::Problem& problem, const Window& window);

}  // namespace pecann::train
