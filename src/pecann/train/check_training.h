// What can be wrong with a training is found before anything of its size is made: no point is drawn, no
// network is evaluated.
#pragma once

#include <cstddef>

#include "pecann/problem/problem.h"
#include "pecann/train/extensions.h"

namespace pecann::train {

/// So many different sets of phase constants are looked at.
inline constexpr std::size_t kMostVariants = 20;

/// Throws the InputErrors that training would meet at its beginning or between its phases: unknown optimisers and
/// options, terms that an optimiser cannot take, matrices beyond its memory limit, equations without meaning for the
/// constants of a phase (of the first kMostVariants phases that have other ones), a reference that does not fit, points
/// of a file outside of the first window.
void check_training(const problem::Problem& problem, const Extensions& extensions = {});

}  // namespace pecann::train
