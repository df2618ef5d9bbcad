#include "pecann/optim/block_elimination.h"

#include <algorithm>

#include "pecann/base/parallel.h"
#include "pecann/base/require.h"
#include "pecann/kernel/block_reflectors.h"

namespace pecann::optim {
namespace {

using kernel::kBlockRows;
using kernel::kBlockSize;

constexpr std::size_t kReflectorBlocks = 3;                    // stripes whose reflectors are applied together
constexpr std::size_t kWidth = kReflectorBlocks * kBlockRows;  // reflectors at most
constexpr std::size_t kStripesOfItem = 4;                      // what a thread takes
constexpr std::size_t kWork = 2 * kWidth * kBlockRows;         // numbers of a thread: two panels of kWidth rows

std::size_t reflector_numbers(std::size_t rows) { return rows * kWidth; }

}  // namespace

double BlockElimination::bytes(std::size_t stripes, std::size_t rows) {
  const double padded = static_cast<double>(round_up(rows, kBlockRows));
  return padded * (static_cast<double>(stripes) * kBlockRows + 2 * kWidth) * sizeof(double);
}

void BlockElimination::begin(std::size_t stripes, std::size_t rows) {
  stripes_ = stripes;
  padded_ = round_up(rows, kBlockRows);
  rows_.assign(stripes_ * padded_ * kBlockRows, 0.0);
  for (Reflectors& made : made_) {
    made.columns.resize(std::max(made.columns.size(), reflector_numbers(padded_)));
    made.triangle.resize(kWidth * kWidth);
  }
  work_.resize(std::max(work_.size(), static_cast<std::size_t>(thread_count()) * kWork));
}

/// Stripe s of [R; B] ← (I − V Tᵀ Vᵀ) times it.
void BlockElimination::apply(const Reflectors& reflectors, LowerBlocks& factor, std::size_t s, double* work) {
  const std::size_t blocks = reflectors.blocks, rows = reflectors.rows, numbers = blocks * kBlockSize;
  double* const product = work;                       // R + Vᵀ B
  double* const change = work + kWidth * kBlockRows;  // Tᵀ (R + Vᵀ B)
  double* const above = factor.block(s, reflectors.first);
  double* const below = stripe(s);
  const double* const next = stripe(std::min(s + 1, stripes_ - 1));
  std::copy_n(above, numbers, product);
  for (std::size_t i = 0; i < blocks; ++i)
    kernel::add_block_product(below, stripe(reflectors.first + i), rows, product + i * kBlockSize, next);
  std::fill_n(change, numbers, 0.0);
  for (std::size_t i = 0; i < blocks; ++i)
    kernel::add_block_product(product, reflectors.triangle.data() + i * kWidth * kBlockRows, (i + 1) * kBlockRows,
                              change + i * kBlockSize, product);
  for (std::size_t k = 0; k < numbers; ++k) above[k] -= change[k];
  for (std::size_t row = 0; row < rows; row += kBlockRows) {
    const double* const columns = reflectors.columns.data() + row * kWidth;
    kernel::subtract_block_product(change, columns, blocks * kBlockRows, below + row * kBlockRows, columns);
  }
}

/// The reflectors of stripes [first, end), which all earlier ones have been applied to.
void BlockElimination::make(LowerBlocks& factor, std::size_t first, std::size_t end, Reflectors& made, double* work) {
  made.first = first;
  made.blocks = 0;
  double tau[kBlockRows];
  for (std::size_t s = first; s < end; ++s) {
    if (made.blocks > 0) apply(made, factor, s, work);
    kernel::reflect_block(factor.block(s, s), stripe(s), made.rows, tau);
    const std::size_t before = made.blocks * kBlockRows;
    for (std::size_t row = 0; row < made.rows; row += kBlockRows)
      kernel::pack_rows(stripe(s) + row * kBlockRows, kBlockRows, kBlockRows, kBlockRows,
                        made.columns.data() + (row * kReflectorBlocks + before) * kBlockRows);
    // T = [T₀ −T₀ (V₀ᵀ V) T₁; 0 T₁]
    double* const gram = work;
    double* const left = work + kWidth * kBlockRows;
    std::fill_n(gram, before * kBlockRows + kBlockSize, 0.0);
    for (std::size_t i = 0; i <= made.blocks; ++i)
      kernel::add_block_product(stripe(s), stripe(first + i), made.rows, gram + i * kBlockSize, stripe(s));
    double* const triangle = made.triangle.data() + before * kWidth;
    double* const corner = triangle + before * kBlockRows;
    kernel::reflector_triangle(gram + before * kBlockRows, tau, corner);
    for (std::size_t p = 0; p < before; ++p) {
      double* const sum = left + p * kBlockRows;
      double* const row = triangle + p * kBlockRows;
      std::fill_n(sum, kBlockRows, 0.0);
      std::fill_n(row, kBlockRows, 0.0);
      for (std::size_t r = p; r < before; ++r) {
        const double entry = made.triangle[(r / kBlockRows * kWidth + p) * kBlockRows + r % kBlockRows];
        for (std::size_t i = 0; i < kBlockRows; ++i) sum[i] += entry * gram[r * kBlockRows + i];
      }
      for (std::size_t r = 0; r < kBlockRows; ++r)
        for (std::size_t i = r; i < kBlockRows; ++i) row[i] -= sum[r] * corner[r * kBlockRows + i];
    }
    ++made.blocks;
  }
}

void BlockElimination::run(LowerBlocks& factor, std::size_t first, std::size_t last, RowShape shape) {
  require(last <= stripes_ && stripes_ <= factor.blocks(), "stripes beyond the factor");
  const auto end_after = [&](std::size_t begin) { return std::min(begin + kReflectorBlocks, last); };
  const auto make_at = [&](std::size_t begin, Reflectors& made, double* work) {
    const std::size_t end = end_after(begin);
    made.rows = shape == RowShape::Full ? padded_ : std::min(padded_, (end - first) * kBlockRows);
    make(factor, begin, end, made, work);
  };
  if (first < last) make_at(first, made_[0], work_.data());
  for (std::size_t begin = first, turn = 0; begin < last; begin = end_after(begin), turn = 1 - turn) {
    const Reflectors& now = made_[turn];
    const std::size_t next = end_after(begin), next_end = end_after(next);  // equal at the end
    const std::size_t items = (stripes_ - next_end + kStripesOfItem - 1) / kStripesOfItem;
    parallel_for(1 + items, thread_count(), [&](std::size_t item, int thread) {
      double* const work = work_.data() + static_cast<std::size_t>(thread) * kWork;
      const std::size_t from = item == 0 ? next : next_end + (item - 1) * kStripesOfItem;
      const std::size_t to = item == 0 ? next_end : std::min(from + kStripesOfItem, stripes_);
      for (std::size_t s = from; s < to; ++s) apply(now, factor, s, work);
      if (item == 0 && next < next_end) make_at(next, made_[1 - turn], work);
    });
  }
}

}  // namespace pecann::optim
