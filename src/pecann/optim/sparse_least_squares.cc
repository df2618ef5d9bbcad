#include "pecann/optim/sparse_least_squares.h"

#include <algorithm>
#include <cmath>

#include "pecann/base/aligned_vector.h"
#include "pecann/optim/dense_gram.h"
#include "pecann/optim/frontal_cholesky.h"
#include "pecann/optim/frontal_qr.h"
#include "pecann/optim/vector_algebra.h"

namespace pecann::optim {
namespace {

constexpr std::size_t kRowsOfPanel = 512;

EliminationOrder order_of(const Residuals& residuals) {
  std::vector<std::vector<int>> blocks_of;
  for (std::size_t tile = 0; tile + 1 < residuals.row_offsets().size(); ++tile)
    blocks_of.push_back(residuals.blocks_of(tile));
  return {residuals.blocks().size(), blocks_of};
}

}  // namespace

SparseLeastSquares::SparseLeastSquares(Residuals& residuals)
    : residuals_(&residuals),
      blocks_(residuals.blocks().begin(), residuals.blocks().end()),
      order_(order_of(residuals)) {
  std::size_t before = 0;
  for (const Residuals::Block& block : blocks_) {
    sizes_.push_back(block.count);
    first_.push_back(before);
    before += block.count;
  }
}

template <class Work>
void SparseLeastSquares::for_panels(std::span<const double> x, std::span<const std::size_t> tiles,
                                    const ColumnLayout& layout, const Work& work) {
  const std::span<const std::size_t> offsets = residuals_->row_offsets();
  AlignedVector<double> panel;
  std::vector<std::size_t> rows;
  for (std::size_t first = 0; first < tiles.size();) {
    rows.clear();
    std::size_t end = first;
    for (; end < tiles.size(); ++end) {
      const std::size_t begin = offsets[tiles[end]], after = offsets[tiles[end] + 1];
      if (end > first && rows.size() + after - begin > kRowsOfPanel) break;
      for (std::size_t row = begin; row < after; ++row) rows.push_back(row);
    }
    const std::size_t stride = round_up(rows.size(), kLanes) + kLanes;
    panel.assign((layout.columns + 1) * stride, 0.0);
    residuals_->jacobian(x, tiles.subspan(first, end - first), layout.first_column, panel.data(), stride);
    work(Panel{&layout, panel.data(), rows, stride});
    first = end;
  }
}

template <class Work>
void SparseLeastSquares::for_all_panels(std::span<const double> x, const Work& work) {
  for (const std::vector<EliminationOrder::Group>& groups : order_.groups)
    for (const EliminationOrder::Group& group : groups)
      for_panels(x, group.tiles, ColumnLayout(group.blocks, sizes_), work);
}

template <class Work>
void SparseLeastSquares::for_columns(const ColumnLayout& layout, const Work& work) const {
  for (std::size_t block = 0; block < blocks_.size(); ++block)
    if (layout.first_column[block] >= 0)
      for (std::size_t q = 0; q < blocks_[block].count; ++q)
        work(static_cast<std::size_t>(layout.first_column[block]) + q, blocks_[block].first + q, first_[block] + q);
}

std::vector<double> SparseLeastSquares::row_squares(std::span<const double> x) {
  std::vector<double> squares(residuals_->num_rows(), 0.0);
  for_all_panels(x, [&](const Panel& panel) {
    for (std::size_t c = 0; c < panel.layout->columns; ++c) {
      const double* const column = panel.column(c);
      for (std::size_t j = 0; j < panel.rows.size(); ++j) squares[panel.rows[j]] += column[j] * column[j];
    }
  });
  return squares;
}

/// 1 / ‖column‖ of the weighted rows by parameter; 0 for a column of zeros.
std::vector<double> SparseLeastSquares::column_scale(std::span<const double> x, std::span<const double> weights) {
  std::vector<double> scale(x.size(), 0.0);
  for_all_panels(x, [&](const Panel& panel) {
    for_columns(*panel.layout, [&](std::size_t c, std::size_t p, std::size_t) {
      const double* const column = panel.column(c);
      for (std::size_t j = 0; j < panel.rows.size(); ++j) {
        const double entry = weights[panel.rows[j]] * column[j];
        scale[p] += entry * entry;
      }
    });
  });
  for (double& factor : scale) factor = factor > 0 ? 1 / std::sqrt(factor) : 0;
  return scale;
}

/// Jacobian rows become those of the system, with the constants behind the last column.
void SparseLeastSquares::weigh(const System& system, const Panel& panel) const {
  double* const constant = panel.column(panel.layout->columns);
  const std::size_t count = panel.rows.size();
  std::vector<double> weights(count);
  for (std::size_t j = 0; j < count; ++j) {
    weights[j] = system.weights[panel.rows[j]];
    constant[j] = weights[j] * system.residuals[panel.rows[j]];
  }
  for_columns(*panel.layout, [&](std::size_t c, std::size_t p, std::size_t) {
    double* const column = panel.column(c);
    for (std::size_t j = 0; j < count; ++j) column[j] *= weights[j];
    if (system.x[p] != 0)
      for (std::size_t j = 0; j < count; ++j) constant[j] -= column[j] * system.x[p];
    for (std::size_t j = 0; j < count; ++j) column[j] *= system.scale[p];
  });
}

SparseLeastSquares::Solved SparseLeastSquares::by_rows(const System& system, double delta) {
  FrontalQr qr(order_, sizes_, delta);
  for (std::size_t k = 0; k < blocks_.size(); ++k) {
    qr.begin_front(k);
    std::vector<std::size_t> shared;
    for (const EliminationOrder::Group& group : order_.groups[k])
      if (group.blocks.size() == 1)
        for_panels(system.x, group.tiles, ColumnLayout(group.blocks, sizes_), [&](const Panel& panel) {
          weigh(system, panel);
          qr.add_own_rows(panel.columns, panel.rows.size(), panel.stride);
        });
      else
        shared.insert(shared.end(), group.tiles.begin(), group.tiles.end());
    qr.join_own_rows();
    for_panels(system.x, shared, ColumnLayout(order_.front(k), sizes_), [&](const Panel& panel) {
      weigh(system, panel);
      qr.add_rows(panel.columns, panel.rows.size(), panel.stride);
    });
    qr.end_front();
  }
  return {unscaled(system, qr.solution()), qr.left()};
}

std::optional<SparseLeastSquares::Solved> SparseLeastSquares::by_normal_equations(const System& system, double delta) {
  FrontalCholesky cholesky(order_, sizes_, delta);
  GramProduct product;
  std::vector<double> gradient(system.x.size(), 0.0);
  for (std::size_t k = 0; k < blocks_.size(); ++k) {
    cholesky.begin_front(k);
    for (const EliminationOrder::Group& group : order_.groups[k]) {
      const ColumnLayout layout(group.blocks, sizes_);
      LowerBlocks gram(layout.columns);
      for_panels(system.x, group.tiles, layout, [&](const Panel& panel) {
        weigh(system, panel);
        product.add_outer(panel.columns, panel.rows.size(), panel.stride, gram);
        const std::span<const double> constant(panel.column(layout.columns), panel.rows.size());
        for_columns(layout, [&](std::size_t c, std::size_t, std::size_t place) {
          gradient[place] += dot({panel.column(c), panel.rows.size()}, constant);
        });
      });
      share_gram(gram);
      cholesky.add(group.blocks, gram);
    }
    if (!cholesky.end_front()) return std::nullopt;
  }
  std::vector<double> solution = cholesky.solve(gradient);
  for (double& entry : solution) entry = -entry;
  // What the factor's rounding left is seen in the rows themselves: d ← d − (AᵀA + δ²)⁻¹ (Aᵀ(A d + b) + δ² d).
  double left = 0;
  for (std::size_t i = 0; i < solution.size(); ++i) {
    gradient[i] = delta * delta * solution[i];
    left += delta * delta * solution[i] * solution[i];
  }
  for_all_panels(system.x, [&](const Panel& panel) {
    weigh(system, panel);
    double* const rows = panel.column(panel.layout->columns);
    const std::size_t count = panel.rows.size();
    for_columns(*panel.layout, [&](std::size_t c, std::size_t, std::size_t place) {
      const double* const column = panel.column(c);
      for (std::size_t j = 0; j < count; ++j) rows[j] += column[j] * solution[place];
    });
    left += dot({rows, count}, {rows, count});
    for_columns(*panel.layout, [&](std::size_t c, std::size_t, std::size_t place) {
      gradient[place] += dot({panel.column(c), count}, {rows, count});
    });
  });
  const std::vector<double> correction = cholesky.solve(gradient);
  for (std::size_t i = 0; i < solution.size(); ++i) solution[i] -= correction[i];
  return Solved{unscaled(system, solution), left};
}

/// Coefficients of columns of length one as those of the parameters.
std::vector<double> SparseLeastSquares::unscaled(const System& system, std::span<const double> by_block) const {
  std::vector<double> y(system.x.size(), 0.0);
  for (std::size_t block = 0; block < blocks_.size(); ++block)
    for (std::size_t q = 0; q < blocks_[block].count; ++q) {
      const std::size_t p = blocks_[block].first + q;
      y[p] = system.scale[p] * by_block[first_[block] + q];
    }
  return y;
}

SparseLeastSquares::Solved SparseLeastSquares::solve(std::span<const double> x, std::span<const double> weights,
                                                     std::span<const double> residuals, double delta) {
  const System system{x, weights, residuals, column_scale(x, weights)};
  if (delta >= FrontalCholesky::kLeastDelta)
    if (std::optional<Solved> solved = by_normal_equations(system, delta)) return std::move(*solved);
  return by_rows(system, delta);
}

}  // namespace pecann::optim
