#include "pecann/optim/sparse_least_squares.h"

#include <algorithm>
#include <cmath>

#include "pecann/base/aligned_vector.h"
#include "pecann/optim/frontal_qr.h"

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
  for (const Residuals::Block& block : blocks_) sizes_.push_back(block.count);
}

template <class Work>
void SparseLeastSquares::for_panels(std::span<const double> x, std::size_t position, const FrontLayout& layout,
                                    const Work& work) {
  const std::span<const std::size_t> offsets = residuals_->row_offsets();
  const std::vector<std::size_t>& tiles = order_.tiles[position];
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
    residuals_->jacobian(x, std::span(tiles).subspan(first, end - first), layout.first_column, panel.data(), stride);
    work(panel.data(), std::span<const std::size_t>(rows), stride);
    first = end;
  }
}

/// Calls work(column of the layout, parameter) for every parameter of a front.
template <class Work>
void SparseLeastSquares::for_columns(const FrontLayout& layout, const Work& work) const {
  for (std::size_t block = 0; block < blocks_.size(); ++block)
    if (layout.first_column[block] >= 0)
      for (std::size_t q = 0; q < blocks_[block].count; ++q)
        work(static_cast<std::size_t>(layout.first_column[block]) + q, blocks_[block].first + q);
}

std::vector<double> SparseLeastSquares::row_squares(std::span<const double> x) {
  std::vector<double> squares(residuals_->num_rows(), 0.0);
  for (std::size_t k = 0; k < blocks_.size(); ++k) {
    const FrontLayout layout(order_, sizes_, k);
    for_panels(x, k, layout, [&](const double* columns, std::span<const std::size_t> rows, std::size_t stride) {
      for (std::size_t c = 0; c < layout.columns; ++c)
        for (std::size_t j = 0; j < rows.size(); ++j)
          squares[rows[j]] += columns[c * stride + j] * columns[c * stride + j];
    });
  }
  return squares;
}

SparseLeastSquares::Solved SparseLeastSquares::solve(std::span<const double> x, std::span<const double> weights,
                                                     std::span<const double> residuals, double delta) {
  std::vector<double> scale(x.size(), 0.0);
  for (std::size_t k = 0; k < blocks_.size(); ++k) {
    const FrontLayout layout(order_, sizes_, k);
    for_panels(x, k, layout, [&](const double* columns, std::span<const std::size_t> rows, std::size_t stride) {
      for_columns(layout, [&](std::size_t c, std::size_t p) {
        for (std::size_t j = 0; j < rows.size(); ++j) {
          const double entry = weights[rows[j]] * columns[c * stride + j];
          scale[p] += entry * entry;
        }
      });
    });
  }
  for (double& factor : scale) factor = factor > 0 ? 1 / std::sqrt(factor) : 0;

  FrontalQr qr(order_, sizes_, delta);
  for (std::size_t k = 0; k < blocks_.size(); ++k) {
    const FrontLayout layout(order_, sizes_, k);
    qr.begin_front(k);
    for_panels(x, k, layout, [&](double* columns, std::span<const std::size_t> rows, std::size_t stride) {
      double* const constant = columns + layout.columns * stride;
      for (std::size_t j = 0; j < rows.size(); ++j) constant[j] = weights[rows[j]] * residuals[rows[j]];
      for_columns(layout, [&](std::size_t c, std::size_t p) {
        double* const column = columns + c * stride;
        for (std::size_t j = 0; j < rows.size(); ++j) column[j] *= weights[rows[j]];
        if (x[p] != 0)
          for (std::size_t j = 0; j < rows.size(); ++j) constant[j] -= column[j] * x[p];
        for (std::size_t j = 0; j < rows.size(); ++j) column[j] *= scale[p];
      });
      qr.add_rows(columns, rows.size(), stride);
    });
    qr.end_front();
  }
  const std::vector<double> scaled = qr.solution();
  std::vector<double> y(x.size(), 0.0);
  std::size_t next = 0;
  for (const Residuals::Block& block : blocks_)
    for (std::size_t q = 0; q < block.count; ++q, ++next) y[block.first + q] = scale[block.first + q] * scaled[next];
  return {std::move(y), qr.left()};
}

}  // namespace pecann::optim
