#include "pecann/kernel/block_algebra.h"

#include <cmath>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "pecann/kernel/block_algebra.cc"
#include "hwy/cache_control.h"
#include "hwy/foreach_target.h"
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace pecann::kernel::HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;
using Tag = hn::CappedTag<double, 8>;
using Vec = hn::Vec<Tag>;

constexpr std::size_t kVectors = 3;
#if HWY_TARGET == HWY_AVX3 || HWY_TARGET == HWY_NEON
constexpr std::size_t kColumns = 8;  // 24 sums, 3 loaded registers and a broadcast of 32
#else
constexpr std::size_t kColumns = 4;  // 12 sums, 3 loaded registers and a broadcast of 16
#endif
constexpr std::size_t kAhead = 8 * kBlockRows;  // numbers of `a` that are asked for before they are needed

HWY_INLINE void fetch_to_second_level([[maybe_unused]] const double* at) {
#if HWY_COMPILER_GCC || HWY_COMPILER_CLANG
  __builtin_prefetch(at, 0, 2);
#endif
}

/// Three registers of rows times kColumns columns of the result; a cache line of `next` is asked for per column.
template <bool kSubtract>
HWY_INLINE void multiply_part(const double* HWY_RESTRICT a, const double* HWY_RESTRICT b, std::size_t depth,
                              double* HWY_RESTRICT c, const double* HWY_RESTRICT next) {
  const Tag d;
  const std::size_t lanes = hn::Lanes(d);
  for (std::size_t j = 0; j < kColumns; ++j)
    for (std::size_t i = 0; i < kVectors * lanes; i += 8) hwy::Prefetch(c + j * kBlockRows + i);
  Vec sum[kColumns][kVectors];
  for (std::size_t j = 0; j < kColumns; ++j)
    for (std::size_t v = 0; v < kVectors; ++v) sum[j][v] = hn::Zero(d);
  for (std::size_t k = 0; k < depth; ++k) {
    Vec rows[kVectors];
    for (std::size_t v = 0; v < kVectors; ++v) {
      rows[v] = hn::Load(d, a + v * lanes);
      hwy::Prefetch(a + kAhead + v * lanes);
    }
    for (std::size_t j = 0; j < kColumns; ++j) {
      const Vec column = hn::Set(d, b[j]);
      for (std::size_t v = 0; v < kVectors; ++v) sum[j][v] = hn::MulAdd(rows[v], column, sum[j][v]);
    }
    fetch_to_second_level(next);
    a += kBlockRows;
    b += kBlockRows;
    next += 8;
  }
  for (std::size_t j = 0; j < kColumns; ++j) {
    for (std::size_t v = 0; v < kVectors; ++v) {
      double* const at = c + j * kBlockRows + v * lanes;
      const Vec old = hn::Load(d, at);
      hn::Store(kSubtract ? hn::Sub(old, sum[j][v]) : hn::Add(old, sum[j][v]), d, at);
    }
  }
}

template <bool kSubtract>
HWY_INLINE void multiply_block(const double* a, const double* b, std::size_t depth, double* c, const double* next) {
  const std::size_t rows = kVectors * hn::Lanes(Tag());
  std::size_t part = 0;  // the first three parts ask for the three cache lines of each column of `next`
  for (std::size_t j = 0; j < kBlockRows; j += kColumns)
    for (std::size_t i = 0; i < kBlockRows; i += rows, ++part)
      multiply_part<kSubtract>(a + i, b + j, depth, c + j * kBlockRows + i, next + (part % 3) * depth * 8);
}

void add_block_product_target(const double* a, const double* b, std::size_t depth, double* c, const double* next) {
  multiply_block<false>(a, b, depth, c, next);
}

void subtract_block_product_target(const double* a, const double* b, std::size_t depth, double* c, const double* next) {
  multiply_block<true>(a, b, depth, c, next);
}

/// y −= Σ_k panel column k · x[k · stride], all 24 rows.
HWY_INLINE void subtract_columns(const double* HWY_RESTRICT panel, std::size_t depth, const double* HWY_RESTRICT x,
                                 std::size_t stride, double* HWY_RESTRICT y) {
  const Tag d;
  const std::size_t lanes = hn::Lanes(d), rows = kVectors * lanes;
  for (std::size_t i = 0; i < kBlockRows; i += rows) {
    Vec even[kVectors], odd[kVectors];
    for (std::size_t v = 0; v < kVectors; ++v) even[v] = odd[v] = hn::Zero(d);
    const double* column = panel + i;
    std::size_t k = 0;
    for (; k + 2 <= depth; k += 2, column += 2 * kBlockRows) {
      const Vec first = hn::Set(d, x[k * stride]), second = hn::Set(d, x[(k + 1) * stride]);
      for (std::size_t v = 0; v < kVectors; ++v) {
        even[v] = hn::MulAdd(hn::Load(d, column + v * lanes), first, even[v]);
        odd[v] = hn::MulAdd(hn::Load(d, column + kBlockRows + v * lanes), second, odd[v]);
      }
    }
    for (std::size_t v = 0; v < kVectors; ++v) {
      if (k < depth) even[v] = hn::MulAdd(hn::Load(d, column + v * lanes), hn::Set(d, x[k * stride]), even[v]);
      double* const at = y + i + v * lanes;
      hn::Store(hn::Sub(hn::Load(d, at), hn::Add(even[v], odd[v])), d, at);
    }
  }
}

