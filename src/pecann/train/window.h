// Time windows: the time axis cut into equal parts that are trained one after the other. A problem without
// windows has one window.
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
  int part = 0, parts = 1;  // of a window that grows, the first (part + 1)/parts is trained
};

/// The part of the domain that a window covers.
sampling::Box window_box(const problem::Problem& problem, const Window& window);

/// The epochs of a window that is tried in this way: those of all phases on every part, unless stop.epochs is less.
long planned_epochs(const problem::Problem& problem, const problem::WindowTry& attempt);
/// The epochs of one phase in such a try.
int planned_epochs(const problem::PhaseSpec& phase, const problem::WindowTry& attempt);

/// The ranges with which a window's network inputs are normalised (windows.normalise). They cover all of the
/// window, also while it grows.
sampling::Box normalisation_box(const problem::Problem& problem, const Window& window);

/// The parameters with which the networks of the next window are the same functions of the coordinates as these, beyond
/// the time that they were trained for. The first-layer biases change where time is normalised by the window. Networks
/// with a Fourier layer of time are refused when the problem is read.
std::vector<double> extrapolated(const problem::Problem& problem, const evaluate::Model& model,
                                 std::span<const double> parameters);

}  // namespace pecann::train
