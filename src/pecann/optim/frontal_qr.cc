#include "pecann/optim/frontal_qr.h"

#include <algorithm>

#include "pecann/base/parallel.h"
#include "pecann/base/require.h"
#include "pecann/kernel/block_algebra.h"

namespace pecann::optim {

using kernel::kBlockRows;
using kernel::kBlockSize;

FrontalQr::FrontalQr(const EliminationOrder& order, std::vector<std::size_t> sizes, double delta)
    : order_(&order), delta_(delta), finished_(order, std::move(sizes)) {}

double FrontalQr::bytes(std::size_t columns, std::size_t front, std::size_t panel_rows) {
  const auto all = static_cast<double>(columns), wide = static_cast<double>(front + 2 * kBlockRows);
  return (all * wide + wide * wide + 2 * wide * static_cast<double>(panel_rows)) * sizeof(double);
}

void FrontalQr::begin_front(std::size_t k) {
  require(k == front_ && k < order_->order.size(), "fronts come in order");
  const std::size_t gone = k == 0 ? 0 : finished_.stripes_of(k - 1);
  const std::size_t kept = stripes_ - std::min(stripes_, gone);
  stripes_ = ColumnLayout(order_->front(k), finished_.sizes()).columns / kBlockRows;
  LowerBlocks next((stripes_ + 1) * kBlockRows);
  if (k > 0) {
    for (std::size_t s = 0; s < kept; ++s)
      std::copy_n(factor_.block(s + gone, gone), (s + 1) * kBlockSize, next.block(s, 0));
    std::copy_n(factor_.block(gone + kept, gone), kept * kBlockSize, next.block(stripes_, 0));  // z
  }
  factor_ = std::move(next);
  const std::size_t own = finished_.stripes_of(k);
  own_ = LowerBlocks((own + 1) * kBlockRows);
  for (std::size_t i = 0; i < own * kBlockRows; ++i) own_.at(i, i) = delta_;
}

void FrontalQr::eliminate(const double* panel, std::size_t rows, std::size_t stride, LowerBlocks& factor,
                          std::size_t stripes) {
  require(stride >= rows, "the columns of a panel are shorter than its rows");
  elimination_.begin(stripes + 1, rows);
  parallel_for(stripes + 1, thread_count(), [&](std::size_t s, int) {
    kernel::pack_rows(panel + s * kBlockRows * stride, stride, s == stripes ? 1 : kBlockRows, rows,
                      elimination_.stripe(s));
  });
  elimination_.run(factor, 0, stripes, RowShape::Full);
  add_what_is_left(stripes);
}

void FrontalQr::add_own_rows(const double* panel, std::size_t rows, std::size_t stride) {
  eliminate(panel, rows, stride, own_, finished_.stripes_of(front_));
}

void FrontalQr::join_own_rows() {
  const std::size_t own = finished_.stripes_of(front_);
  elimination_.begin(stripes_ + 1, own * kBlockRows);
  for (std::size_t s = 0; s < own; ++s) {
    double* const stripe = elimination_.stripe(s);
    std::copy_n(own_.block(s, 0), (s + 1) * kBlockSize, stripe);
    for (std::size_t row = 1; row < kBlockRows; ++row)  // what stands below the diagonal of R has no meaning
      std::fill_n(stripe + s * kBlockSize + row * kBlockRows, row, 0.0);
  }
  std::copy_n(own_.block(own, 0), own * kBlockSize, elimination_.stripe(stripes_));  // z
  elimination_.run(factor_, 0, stripes_, RowShape::Staircase);
  add_what_is_left(stripes_);
}

void FrontalQr::add_rows(const double* panel, std::size_t rows, std::size_t stride) {
  eliminate(panel, rows, stride, factor_, stripes_);
}

/// What no column of R takes of the rows' b.
void FrontalQr::add_what_is_left(std::size_t stripes) {
  const double* const b = elimination_.stripe(stripes);
  for (std::size_t k = 0; k < elimination_.padded_rows(); ++k) left_ += b[k * kBlockRows] * b[k * kBlockRows];
}

void FrontalQr::end_front() {
  const double* const z = factor_.block(stripes_, 0);
  for (std::size_t row = 0; row < finished_.stripes_of(front_) * kBlockRows; ++row)
    constant_.push_back(z[row * kBlockRows]);
  finished_.keep(factor_, stripes_);
  ++front_;
}

std::vector<double> FrontalQr::solution() const {
  AlignedVector<double> d = constant_;
  for (double& entry : d) entry = -entry;
  finished_.solve(d);
  return finished_.by_block(d);
}

}  // namespace pecann::optim
