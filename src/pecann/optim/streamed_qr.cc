#include "pecann/optim/streamed_qr.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "pecann/base/parallel.h"
#include "pecann/base/require.h"

namespace pecann::optim {
namespace {

using kernel::kBlockRows;
using kernel::kBlockSize;

constexpr std::size_t kShiftRows = 22 * kBlockRows;  // rows of δ I that are eliminated at once
constexpr double kIndependent = 3;                   // times δ: a column that is not a combination of those before it
constexpr double kRounding = 1e-13;                  // of a column's length: rows below it are those of rounding

}  // namespace

StreamedQr::StreamedQr(std::size_t columns) : columns_(columns), factor_((blocks() + 1) * kBlockRows) {}

double StreamedQr::bytes(std::size_t columns, std::size_t panel_rows) {
  const std::size_t stripes = LowerBlocks::blocks_for(columns) + 1;
  return 2 * LowerBlocks::bytes(stripes * kBlockRows) + BlockElimination::bytes(stripes, panel_rows) +
         BlockElimination::bytes(stripes, std::min(columns, kShiftRows)) +
         static_cast<double>(columns + 1) * static_cast<double>(panel_rows) * sizeof(double);  // the caller's panel
}

void StreamedQr::add_rows(const double* panel, std::size_t rows, std::size_t stride) {
  require(stride >= rows, "the columns of a panel are shorter than its rows");
  elimination_.begin(blocks() + 1, rows);
  parallel_for(blocks() + 1, thread_count(), [&](std::size_t s, int) {
    const bool last = s == blocks();
    const std::size_t column = last ? columns_ : s * kBlockRows;
    const std::size_t count = last ? 1 : std::min(kBlockRows, columns_ - column);
    kernel::pack_rows(panel + column * stride, stride, count, rows, elimination_.stripe(s));
  });
  const std::size_t last = std::min(blocks(), filled_ + LowerBlocks::blocks_for(rows));
  elimination_.run(factor_, 0, last, RowShape::Full);
  filled_ = last;
  if (last == blocks() || used_up(last)) return;
  elimination_.run(factor_, last, blocks(), RowShape::Full);
  filled_ = blocks();
}

/// Whether the panel holds nothing but rounding behind its first `eliminated` blocks of columns. Columns of zeros among
/// those give R no rows, so that something may be left.
bool StreamedQr::used_up(std::size_t eliminated) {
  const std::size_t stripes = blocks() + 1 - eliminated;
  std::vector<char> empty(stripes);
  parallel_for(stripes, thread_count(), [&](std::size_t i, int) {
    const double* const above = factor_.block(eliminated + i, 0);
    const double* const below = elimination_.stripe(eliminated + i);
    double kept[kBlockRows] = {}, left[kBlockRows] = {};
    for (std::size_t k = 0; k < eliminated * kBlockSize; ++k) kept[k % kBlockRows] += above[k] * above[k];
    for (std::size_t k = 0; k < elimination_.padded_rows() * kBlockRows; ++k)
      left[k % kBlockRows] += below[k] * below[k];
    empty[i] = std::equal(left, left + kBlockRows, kept,
                          [](double squares, double column) { return squares <= kRounding * kRounding * column; });
  });
  return std::find(empty.begin(), empty.end(), 0) == empty.end();
}

/// 1 / length of every column of R, 0 for columns of zeros.
std::vector<double> StreamedQr::scales() const {
  std::vector<double> scale(blocks() * kBlockRows, 0.0);
  parallel_for(blocks(), thread_count(), [&](std::size_t s, int) {
    const double* const rows = factor_.block(s, 0);
    double squares[kBlockRows] = {};
    for (std::size_t k = 0; k < (s + 1) * kBlockRows; ++k)
      for (std::size_t j = k < s * kBlockRows ? 0 : k - s * kBlockRows; j < kBlockRows; ++j)
        squares[j] += rows[k * kBlockRows + j] * rows[k * kBlockRows + j];
    for (std::size_t j = 0; j < kBlockRows; ++j)
      if (squares[j] != 0) scale[s * kBlockRows + j] = 1 / std::sqrt(squares[j]);
  });
  return scale;
}

/// The factor of [R D z; δ I 0].
void StreamedQr::shift(std::span<const double> scale, double delta, LowerBlocks& factor) const {
  factor = factor_;
  parallel_for(blocks(), thread_count(), [&](std::size_t s, int) {
    double* const rows = factor.block(s, 0);
    for (std::size_t k = 0; k < (s + 1) * kBlockRows; ++k)
      for (std::size_t j = 0; j < kBlockRows; ++j) rows[k * kBlockRows + j] *= scale[s * kBlockRows + j];
  });
  BlockElimination elimination;
  for (std::size_t first = 0; first < blocks(); first += kShiftRows / kBlockRows) {
    const std::size_t rows = std::min(kShiftRows, (blocks() - first) * kBlockRows);
    elimination.begin(blocks() + 1, rows);
    for (std::size_t k = 0; k < rows; ++k)
      elimination.stripe(first + k / kBlockRows)[k * kBlockRows + k % kBlockRows] = delta;
    elimination.run(factor, first, blocks(), RowShape::Staircase);
  }
}

std::size_t StreamedQr::solve(double cut, std::span<double> d) const {
  require(d.size() == columns_, "one number per column");
  std::vector<double> scale = scales();
  LowerBlocks factor;
  shift(scale, cut, factor);
  std::size_t rank = 0;
  for (std::size_t c = 0; c < columns_; ++c) {
    const bool independent = !(std::abs(factor.at(c, c)) <= kIndependent * cut);
    if (!independent) scale[c] = 0;
    rank += independent;
  }
  if (rank < columns_) shift(scale, cut, factor);

  AlignedVector<double> x(blocks() * kBlockRows);
  for (std::size_t k = 0; k < x.size(); ++k) x[k] = factor.block(blocks(), 0)[k * kBlockRows];
  for (std::size_t s = blocks(); s-- > 0;) {
    kernel::solve_lower_transposed(factor.block(s, s), x.data() + s * kBlockRows);
    kernel::subtract_panel_transposed(factor.block(s, 0), s * kBlockRows, x.data() + s * kBlockRows, x.data());
  }
  for (std::size_t c = 0; c < columns_; ++c) d[c] = -scale[c] * x[c];
  return rank;
}

}  // namespace pecann::optim
