// The inside of the evaluator: groups of terms on one point set, and the work items their tiles are cut into.
#pragma once

#include <memory>
#include <vector>

#include "pecann/base/communicator.h"
#include "pecann/base/parallel.h"
#include "pecann/evaluate/evaluator.h"
#include "pecann/expr/integral.h"

namespace pecann::evaluate {

/// Where the weights λ + μC of a group's constraints enter its gradient.
enum class ConstraintWeights {
  None,        // no constraints: the items hold the gradient of the objective
  InFinalSum,  // one aggregated constraint alone: the items hold ∇C, and their sum is weighted
  AtPoints,    // in the seeds: each constraint is one point's, known as soon as its residual is
  FromSums,    // in the seeds: aggregated constraints among other terms, whose sums over all points must be known first
};

/// The integrals of a group's equations, numbered over all of its terms. Arrays of slices are [k · slices + slice].
struct Integrals {
  expr::IntegralEquations equations;
  std::size_t point_set = 0;
  std::vector<int> first_equation;      // by term of the group
  std::vector<int> scalars;             // the model's index of each scalar outside of integrals
  std::size_t slices = 1;               // 1, or the number of times
  std::vector<std::uint32_t> slice_of;  // by point; empty: all in one
  std::vector<double> times;            // by slice
  const double* weight = nullptr;       // quadrature, a column of the points
  std::vector<double> measure;          // Σ weight, by slice

  // At the parameters of values_valid.
  std::vector<double> values;                  // I, by integrand and slice
  std::vector<double> residuals;               // r, by equation and slice
  std::vector<double> by_integral, by_scalar;  // ∂r/∂I and ∂r/∂s, by equation, integrand (scalar) and slice
  // The seeds of a reverse pass.
  std::vector<double> factor;  // Σ_e ∂L/∂r_e ∂r_e/∂I_k (over the measure where I_k is a mean), by k and slice
  std::vector<double> scalar_slope;  // Σ ∂L/∂r ∂r/∂s, by scalar

  std::size_t slice(std::size_t point) const { return slice_of.empty() ? 0 : slice_of[point]; }
};

struct Evaluator::Group {
  std::vector<int> terms;         // the terms of this point set
  std::vector<int> first_output;  // the first output of each term in the program
  std::unique_ptr<BoundProgram> bound;
  const double* importance = nullptr;                // a column of the points; null: all are 1
  std::vector<std::unique_ptr<TileRunner>> runners;  // one per thread
  std::vector<std::size_t> items;
  std::size_t first_tile = 0;  // in the numbering of row_offsets()
  std::size_t first_run = 0;   // in row_runs(): tile by tile, num_outputs runs each

  ConstraintWeights weights = ConstraintWeights::None;
  std::size_t unit_entry = 0;  // InFinalSum: the only constraint
  /// True where the items' gradient depends on the multipliers.
  bool weights_in_seeds() const {
    return weights == ConstraintWeights::AtPoints || weights == ConstraintWeights::FromSums;
  }

  std::vector<std::size_t> rank_points;  // bounds of the ranks' points

  /// A group of integrals: the program computes the integrands at the points.
  std::unique_ptr<Integrals> integrals;  // null for equations at points

  bool values_valid = false, gradient_valid = false;
  std::vector<double> seed_multiplier, seed_penalty;  // the duals of gradient_valid where weights_in_seeds()
};

struct Evaluator::Item {
  std::size_t group;
  std::size_t first_tile, last_tile;  // half-open
  std::vector<double> sums;           // Σ weight φ(residual) of each of the group's terms, then Σ φ(residual);
                                      // of integrals: Σ weight · integrand, by integrand and slice
  AlignedVector<double> gradient;     // all parameters
};

template <class Work>
void Evaluator::for_items(const std::vector<std::size_t>& groups, double flops, const Work& work) {
  const Communicator& ranks = communicator();
  const int threads = threads_for(flops / ranks.size());
  prepare_runners(groups, threads);
  scheduled_.clear();
  const std::size_t first = rank_items_[ranks.rank()], last = rank_items_[ranks.rank() + 1];
  for (const std::size_t g : groups)
    for (const std::size_t i : groups_[g]->items)
      if (i >= first && i < last) scheduled_.push_back(i);
  parallel_for(scheduled_.size(), threads, [&](std::size_t i, int thread) {
    Item& item = *items_[scheduled_[i]];
    Group& group = *groups_[item.group];
    work(group, item, *group.runners[thread]);
  });
}

}  // namespace pecann::evaluate
