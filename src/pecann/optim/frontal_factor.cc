#include "pecann/optim/frontal_factor.h"

#include <algorithm>

#include "pecann/base/require.h"
#include "pecann/kernel/block_algebra.h"

namespace pecann::optim {

using kernel::kBlockRows;
using kernel::kBlockSize;

FrontalFactor::FrontalFactor(const EliminationOrder& order, std::vector<std::size_t> sizes)
    : order_(&order), sizes_(std::move(sizes)) {
  require(order.order.size() == sizes_.size(), "a size for every block");
  for (std::size_t k = 0; k < sizes_.size(); ++k) first_stripe_.push_back(first_stripe_.back() + stripes_of(k));
}

std::size_t FrontalFactor::stripes_of(std::size_t position) const {
  return LowerBlocks::blocks_for(sizes_[order_->order[position]]);
}

void FrontalFactor::keep(const LowerBlocks& factor, std::size_t stripes) {
  Rows& own = rows_.emplace_back();
  own.stripes = stripes;
  for (std::size_t r = 0; r < stripes_of(rows_.size() - 1); ++r) {
    AlignedVector<double> row((stripes - r) * kBlockSize);
    for (std::size_t s = r; s < stripes; ++s)
      std::copy_n(factor.block(s, r), kBlockSize, row.data() + (s - r) * kBlockSize);
    own.rows.push_back(std::move(row));
  }
}

AlignedVector<double> FrontalFactor::in_order(std::span<const double> by_block) const {
  AlignedVector<double> x(first_stripe_.back() * kBlockRows, 0.0);
  std::size_t next = 0;
  for (std::size_t block = 0; block < sizes_.size(); ++block) {
    std::copy_n(by_block.begin() + static_cast<std::ptrdiff_t>(next), sizes_[block],
                x.begin() + static_cast<std::ptrdiff_t>(first_stripe_[order_->position[block]] * kBlockRows));
    next += sizes_[block];
  }
  return x;
}

std::vector<double> FrontalFactor::by_block(std::span<const double> in_order) const {
  std::vector<double> result;
  for (std::size_t block = 0; block < sizes_.size(); ++block) {
    const std::span<const double> own =
        in_order.subspan(first_stripe_[order_->position[block]] * kBlockRows, sizes_[block]);
    result.insert(result.end(), own.begin(), own.end());
  }
  return result;
}

void FrontalFactor::solve_transposed(AlignedVector<double>& x) const {
  require(kept() == sizes_.size(), "all blocks are eliminated before the factor is used");
  for (std::size_t k = 0; k < kept(); ++k)
    for (std::size_t r = 0; r < rows_[k].rows.size(); ++r) {
      double* const y = x.data() + (first_stripe_[k] + r) * kBlockRows;
      const double* const row = rows_[k].rows[r].data();
      kernel::solve_lower(row, y);
      for (std::size_t s = 1; s < rows_[k].stripes - r; ++s)
        kernel::subtract_panel_product(row + s * kBlockSize, kBlockRows, y, y + s * kBlockRows);
    }
}

void FrontalFactor::solve(AlignedVector<double>& x) const {
  require(kept() == sizes_.size(), "all blocks are eliminated before the factor is used");
  for (std::size_t k = kept(); k-- > 0;)
    for (std::size_t r = rows_[k].rows.size(); r-- > 0;) {
      double* const y = x.data() + (first_stripe_[k] + r) * kBlockRows;
      const double* const row = rows_[k].rows[r].data();
      for (std::size_t s = 1; s < rows_[k].stripes - r; ++s)
        kernel::subtract_panel_transposed(row + s * kBlockSize, kBlockRows, y + s * kBlockRows, y);
      kernel::solve_lower_transposed(row, y);
    }
}

}  // namespace pecann::optim
