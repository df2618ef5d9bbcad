// What the choice of a training (choose_training.h) has of it already: the steps of solves whose coefficients it kept,
// and the time that it took. A trial takes these steps over instead of making them again; its numbers are the same bits
// as without them.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "pecann/optim/solve.h"

namespace pecann::train {

struct HeadStart {
  std::uint64_t seed = 0;                                         // of the trial that the steps belong to
  std::vector<std::shared_ptr<const optim::KnownSteps>> windows;  // null where nothing was kept
  double seconds = 0;                                             // by the clock

  std::shared_ptr<const optim::KnownSteps> steps_of(std::uint64_t trial_seed, int window) const {
    const auto index = static_cast<std::size_t>(window);
    return trial_seed == seed && index < windows.size() ? windows[index] : nullptr;
  }
};

}  // namespace pecann::train
