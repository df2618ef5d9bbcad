// Time windows: the time axis cut into equal parts that are trained one after the other. A problem
// without windows has one.
#pragma once

#include <span>
#include <vector>

#include "pecann/evaluate/model.h"
#include "pecann/problem/problem.h"
#include "pecann/sampling/points.h"

namespace pecann::train {

struct Window {
  int index = 0;  // from 0
  int count = 1;
  int part = 0, parts = 1;  // a window that grows: its first (part + 1)/parts
};

/// The part of the domain that a window covers.
sampling::Box window_box(const problem::Problem& problem, const Window& window);

/// Epochs of a window that is tried so: all of its phases on every part, unless stop.epochs ends it before.
long planned_epochs(const problem::Problem& problem, const problem::WindowTry& attempt);
/// The epochs of one phase.
int planned_epochs(const problem::PhaseSpec& phase, const problem::WindowTry& attempt);

/// The ranges that a window's network inputs are normalised with (windows.normalise): all of the
/// window, also while it grows.
sampling::Box normalisation_box(const problem::Problem& problem, const Window& window);

/// The parameters of the window after this one's for the same functions of the coordinates, beyond the time they were
/// trained for: first-layer biases move where time is normalised by the window. Networks with a Fourier layer of time
/// are refused when the problem is read.
std::vector<double> extrapolated(const problem::Problem& problem, const evaluate::Model& model,
                                 std::span<const double> parameters);

}  // namespace pecann::train
