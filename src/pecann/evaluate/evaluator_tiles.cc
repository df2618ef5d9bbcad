// The evaluator's work on tiles: sums of residuals, seeds of the reverse pass, rows of the Jacobian.
#include <algorithm>
#include <cmath>

#include "pecann/base/check.h"
#include "pecann/base/parallel.h"
#include "pecann/evaluate/evaluator.h"
#include "pecann/evaluate/evaluator_groups.h"

namespace pecann::evaluate {
namespace {

/// distance φ(r) and its derivative
double phi(problem::Distance distance, double r) { return distance == problem::Distance::Square ? r * r : std::abs(r); }
double phi_slope(problem::Distance distance, double r) {
  if (distance == problem::Distance::Square) return 2 * r;
  return r > 0 ? 1.0 : (r < 0 ? -1.0 : 0.0);
}

}  // namespace

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

template <class Work>
void Evaluator::for_items(const std::vector<std::size_t>& groups, double flops, const Work& work) {
  const int threads = threads_for(flops);
  prepare_runners(groups, threads);
  scheduled_.clear();
  for (const std::size_t g : groups)
    scheduled_.insert(scheduled_.end(), groups_[g]->items.begin(), groups_[g]->items.end());
  parallel_for(scheduled_.size(), threads, [&](std::size_t i, int thread) {
    Item& item = *items_[scheduled_[i]];
    Group& group = *groups_[item.group];
    work(group, item, *group.runners[thread]);
  });
}

void Evaluator::run_forward(const std::vector<std::size_t>& groups) {
  for_items(groups, flops_of(groups) / 3, [&](const Group& group, Item& item, TileRunner& runner) {
    std::fill(item.sums.begin(), item.sums.end(), 0.0);
    for (std::size_t tile = item.first_tile; tile < item.last_tile; ++tile) {
      runner.forward(packed_, tile);
      add_tile_values(group, runner, item);
    }
  });
  for (const std::size_t g : groups) groups_[g]->values_valid = true;
}

void Evaluator::run_backward(const std::vector<std::size_t>& groups, const Multipliers* duals, int only_term) {
  for_items(groups, flops_of(groups), [&](const Group& group, Item& item, TileRunner& runner) {
    std::fill(item.sums.begin(), item.sums.end(), 0.0);
    std::fill(item.gradient.begin(), item.gradient.end(), 0.0);
    for (std::size_t tile = item.first_tile; tile < item.last_tile; ++tile) {
      runner.forward(packed_, tile);
      add_tile_values(group, runner, item);
      fill_seeds(group, runner, duals, only_term);
      runner.backward(packed_, item.gradient);
    }
  });
  for (const std::size_t g : groups) {
    Group& group = *groups_[g];
    group.values_valid = group.gradient_valid = true;
    if (group.weights_in_seeds && duals != nullptr) {
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
    double sum = 0;
    for (std::size_t e = 0; e < term.residuals.size(); ++e) {
      const double* const r = runner.output(group.first_output[k] + static_cast<int>(e));
      for (std::size_t i = 0; i < runner.count(); ++i) {
        const double distance = phi(term.distance, r[i]);
        if (entries != nullptr) entries[runner.first() + i] += distance;
        sum += distance;
      }
    }
    item.sums[k] += sum;
  }
}

void Evaluator::fill_seeds(const Group& group, TileRunner& runner, const Multipliers* duals, int only_term) {
  const auto points = static_cast<double>(group.bound->points().count);
  for (std::size_t k = 0; k < group.terms.size(); ++k) {
    const int t = group.terms[k];
    const Term& term = terms_[t];
    const ConstraintEntries* const constraint = constraint_of(t);
    const bool pointwise = constraint != nullptr && constraint->pointwise && only_term < 0;
    double scale = term.aggregate == problem::Aggregate::Sum ? 1.0 : 1.0 / points;
    if (only_term >= 0) {
      scale = t == only_term ? scale : 0.0;
    } else if (constraint == nullptr) {
      scale *= term.weight;
    } else if (pointwise) {
      scale = 1;
    } else if (group.unit_entry < 0) {
      const std::size_t entry = constraint->first;
      scale *= duals->multiplier[entry] + duals->penalty[entry] * values_.constraints[entry];
    }
    for (std::size_t e = 0; e < term.residuals.size(); ++e) {
      const int o = group.first_output[k] + static_cast<int>(e);
      const double* const r = runner.output(o);
      double* const seed = runner.seed(o);
      for (std::size_t i = 0; i < runner.count(); ++i) {
        double weight = scale;
        if (pointwise) {
          const std::size_t entry = constraint->first + runner.first() + i;
          weight = duals->multiplier[entry] + duals->penalty[entry] * values_.constraints[entry];
        }
        seed[i] = weight * phi_slope(term.distance, r[i]);
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

void Evaluator::residuals(std::span<const double> parameters, std::span<double> rows) {
  check(rows.size() == num_rows_, "one number per row");
  set_parameters(parameters);
  all_groups_.clear();
  for (std::size_t g = 0; g < groups_.size(); ++g)
    if (!groups_[g]->terms.empty()) all_groups_.push_back(g);
  for_items(all_groups_, flops() / 3, [&](const Group& group, const Item& item, TileRunner& runner) {
    const std::size_t count = group.bound->points().count;
    for (std::size_t tile = item.first_tile; tile < item.last_tile; ++tile) {
      runner.forward(packed_, tile);
      for (std::size_t k = 0; k < group.terms.size(); ++k)
        for (std::size_t e = 0; e < terms_[group.terms[k]].residuals.size(); ++e)
          std::copy_n(runner.output(group.first_output[k] + static_cast<int>(e)), runner.count(),
                      rows.data() + first_rows_[group.terms[k]] + e * count + runner.first());
    }
  });
}

void Evaluator::jacobian(std::span<const double> parameters, std::span<const double> row_scale, std::size_t block_rows,
                         const RowBlock& block) {
  check(row_scale.size() == num_rows_, "one scale per row");
  set_parameters(parameters);
  for (std::size_t g = 0; g < groups_.size(); ++g) {
    Group& group = *groups_[g];
    if (group.terms.empty()) continue;
    const std::size_t tile = group.bound->tile(), tiles = group.bound->num_tiles(), count = group.bound->points().count;
    const std::size_t tiles_per_block = std::max<std::size_t>(1, block_rows / tile), stride = tiles_per_block * tile;
    const int outputs = group.bound->num_outputs();
    const int threads = threads_for(group.bound->flops_per_point() * static_cast<double>(count));
    prepare_runners({g}, threads);
    const std::size_t block_size = model_->num_parameters() * stride;
    jacobian_.resize(block_size * outputs);
    for (std::size_t first = 0; first < tiles; first += tiles_per_block) {
      const std::size_t in_block = std::min(tiles_per_block, tiles - first);
      parallel_for(in_block, threads, [&](std::size_t i, int thread) {
        TileRunner& runner = *group.runners[thread];
        runner.forward(packed_, first + i);
        for (int o = 0; o < outputs; ++o) {
          for (int other = 0; other < outputs; ++other) std::fill_n(runner.seed(other), runner.points(), 0.0);
          const double* const scale = row_scale.data() + row_of(group, o) + runner.first();
          std::copy_n(scale, runner.count(), runner.seed(o));
          runner.jacobian(packed_, jacobian_.data() + o * block_size + i * tile, stride);
        }
      });
      const std::size_t rows = std::min(in_block * tile, count - first * tile);
      for (int o = 0; o < outputs; ++o)
        block(row_of(group, o) + first * tile, rows, jacobian_.data() + o * block_size, stride);
    }
  }
}

std::size_t Evaluator::row_of(const Group& group, int output) const {
  for (std::size_t k = group.terms.size(); k-- > 0;)
    if (output >= group.first_output[k])
      return first_rows_[group.terms[k]] + (output - group.first_output[k]) * group.bound->points().count;
  check(false, "every output belongs to a term");
  return 0;
}

std::optional<NotFinite> Evaluator::find_not_finite(std::span<const double> parameters) {
  std::vector<double> rows(num_rows_);
  residuals(parameters, rows);
  for (std::size_t t = 0; t < terms_.size(); ++t) {
    const sampling::PointSet& points = groups_[terms_[t].point_set]->bound->points();
    for (std::size_t row = 0; row < points.count * terms_[t].residuals.size(); ++row) {
      const double residual = rows[first_rows_[t] + row];
      if (std::isfinite(residual)) continue;
      NotFinite found{terms_[t].name, row % points.count, {}, residual};
      for (const auto& coordinate : points.coordinates) found.coordinates.push_back(coordinate[found.point]);
      return found;
    }
  }
  return std::nullopt;
}

}  // namespace pecann::evaluate
