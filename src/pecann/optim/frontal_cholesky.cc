#include "pecann/optim/frontal_cholesky.h"

#include <algorithm>

#include "pecann/base/require.h"
#include "pecann/kernel/block_algebra.h"
#include "pecann/optim/partial_cholesky.h"

namespace pecann::optim {

using kernel::kBlockRows;
using kernel::kBlockSize;

FrontalCholesky::FrontalCholesky(const EliminationOrder& order, std::vector<std::size_t> sizes, double delta)
    : order_(&order), delta_(delta), finished_(order, std::move(sizes)) {}

void FrontalCholesky::begin_front(std::size_t k) {
  require(k == front_ && k < order_->order.size(), "fronts come in order");
  const std::size_t gone = k == 0 ? 0 : finished_.stripes_of(k - 1);
  const std::size_t kept = stripes_ - gone;
  const ColumnLayout layout(order_->front(k), finished_.sizes());
  stripes_ = layout.columns / kBlockRows;
  LowerBlocks next(layout.columns);
  for (std::size_t s = 0; s < kept; ++s)
    std::copy_n(matrix_.block(s + gone, gone), (s + 1) * kBlockSize, next.block(s, 0));
  matrix_ = std::move(next);
  for (; shifted_ <= order_->reach[k]; ++shifted_) {
    const int block = order_->order[shifted_];
    const auto first = static_cast<std::size_t>(layout.first_column[block]);
    const std::size_t size = finished_.sizes()[block];
    for (std::size_t c = 0; c < finished_.stripes_of(shifted_) * kBlockRows; ++c)
      matrix_.at(first + c, first + c) = c < size ? delta_ * delta_ : 1;  // columns that only fill up a stripe
  }
}

void FrontalCholesky::add(std::span<const int> blocks, const LowerBlocks& products) {
  const ColumnLayout layout(order_->front(front_), finished_.sizes());
  std::vector<std::size_t> place;  // of each stripe of the products
  for (const int block : blocks)
    for (std::size_t s = 0; s < finished_.stripes_of(order_->position[block]); ++s)
      place.push_back(static_cast<std::size_t>(layout.first_column[block]) / kBlockRows + s);
  require(place.size() == products.blocks(), "products of the columns of these blocks");
  for (std::size_t i = 0; i < place.size(); ++i)
    for (std::size_t j = 0; j <= i; ++j) {
      const double* const from = products.block(i, j);
      double* const to = matrix_.block(place[i], place[j]);
      for (std::size_t e = 0; e < kBlockSize; ++e) to[e] += from[e];
    }
}

bool FrontalCholesky::end_front() {
  const std::size_t own = finished_.stripes_of(front_);
  if (!factor_columns(matrix_, own, [](const TileOfBlocks&) {})) return false;
  subtract_eliminated(matrix_, own);
  finished_.keep(matrix_, stripes_);
  ++front_;
  return true;
}

std::vector<double> FrontalCholesky::solve(std::span<const double> g) const {
  AlignedVector<double> x = finished_.in_order(g);
  finished_.solve_transposed(x);
  finished_.solve(x);
  return finished_.by_block(x);
}

}  // namespace pecann::optim
