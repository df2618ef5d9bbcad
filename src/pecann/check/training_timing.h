// How long an epoch of every optimiser takes on a problem, and what of it takes how long.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "pecann/problem/problem.h"

namespace pecann::check {

struct PartTiming {
  std::string name;  // "gradient", "trial losses", "rows", "Jacobian", "Gram", "factor", "solves", "own algebra"
  double ms = 0;     // of an epoch
  double flops = 0;  // of an epoch; 0 where they are not counted
};

struct TrainingTiming {
  std::string optimizer;  // "lm", "lbfgs compatible"
  std::size_t parameters = 0, rows = 0;
  int epochs = 0;
  double ms = 0;  // of an epoch
  std::vector<PartTiming> parts;
  std::string refusal;  // why the optimiser does not fit the problem; then there are no numbers
};

/// Epochs of one optimiser at fresh parameters of the first window, for `seconds` and at least two; the first, in which
/// memory is taken, is not counted.
TrainingTiming time_training(const problem::Problem& problem, const std::string& optimizer, const std::string& mode,
                             double seconds);

}  // namespace pecann::check
