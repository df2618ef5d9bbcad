#include "pecann/optim/ssbroyden_matrix.h"

#include <algorithm>
#include <cmath>

#include "pecann/base/parallel.h"
#include "pecann/base/require.h"

// The wide instruction sets are chosen when the program starts; g++ makes one copy of the loop for each.
#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__) && !defined(__SANITIZE_ADDRESS__)
#define PECANN_WIDE_CLONES __attribute__((target_clones("default", "arch=x86-64-v3", "arch=x86-64-v4")))
#else
#define PECANN_WIDE_CLONES
#endif

namespace pecann::optim {
namespace {

constexpr std::size_t kBlockEntries = 16384;  // 128 kB: a few microseconds, well above the cost of handing out a block
constexpr std::size_t kMaxBlocks = 64;        // bounds the block vectors to 64 rows' worth of memory and time

struct Sweep {
  double* entries;  // of the whole matrix
  const double* s;
  const double* hy;
  const double* v;
  SpanUpdate update;
};

// Rows [first, last): updates them, adds the transposed products into sums[0..last) and stores the
// direct products there.
PECANN_WIDE_CLONES void sweep_rows(const Sweep& sweep, std::size_t first, std::size_t last, double* __restrict sums) {
  const double* __restrict s = sweep.s;
  const double* __restrict hy = sweep.hy;
  const double* __restrict v = sweep.v;
  const double scale = sweep.update.scale;
  for (std::size_t i = first; i < last; ++i) {
    double* __restrict row = sweep.entries + i * (i + 1) / 2;
    const double along_s = sweep.update.ss * s[i] + sweep.update.sh * hy[i];
    const double along_hy = sweep.update.sh * s[i] + sweep.update.hh * hy[i];
    const double vi = v[i];
    double product = 0;
#pragma omp simd reduction(+ : product)
    for (std::size_t j = 0; j < i; ++j) {
      const double entry = scale * row[j] + along_s * s[j] + along_hy * hy[j];
      row[j] = entry;
      product += entry * v[j];
      sums[j] += entry * vi;
    }
    row[i] = scale * row[i] + along_s * s[i] + along_hy * hy[i];
    sums[i] += product + row[i] * vi;
  }
}

}  // namespace

double PackedMatrix::bytes(std::size_t size) {
  const auto n = static_cast<double>(size);
  return n * (n + 1) / 2 * sizeof(double);
}

void PackedMatrix::set_size(std::size_t size) {
  if (size == size_) return;
  size_ = size;
  const std::size_t area = size * (size + 1) / 2;
  entries_.assign(area, 0.0);
  const std::size_t blocks = std::clamp(area / kBlockEntries, std::size_t{1}, kMaxBlocks);
  block_rows_.assign(1, 0);
  for (std::size_t k = 1; k <= blocks; ++k) {  // rows up to n √(k/K) hold the share k/K of the triangle
    const double share = std::sqrt(static_cast<double>(k) / static_cast<double>(blocks));
    block_rows_.push_back(k == blocks ? size : static_cast<std::size_t>(share * static_cast<double>(size)));
  }
  block_sums_.assign(blocks * size, 0.0);
}

void PackedMatrix::set_diagonal(std::size_t size, double diagonal) {
  set_size(size);
  std::fill(entries_.begin(), entries_.end(), 0.0);
  for (std::size_t i = 0; i < size; ++i) entries_[i * (i + 1) / 2 + i] = diagonal;
}

void PackedMatrix::update_and_multiply(const SpanUpdate& update, std::span<const double> s, std::span<const double> hy,
                                       std::span<const double> v, std::span<double> result) {
  require(s.size() == size_ && hy.size() == size_ && v.size() == size_ && result.size() == size_,
          "vectors of another size");
  const Sweep sweep{entries_.data(), s.data(), hy.data(), v.data(), update};
  const std::size_t blocks = block_rows_.size() - 1;
  parallel_for(blocks, thread_count(), [&](std::size_t block, int) {
    double* const sums = block_sums_.data() + block * size_;
    std::fill(sums, sums + block_rows_[block + 1], 0.0);
    sweep_rows(sweep, block_rows_[block], block_rows_[block + 1], sums);
  });
  std::fill(result.begin(), result.end(), 0.0);
  for (std::size_t block = 0; block < blocks; ++block) {
    const double* const sums = block_sums_.data() + block * size_;
    for (std::size_t i = 0; i < block_rows_[block + 1]; ++i) result[i] += sums[i];
  }
}

double PackedMatrix::at(std::size_t row, std::size_t column) const {
  require(column <= row && row < size_, "only the lower triangle is stored");
  return entries_[row * (row + 1) / 2 + column];
}

}  // namespace pecann::optim
