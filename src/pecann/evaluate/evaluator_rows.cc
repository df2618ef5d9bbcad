// The evaluator's residual rows: values, Jacobian, and the reverse pass with a seed per row.
#include <algorithm>
#include <cmath>

#include "pecann/base/require.h"
#include "pecann/evaluate/evaluator.h"
#include "pecann/evaluate/evaluator_groups.h"

namespace pecann::evaluate {

void Evaluator::number_rows() {
  row_offsets_.assign(1, 0);
  row_runs_.clear();
  for (const auto& group : groups_) {
    group->first_tile = row_offsets_.size() - 1;
    group->first_run = row_runs_.size();
    if (group->terms.empty()) continue;
    if (group->integrals) {  // all rows are one tile
      const std::size_t slices = group->integrals->slices;
      std::size_t row = row_offsets_.back();
      for (const int t : group->terms)
        for (int e = 0; e < static_cast<int>(terms_[t].residuals.size()); ++e, row += slices)
          row_runs_.push_back({t, e, row, 0, slices});
      row_offsets_.push_back(row);
      continue;
    }
    for (std::size_t tile = 0; tile < group->bound->num_tiles(); ++tile) {
      const auto& [first, count, place] = group->bound->tile_at(tile);
      std::size_t row = row_offsets_.back();
      for (const int t : group->terms) {
        for (int e = 0; e < static_cast<int>(terms_[t].residuals.size()); ++e) {
          row_runs_.push_back({t, e, row, first, count});
          row += count;
        }
      }
      row_offsets_.push_back(row);
    }
  }
}

const std::vector<std::size_t>& Evaluator::used_groups(bool integrals) {
  all_groups_.clear();
  for (std::size_t g = 0; g < groups_.size(); ++g)
    if (!groups_[g]->terms.empty() && (integrals || !groups_[g]->integrals)) all_groups_.push_back(g);
  return all_groups_;
}

void Evaluator::residuals(std::span<const double> parameters, std::span<double> rows) {
  require(rows.size() == num_rows(), "one number per row");
  set_parameters(parameters);
  require_integrals();
  for (const std::size_t g : integral_groups_)
    std::ranges::copy(groups_[g]->integrals->residuals,
                      rows.begin() + static_cast<std::ptrdiff_t>(row_offsets_[groups_[g]->first_tile]));
  for_items(used_groups(false), flops() / 3, [&](const Group& group, const Item& item, TileRunner& runner) {
    for (std::size_t tile = item.first_tile; tile < item.last_tile; ++tile) {
      runner.forward(packed_, tile);
      for (int o = 0; o < group.bound->num_outputs(); ++o) {
        const RowRun& run = row_runs_[group.first_run + tile * group.bound->num_outputs() + o];
        std::copy_n(runner.output(o), run.count, rows.begin() + static_cast<std::ptrdiff_t>(run.first_row));
      }
    }
  });
  communicator().share(rows, rank_rows_);
}

void Evaluator::pull_back(std::span<const double> parameters, std::span<const double> seeds,
                          std::span<double> gradient) {
  require(seeds.size() == num_rows(), "one seed per row");
  set_parameters(parameters);
  require_integrals();
  pull_back_rows(used_groups(true), seeds, gradient);
}

/// Σ_row seeds[row] ∇r_row over the rows of these groups, at the parameters that are set.
void Evaluator::pull_back_rows(const std::vector<std::size_t>& groups, std::span<const double> seeds,
                               std::span<double> gradient) {
  for (const std::size_t g : groups)
    if (groups_[g]->integrals)
      weigh_integrals(*groups_[g],
                      seeds.subspan(row_offsets_[groups_[g]->first_tile], groups_[g]->integrals->residuals.size()));
  for_items(groups, flops_of(groups), [&](const Group& group, Item& item, TileRunner& runner) {
    std::fill(item.gradient.begin(), item.gradient.end(), 0.0);
    if (group.integrals) {
      pull_back_integrals(group, item, runner);
      return;
    }
    for (std::size_t tile = item.first_tile; tile < item.last_tile; ++tile) {
      const auto rows = seeds.subspan(row_offsets_[group.first_tile + tile], row_offsets_[group.first_tile + tile + 1] -
                                                                                 row_offsets_[group.first_tile + tile]);
      if (std::all_of(rows.begin(), rows.end(), [](double seed) { return seed == 0; })) continue;
      runner.forward(packed_, tile);
      for (int o = 0; o < group.bound->num_outputs(); ++o) {
        const RowRun& run = row_runs_[group.first_run + tile * group.bound->num_outputs() + o];
        double* const seed = runner.seed(o);
        std::copy_n(seeds.begin() + static_cast<std::ptrdiff_t>(run.first_row), run.count, seed);
        std::fill(seed + run.count, seed + runner.points(), 0.0);
      }
      runner.backward(packed_, item.gradient);
    }
  });
  std::fill(group_weights_.begin(), group_weights_.end(), 0.0);
  for (const std::size_t g : groups) {
    groups_[g]->gradient_valid = false;
    group_weights_[g] = 1;
  }
  reduce(group_weights_, gradient);
  add_scalar_slopes(gradient);
}

void Evaluator::term_gradient(std::span<const double> parameters, int term, std::span<double> gradient) {
  std::vector<double> rows(num_rows());
  residuals(parameters, rows);
  const Term& of = terms_[term];
  const auto points = static_cast<double>(count_of(of));
  const bool pointwise = of.aggregate == problem::Aggregate::Pointwise;
  for (const RowRun& run : row_runs_) {
    for (std::size_t i = 0; i < run.count; ++i) {
      double& row = rows[run.first_row + i];
      const double scale = run.term != term ? 0.0 : pointwise ? 1.0 / points : share(of, run.first_point + i);
      row = scale * of.equation_weight(static_cast<std::size_t>(run.equation)) *
            distance_slope(of.distance, violation(of, row));
    }
  }
  pull_back(parameters, rows, gradient);
}

void Evaluator::jacobian(std::span<const double> parameters, std::span<const double> row_scale, std::size_t first_tile,
                         std::size_t num_tiles, double* columns, std::size_t stride) {
  require(row_scale.size() == num_rows(), "one scale per row");
  set_parameters(parameters);
  double flops = 0;
  for (const auto& group : groups_)
    if (!group->terms.empty()) flops = std::max(flops, group->bound->flops_per_point());
  const std::size_t integral_tiles = integral_groups_.size(), point_tiles = row_offsets_.size() - 1 - integral_tiles;
  integral_jacobian(row_scale, first_tile, num_tiles, columns, stride);
  if (first_tile >= point_tiles) return;
  num_tiles = std::min(num_tiles, point_tiles - first_tile);
  const std::size_t first_row = row_offsets_[first_tile], last_row = row_offsets_[first_tile + num_tiles];
  Communicator& ranks = communicator();
  const std::vector<std::size_t> rank_tiles = equal_bounds(num_tiles, ranks.size());
  const std::size_t own_tile = rank_tiles[ranks.rank()], own_tiles = rank_tiles[ranks.rank() + 1] - own_tile;
  const int threads = threads_for(flops * static_cast<double>(last_row - first_row) / ranks.size());
  prepare_runners(used_groups(false), threads);
  jacobian_tiles_.resize(std::max<std::size_t>(jacobian_tiles_.size(), threads));

  parallel_for(own_tiles, threads, [&](std::size_t own, int thread) {
    const std::size_t i = own_tile + own;
    Group& group = *groups_[group_of(first_tile + i)];
    const std::size_t tile = first_tile + i - group.first_tile;
    TileRunner& runner = *group.runners[thread];
    runner.forward(packed_, tile);
    const int outputs = group.bound->num_outputs();
    const std::size_t size = model_->num_parameters(), points = runner.points();
    AlignedVector<double>& rows = jacobian_tiles_[thread];
    rows.resize(size * group.bound->tile());
    for (int o = 0; o < outputs; ++o) {
      const RowRun& run = row_runs_[group.first_run + tile * outputs + o];
      for (int other = 0; other < outputs; ++other) std::fill_n(runner.seed(other), points, 0.0);
      std::copy_n(row_scale.begin() + static_cast<std::ptrdiff_t>(run.first_row), run.count, runner.seed(o));
      runner.jacobian(packed_, rows.data(), points);
      double* const target = columns + (run.first_row - first_row);
      for (std::size_t p = 0; p < size; ++p) std::copy_n(rows.data() + p * points, run.count, target + p * stride);
    }
  });
  if (ranks.size() > 1) share_columns(first_tile, rank_tiles, columns, stride);
}

/// The Jacobian rows of those of the tiles that belong to integrals: a reverse pass for each.
void Evaluator::integral_jacobian(std::span<const double> row_scale, std::size_t first_tile, std::size_t num_tiles,
                                  double* columns, std::size_t stride) {
  std::vector<double> seeds, gradient;
  for (const std::size_t g : integral_groups_) {
    const std::size_t tile = groups_[g]->first_tile;
    if (tile < first_tile || tile >= first_tile + num_tiles) continue;
    require_integrals();
    seeds.assign(num_rows(), 0.0);
    gradient.resize(model_->num_parameters());
    all_groups_.assign(1, g);
    const std::size_t first_row = row_offsets_[first_tile];
    for (std::size_t row = row_offsets_[tile]; row < row_offsets_[tile + 1]; ++row) {
      seeds[row] = row_scale[row];
      pull_back_rows(all_groups_, seeds, gradient);
      for (std::size_t p = 0; p < gradient.size(); ++p) columns[p * stride + (row - first_row)] = gradient[p];
      seeds[row] = 0;
    }
  }
}

/// The group of a tile that is not of integrals.
std::size_t Evaluator::group_of(std::size_t tile) const {
  std::size_t g = groups_.size() - 1;
  while (groups_[g]->terms.empty() || groups_[g]->integrals || groups_[g]->first_tile > tile) --g;
  return g;
}

std::vector<int> Evaluator::networks_of(std::size_t tile) const {
  if (tile + integral_groups_.size() + 1 >= row_offsets_.size()) return {};
  const Group& group = *groups_[group_of(tile)];
  return group.bound->networks_on(tile - group.first_tile);
}

void Evaluator::jacobian(std::span<const double> parameters, std::span<const double> row_scale,
                         std::span<const std::size_t> tiles, std::span<const std::ptrdiff_t> first_column,
                         double* columns, std::size_t stride) {
  require(row_scale.size() == num_rows(), "one scale per row");
  set_parameters(parameters);
  std::vector<std::size_t> first_row = {0};
  for (const std::size_t tile : tiles)
    first_row.push_back(first_row.back() + row_offsets_[tile + 1] - row_offsets_[tile]);
  prepare_runners(used_groups(false), thread_count());
  std::size_t used = 0;  // columns that a tile may write
  for (std::size_t n = 0; n < first_column.size(); ++n)
    if (first_column[n] >= 0)
      used = std::max(used, static_cast<std::size_t>(first_column[n]) + model_->networks()[n].num_parameters());
  jacobian_tiles_.resize(std::max<std::size_t>(jacobian_tiles_.size(), thread_count()));
  parallel_for(tiles.size(), thread_count(), [&](std::size_t i, int thread) {
    Group& group = *groups_[group_of(tiles[i])];
    const std::size_t tile = tiles[i] - group.first_tile;
    TileRunner& runner = *group.runners[thread];
    runner.forward(packed_, tile);
    const int outputs = group.bound->num_outputs();
    const std::size_t points = runner.points();
    AlignedVector<double>& rows = jacobian_tiles_[thread];
    rows.resize(std::max(rows.size(), used * group.bound->tile()));
    const std::vector<int> networks = group.bound->networks_on(tile);
    for (int o = 0; o < outputs; ++o) {
      const RowRun& run = row_runs_[group.first_run + tile * outputs + o];
      for (int other = 0; other < outputs; ++other) std::fill_n(runner.seed(other), points, 0.0);
      std::copy_n(row_scale.begin() + static_cast<std::ptrdiff_t>(run.first_row), run.count, runner.seed(o));
      runner.jacobian(packed_, rows.data(), points, first_column);
      double* const target = columns + first_row[i] + (run.first_row - row_offsets_[tiles[i]]);
      for (const int n : networks) {
        if (first_column[n] < 0) continue;
        const auto first = static_cast<std::size_t>(first_column[n]);
        for (std::size_t p = first; p < first + model_->networks()[n].num_parameters(); ++p)
          std::copy_n(rows.data() + p * points, run.count, target + p * stride);
      }
    }
  });
}

/// Every rank's columns [parameter][row] become one message: the numbers of its rows, parameter by parameter.
void Evaluator::share_columns(std::size_t first_tile, std::span<const std::size_t> rank_tiles, double* columns,
                              std::size_t stride) {
  Communicator& ranks = communicator();
  const std::size_t size = model_->num_parameters(), first_row = row_offsets_[first_tile];
  std::vector<std::size_t> rows, bounds;
  for (const std::size_t tile : rank_tiles) {
    rows.push_back(row_offsets_[first_tile + tile] - first_row);
    bounds.push_back(rows.back() * size);
  }
  shared_rows_.resize(bounds.back());
  const auto each = [&](int rank, const auto& copy) {
    const std::size_t count = rows[rank + 1] - rows[rank];
    for (std::size_t p = 0; p < size; ++p)
      copy(shared_rows_.data() + bounds[rank] + p * count, columns + p * stride + rows[rank], count);
  };
  each(ranks.rank(),
       [](double* packed, const double* column, std::size_t count) { std::copy_n(column, count, packed); });
  ranks.share(shared_rows_, bounds);
  for (int rank = 0; rank < ranks.size(); ++rank)
    if (rank != ranks.rank())
      each(rank, [](const double* packed, double* column, std::size_t count) { std::copy_n(packed, count, column); });
}

std::optional<NotFinite> Evaluator::find_not_finite(std::span<const double> parameters) {
  std::vector<double> rows(num_rows());
  residuals(parameters, rows);
  for (const RowRun& run : row_runs_) {
    for (std::size_t i = 0; i < run.count; ++i) {
      const double residual = rows[run.first_row + i];
      if (std::isfinite(residual)) continue;
      const Term& term = terms_[run.term];
      NotFinite found{term.name, run.first_point + i, {}, residual};
      if (expr::has_integrals(term.residuals)) return found;
      for (const auto& coordinate : groups_[term.point_set]->bound->points().coordinates)
        found.coordinates.push_back(coordinate[found.point]);
      return found;
    }
  }
  return std::nullopt;
}

}  // namespace pecann::evaluate
