// The inside of the evaluator: groups of terms on one point set, and the work items their tiles are cut into.
#pragma once

#include <memory>
#include <vector>

#include "pecann/evaluate/evaluator.h"

namespace pecann::evaluate {

struct Evaluator::Group {
  std::vector<int> terms;           // of this point set
  std::vector<int> first_output;    // of each of them, in the program
  std::unique_ptr<BoundProgram> bound;
  std::vector<std::unique_ptr<TileRunner>> runners;  // one per thread
  std::vector<std::size_t> items;

  int unit_entry = -1;              // ≥ 0: the items hold the unit gradient of this (only) aggregated constraint
  bool weights_in_seeds = false;    // the items' gradient depends on the multipliers
  bool values_first = false;        // … through sums over all points, so that values must be known before seeds

  bool values_valid = false, gradient_valid = false;
  std::vector<double> seed_multiplier, seed_penalty;  // the duals of gradient_valid where weights_in_seeds
};

struct Evaluator::Item {
  std::size_t group;
  std::size_t first_tile, last_tile;  // half-open
  std::vector<double> sums;           // Σ φ(residual) of each of the group's terms
  AlignedVector<double> gradient;     // all parameters
};

}  // namespace pecann::evaluate