void subtract_panel_product_target(const double* panel, std::size_t depth, const double* x, double* y) {
  subtract_columns(panel, depth, x, 1, y);
}

void subtract_panel_transposed_target(const double* HWY_RESTRICT panel, std::size_t depth, const double* HWY_RESTRICT x,
                                      double* HWY_RESTRICT y) {
  const Tag d;
  const std::size_t lanes = hn::Lanes(d);
  for (std::size_t k = 0; k < depth; ++k, panel += kBlockRows) {
    Vec sum = hn::Zero(d);
    for (std::size_t i = 0; i < kBlockRows; i += lanes)
      sum = hn::MulAdd(hn::Load(d, panel + i), hn::Load(d, x + i), sum);
    y[k] -= hn::GetLane(hn::SumOfLanes(d, sum));
  }
}

void scale_column(double factor, double* column) {
  const Tag d;
  const std::size_t lanes = hn::Lanes(d);
  for (std::size_t i = 0; i < kBlockRows; i += lanes)
    hn::Store(hn::Mul(hn::Load(d, column + i), hn::Set(d, factor)), d, column + i);
}

bool factor_block_target(double* c) {
  for (std::size_t j = 0; j < kBlockRows; ++j) {
    double* const column = c + j * kBlockRows;
    subtract_columns(c, j, c + j, kBlockRows, column);
    const double pivot = column[j];
    if (!(pivot > 0) || !std::isfinite(pivot)) return false;
    const double root = std::sqrt(pivot);
    scale_column(1 / root, column);
    column[j] = root;
  }
  return true;
}

void solve_block_target(const double* factor, double* c) {
  for (std::size_t j = 0; j < kBlockRows; ++j) {
    double* const column = c + j * kBlockRows;
    subtract_columns(c, j, factor + j, kBlockRows, column);
    scale_column(1 / factor[j * kBlockRows + j], column);
  }
}

}  // namespace
}  // namespace pecann::kernel::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
#include <algorithm>

namespace pecann::kernel {
HWY_EXPORT(add_block_product_target);
HWY_EXPORT(subtract_block_product_target);
HWY_EXPORT(subtract_panel_product_target);
HWY_EXPORT(subtract_panel_transposed_target);
HWY_EXPORT(factor_block_target);
HWY_EXPORT(solve_block_target);

void add_block_product(const double* a, const double* b, std::size_t depth, double* c, const double* next) {
  HWY_DYNAMIC_DISPATCH(add_block_product_target)(a, b, depth, c, next);
}

void subtract_block_product(const double* a, const double* b, std::size_t depth, double* c, const double* next) {
  HWY_DYNAMIC_DISPATCH(subtract_block_product_target)(a, b, depth, c, next);
}

bool factor_block(double* c) { return HWY_DYNAMIC_DISPATCH(factor_block_target)(c); }

void solve_block(const double* factor, double* c) { HWY_DYNAMIC_DISPATCH(solve_block_target)(factor, c); }

void subtract_panel_product(const double* panel, std::size_t depth, const double* x, double* y) {
  HWY_DYNAMIC_DISPATCH(subtract_panel_product_target)(panel, depth, x, y);
}

void subtract_panel_transposed(const double* panel, std::size_t depth, const double* x, double* y) {
  HWY_DYNAMIC_DISPATCH(subtract_panel_transposed_target)(panel, depth, x, y);
}

void solve_lower(const double* factor, double* y) {
  for (std::size_t k = 0; k < kBlockRows; ++k, factor += kBlockRows) {
    y[k] /= factor[k];
    for (std::size_t i = k + 1; i < kBlockRows; ++i) y[i] -= factor[i] * y[k];
  }
}

void solve_lower_transposed(const double* factor, double* y) {
  for (std::size_t k = kBlockRows; k-- > 0;) {
    const double* const column = factor + k * kBlockRows;
    for (std::size_t i = k + 1; i < kBlockRows; ++i) y[k] -= column[i] * y[i];
    y[k] /= column[k];
  }
}

void pack_rows(const double* a, std::size_t stride, std::size_t rows, std::size_t depth, double* panel) {
  constexpr std::size_t kRun = 64;  // columns at once: their part of the panel stays in the first-level cache
  if (rows < kBlockRows) std::fill_n(panel, depth * kBlockRows, 0.0);
  for (std::size_t first = 0; first < depth; first += kRun) {
    const std::size_t end = std::min(depth, first + kRun);
    for (std::size_t i = 0; i < rows; ++i)
      for (std::size_t k = first; k < end; ++k) panel[k * kBlockRows + i] = a[i * stride + k];
  }
}

void pack_columns(const double* a, std::size_t stride, std::size_t rows, std::size_t depth, double* panel) {
  for (std::size_t k = 0; k < depth; ++k) {
    std::copy_n(a + k * stride, rows, panel + k * kBlockRows);
    std::fill(panel + k * kBlockRows + rows, panel + (k + 1) * kBlockRows, 0.0);
  }
}

}  // namespace pecann::kernel
#endif
