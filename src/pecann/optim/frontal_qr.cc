#include "pecann/optim/frontal_qr.h"

#include <algorithm>

#include "pecann/base/parallel.h"
#include "pecann/base/require.h"
#include "pecann/kernel/block_algebra.h"

namespace pecann::optim {
namespace {

using kernel::kBlockRows;
using kernel::kBlockSize;

}  // namespace

FrontalQr::FrontalQr(const EliminationOrder& order, std::vector<std::size_t> sizes, double delta)
    : order_(&order), sizes_(std::move(sizes)), delta_(delta), finished_(sizes_.size()) {
  require(order.order.size() == sizes_.size(), "a size for every block");
}

double FrontalQr::bytes(std::size_t columns, std::size_t front, std::size_t panel_rows) {
  const auto all = static_cast<double>(columns), wide = static_cast<double>(front + 2 * kBlockRows);
  return (all * wide + wide * wide + 2 * wide * static_cast<double>(panel_rows)) * sizeof(double);
}

void FrontalQr::begin_front(std::size_t k) {
  require(k == front_ && k < sizes_.size(), "fronts come in order");
  const std::size_t gone = k == 0 ? 0 : stripes_for(sizes_[order_->order[k - 1]]);
  const std::size_t kept = stripes_ - std::min(stripes_, gone);
  stripes_ = FrontLayout(*order_, sizes_, k).columns / kBlockRows;
  LowerBlocks next((stripes_ + 1) * kBlockRows);
  if (k > 0) {
    for (std::size_t s = 0; s < kept; ++s)
      std::copy_n(factor_.block(s + gone, gone), (s + 1) * kBlockSize, next.block(s, 0));
    std::copy_n(factor_.block(gone + kept, gone), kept * kBlockSize, next.block(stripes_, 0));  // z
  }
  factor_ = std::move(next);

  const std::size_t rows = stripes_for(sizes_[order_->order[k]]) * kBlockRows;
  elimination_.begin(stripes_ + 1, rows);
  for (std::size_t i = 0; i < rows; ++i) elimination_.stripe(i / kBlockRows)[i * kBlockRows + i % kBlockRows] = delta_;
  elimination_.run(factor_, 0, stripes_, RowShape::Staircase);
  add_what_is_left();
}

void FrontalQr::add_rows(const double* panel, std::size_t rows, std::size_t stride) {
  require(stride >= rows, "the columns of a panel are shorter than its rows");
  elimination_.begin(stripes_ + 1, rows);
  parallel_for(stripes_ + 1, thread_count(), [&](std::size_t s, int) {
    kernel::pack_rows(panel + s * kBlockRows * stride, stride, s == stripes_ ? 1 : kBlockRows, rows,
                      elimination_.stripe(s));
  });
  elimination_.run(factor_, 0, stripes_, RowShape::Full);
  add_what_is_left();
}

/// What no column of R takes of the rows' b.
void FrontalQr::add_what_is_left() {
  const double* const b = elimination_.stripe(stripes_);
  for (std::size_t k = 0; k < elimination_.padded_rows(); ++k) left_ += b[k * kBlockRows] * b[k * kBlockRows];
}

void FrontalQr::end_front() {
  Finished& finished = finished_[front_];
  finished.stripes = stripes_;
  for (std::size_t r = 0; r < stripes_for(sizes_[order_->order[front_]]); ++r) {
    AlignedVector<double> row((stripes_ + 1 - r) * kBlockSize);
    for (std::size_t s = r; s <= stripes_; ++s)
      std::copy_n(factor_.block(s, r), kBlockSize, row.data() + (s - r) * kBlockSize);
    finished.rows.push_back(std::move(row));
  }
  ++front_;
}

std::vector<double> FrontalQr::solution() const {
  require(front_ == sizes_.size(), "all fronts are eliminated before the solution is asked for");
  std::vector<std::size_t> first_stripe = {0};  // by position
  for (const int block : order_->order) first_stripe.push_back(first_stripe.back() + stripes_for(sizes_[block]));
  AlignedVector<double> x(first_stripe.back() * kBlockRows);
  for (std::size_t k = front_; k-- > 0;) {
    const Finished& own = finished_[k];
    for (std::size_t r = own.rows.size(); r-- > 0;) {
      double* const y = x.data() + (first_stripe[k] + r) * kBlockRows;
      const double* const row = own.rows[r].data();
      const std::size_t stripes = own.stripes - r;  // then z
      for (std::size_t i = 0; i < kBlockRows; ++i) {
        double sum = row[stripes * kBlockSize + i * kBlockRows];
        for (std::size_t s = 1; s < stripes; ++s)
          for (std::size_t j = 0; j < kBlockRows; ++j)
            sum -= row[s * kBlockSize + i * kBlockRows + j] * y[s * kBlockRows + j];
        y[i] = sum;
      }
      kernel::solve_lower_transposed(row, y);
    }
  }
  std::vector<double> result;
  for (std::size_t block = 0; block < sizes_.size(); ++block) {
    const double* const own = x.data() + first_stripe[order_->position[block]] * kBlockRows;
    for (std::size_t c = 0; c < sizes_[block]; ++c) result.push_back(-own[c]);
  }
  return result;
}

}  // namespace pecann::optim
