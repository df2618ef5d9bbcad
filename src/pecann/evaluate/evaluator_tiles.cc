// The evaluator's work on tiles: sums of residuals and the seeds of the reverse pass.
#include <algorithm>
#include <cmath>

#include "pecann/base/parallel.h"
#include "pecann/base/require.h"
#include "pecann/evaluate/evaluator.h"
#include "pecann/evaluate/evaluator_groups.h"

namespace pecann::evaluate {

double distance(problem::Distance kind, double residual) {
  return kind == problem::Distance::Square ? residual * residual : std::abs(residual);
}

double distance_slope(problem::Distance kind, double residual) {
  if (kind == problem::Distance::Square) return 2 * residual;
  return residual > 0 ? 1.0 : (residual < 0 ? -1.0 : 0.0);
}

void Evaluator::prepare_runners(const std::vector<std::size_t>& groups, int threads) {
  for (const std::size_t g : groups) {
    Group& group = *groups_[g];
    while (static_cast<int>(group.runners.size()) < threads)
      group.runners.push_back(std::make_unique<TileRunner>(*group.bound));
  }
}

double Evaluator::flops_of(const std::vector<std::size_t>& groups) const {
  double sum = 0;
  for (const std::size_t g : groups)
    sum += groups_[g]->bound->flops_per_point() * static_cast<double>(groups_[g]->bound->points().count);
  return sum;
}

void Evaluator::run_forward(const std::vector<std::size_t>& groups) {
  for_items(groups, flops_of(groups) / 3, [&](const Group& group, Item& item, TileRunner& runner) {
    std::fill(item.sums.begin(), item.sums.end(), 0.0);
    for (std::size_t tile = item.first_tile; tile < item.last_tile; ++tile) {
      runner.forward(packed_, tile);
      group.integrals ? add_integral_tile(group, runner, item) : add_tile_values(group, runner, item);
    }
  });
  exchange_values(groups);
  for (const std::size_t g : groups) {
    if (groups_[g]->integrals) finish_integrals(*groups_[g]);
    groups_[g]->values_valid = true;
  }
}

void Evaluator::run_backward(const std::vector<std::size_t>& groups, const Multipliers* duals) {
  for (const std::size_t g : groups)
    if (groups_[g]->integrals) seed_integrals(*groups_[g], duals);
  for_items(groups, flops_of(groups), [&](const Group& group, Item& item, TileRunner& runner) {
    std::fill(item.gradient.begin(), item.gradient.end(), 0.0);
    if (group.integrals) {
      pull_back_integrals(group, item, runner);
      return;
    }
    std::fill(item.sums.begin(), item.sums.end(), 0.0);
    for (std::size_t tile = item.first_tile; tile < item.last_tile; ++tile) {
      runner.forward(packed_, tile);
      add_tile_values(group, runner, item);
      fill_seeds(group, runner, duals);
      runner.backward(packed_, item.gradient);
    }
  });
  exchange_values(groups);
  for (const std::size_t g : groups) {
    Group& group = *groups_[g];
    group.values_valid = group.gradient_valid = true;
    if (group.weights_in_seeds() && duals != nullptr) {
      group.seed_multiplier.assign(duals->multiplier.begin(), duals->multiplier.end());
      group.seed_penalty.assign(duals->penalty.begin(), duals->penalty.end());
    }
  }
}

void Evaluator::add_tile_values(const Group& group, const TileRunner& runner, Item& item) {
  for (std::size_t k = 0; k < group.terms.size(); ++k) {
    const Term& term = terms_[group.terms[k]];
    double* const entries = entries_of(group.terms[k]);
    if (entries != nullptr) std::fill_n(entries + runner.first(), runner.count(), 0.0);
    const double* const weights = group.importance == nullptr ? nullptr : group.importance + runner.first();
    double sum = 0, plain = 0;
    for (std::size_t e = 0; e < term.residuals.size(); ++e) {
      const double* const r = runner.output(group.first_output[k] + static_cast<int>(e));
      const double equation_weight = term.equation_weight(e);
      for (std::size_t i = 0; i < runner.count(); ++i) {
        double part = distance(term.distance, violation(term, r[i]));
        if (weights != nullptr) part *= weights[i];
        plain += part;
        part *= equation_weight;
        if (entries != nullptr) entries[runner.first() + i] += term.multiplied_inequality ? r[i] : part;
        sum += part;
      }
    }
    item.sums[k] += sum;
    item.sums[group.terms.size() + k] += plain;
  }
}

void Evaluator::fill_seeds(const Group& group, TileRunner& runner, const Multipliers* duals) {
  const auto points = static_cast<double>(group.bound->points().count);
  for (std::size_t k = 0; k < group.terms.size(); ++k) {
    const int t = group.terms[k];
    const Term& term = terms_[t];
    const ConstraintEntries* const constraint = constraint_of(t);
    const bool pointwise = constraint != nullptr && constraint->pointwise;
    double scale = term.aggregate == problem::Aggregate::Sum ? 1.0 : 1.0 / points;
    if (constraint == nullptr) {
      scale *= term.weight;
    } else if (pointwise) {
      scale = 1;
    } else if (group.weights != ConstraintWeights::InFinalSum) {
      scale *= duals->weight(constraint->first, values_.constraints);
    }
    const double* const weights = group.importance == nullptr ? nullptr : group.importance + runner.first();
    for (std::size_t e = 0; e < term.residuals.size(); ++e) {
      const int o = group.first_output[k] + static_cast<int>(e);
      const double* const r = runner.output(o);
      double* const seed = runner.seed(o);
      const double equation_weight = term.equation_weight(e);
      for (std::size_t i = 0; i < runner.count(); ++i) {
        double weight = scale;
        if (pointwise) weight = duals->weight(constraint->first + runner.first() + i, values_.constraints);
        if (weights != nullptr) weight *= weights[i];
        seed[i] = term.multiplied_inequality ? std::max(0.0, weight)
                                             : weight * equation_weight * distance_slope(term.distance, r[i]);
      }
      std::fill(seed + runner.count(), seed + runner.points(), 0.0);
    }
  }
}

const ConstraintEntries* Evaluator::constraint_of(int term) const {
  for (const ConstraintEntries& entry : entries_)
    if (entry.term == term) return &entry;
  return nullptr;
}

double* Evaluator::entries_of(int term) {
  const ConstraintEntries* const constraint = constraint_of(term);
  return constraint != nullptr && constraint->pointwise ? values_.constraints.data() + constraint->first : nullptr;
}

}  // namespace pecann::evaluate
