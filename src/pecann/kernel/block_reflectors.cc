#include "pecann/kernel/block_reflectors.h"

#include <cmath>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "pecann/kernel/block_reflectors.cc"
#include "hwy/foreach_target.h"
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace pecann::kernel::HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;
using ReflectorTag = hn::CappedTag<double, 8>;
using ReflectorVec = hn::Vec<ReflectorTag>;

constexpr std::size_t kPart = 8;  // columns that are skipped together once they are finished

/// For all rows: b ← b − (scale · b[column]) w, and on the way dots_j = Σ b[next] b_j of the new rows. Columns before
/// kFirst stay as they are, and so does whatever w has a zero for.
template <std::size_t kFirst>
HWY_INLINE void reflect_rows(double* HWY_RESTRICT panel, std::size_t rows, std::size_t column, double scale,
                             const double* HWY_RESTRICT w, std::size_t next, double* HWY_RESTRICT dots) {
  const ReflectorTag d;
  constexpr std::size_t kLanesHere = hn::MaxLanes(ReflectorTag());
  constexpr std::size_t kVectors = (kBlockRows - kFirst) / kLanesHere;
  ReflectorVec weights[kVectors], sums[kVectors];
  for (std::size_t v = 0; v < kVectors; ++v) {
    weights[v] = hn::Load(d, w + kFirst + v * kLanesHere);
    sums[v] = hn::Zero(d);
  }
  const ReflectorVec next_weight = hn::Set(d, w[next]);
  for (std::size_t k = 0; k < rows; ++k, panel += kBlockRows) {
    const ReflectorVec t = hn::Set(d, scale * panel[column]);
    const ReflectorVec pivot = hn::NegMulAdd(t, next_weight, hn::Set(d, panel[next]));
    for (std::size_t v = 0; v < kVectors; ++v) {
      double* const at = panel + kFirst + v * kLanesHere;
      const ReflectorVec b = hn::NegMulAdd(t, weights[v], hn::Load(d, at));
      hn::Store(b, d, at);
      sums[v] = hn::MulAdd(pivot, b, sums[v]);
    }
  }
  for (std::size_t v = 0; v < kVectors; ++v) hn::Store(sums[v], d, dots + kFirst + v * kLanesHere);
}

void reflect_rows_target(double* panel, std::size_t rows, std::size_t column, double scale, const double* w,
                         std::size_t next, double* dots) {
  if (column < kPart) return reflect_rows<0>(panel, rows, column, scale, w, next, dots);
  if (column < 2 * kPart) return reflect_rows<kPart>(panel, rows, column, scale, w, next, dots);
  reflect_rows<2 * kPart>(panel, rows, column, scale, w, next, dots);
}

void scale_columns_target(double* HWY_RESTRICT panel, std::size_t rows, const double* HWY_RESTRICT scales) {
  const ReflectorTag d;
  for (std::size_t k = 0; k < rows; ++k, panel += kBlockRows)
    for (std::size_t j = 0; j < kBlockRows; j += hn::Lanes(d))
      hn::Store(hn::Mul(hn::Load(d, panel + j), hn::Load(d, scales + j)), d, panel + j);
}

}  // namespace
}  // namespace pecann::kernel::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
#include <algorithm>

namespace pecann::kernel {
HWY_EXPORT(reflect_rows_target);
HWY_EXPORT(scale_columns_target);

namespace {
constexpr double kLostSquares = 1e-280;  // sums of squares below it have lost digits
}

void reflect_block(double* triangle, double* panel, std::size_t rows, double* tau) {
  alignas(64) double w[kBlockRows] = {}, dots[kBlockRows], scales[kBlockRows];
  HWY_DYNAMIC_DISPATCH(reflect_rows_target)(panel, rows, 0, 0.0, w, 0, dots);  // only the products with column 0
  for (std::size_t c = 0; c < kBlockRows; ++c) {
    double* const row = triangle + c * kBlockRows;
    std::fill_n(w, kBlockRows, 0.0);
    tau[c] = scales[c] = 0;
    if (!(dots[c] < kLostSquares)) {
      const double alpha = row[c], beta = -std::copysign(std::sqrt(alpha * alpha + dots[c]), alpha);
      tau[c] = (beta - alpha) / beta;
      scales[c] = 1 / (alpha - beta);
      for (std::size_t j = c + 1; j < kBlockRows; ++j) {
        w[j] = tau[c] * (row[j] + scales[c] * dots[j]);
        row[j] -= w[j];
      }
      row[c] = beta;
    }
    if (c + 1 < kBlockRows) HWY_DYNAMIC_DISPATCH(reflect_rows_target)(panel, rows, c, scales[c], w, c + 1, dots);
  }
  HWY_DYNAMIC_DISPATCH(scale_columns_target)(panel, rows, scales);
}

void reflector_triangle(const double* gram, const double* tau, double* t) {
  std::fill_n(t, kBlockSize, 0.0);
  for (std::size_t i = 0; i < kBlockRows; ++i) {
    t[i * kBlockRows + i] = tau[i];
    for (std::size_t l = 0; l < i; ++l) {
      double sum = 0;
      for (std::size_t r = l; r < i; ++r) sum += t[l * kBlockRows + r] * gram[r * kBlockRows + i];
      t[l * kBlockRows + i] = -tau[i] * sum;
    }
  }
}

}  // namespace pecann::kernel
#endif
