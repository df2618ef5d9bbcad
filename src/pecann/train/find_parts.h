// Looks for parts of the domain and time windows in which random features solve a problem that they do not solve over
// the whole of it: fronts, local peaks, many waves, materials, long times.
//
// The parts are halved, level by level, and the time windows with them. Each level is solved to its end, window after
// window; what two levels differ by tells how far the coarser one is from the solution, so that no residual has to be
// believed alone. The limits are numbers of products and not seconds: the choice is a function of the problem and its
// seed.
#pragma once

#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "pecann/problem/problem.h"
#include "pecann/train/feature_solve.h"
#include "pecann/train/find_features.h"

namespace pecann::train {

/// The finest parts that were solved and trusted.
struct PartsSearch {
  std::optional<problem::Problem> solved;                   // nothing where no level was accepted
  double left = std::numeric_limits<double>::infinity();    // of the residual on fresh points, in the worst window
  double change = std::numeric_limits<double>::infinity();  // relative l² distance from the level before
  std::string what;                                         // the parts in words
  std::vector<std::shared_ptr<const optim::KnownSteps>> steps_made = {};  // of every window; null where not kept
};

/// What two levels may differ by, relative to the solution, and what may be left of the residual, for the finer one to
/// be accepted.
inline constexpr double kAcceptedChange = 0.1, kAcceptedLeft = 0.03;

struct PartsLimits {
  double products;       // of a level, with all windows and steps
  double enough = 1e-7;  // a change of the solution that needs no finer parts
};
PartsSearch find_parts(const problem::Problem& problem, bool linear, const PartsLimits& limits, const Tell& tell = {});

}  // namespace pecann::train
