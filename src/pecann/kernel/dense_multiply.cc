#include "pecann/kernel/dense_multiply.h"

#include <algorithm>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "pecann/kernel/dense_multiply.cc"
#include "hwy/foreach_target.h"
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace pecann::kernel::HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;
using Tag = hn::CappedTag<double, 8>;
using Vec = hn::Vec<Tag>;

// Accumulators of a block are rows × vectors; with the loaded vectors and one broadcast they must fit the
// register file (16 registers on AVX2, 32 on AVX-512 and NEON). Fewer rows take more vectors, to keep enough
// independent sums in flight.
#if HWY_TARGET == HWY_AVX3 || HWY_TARGET == HWY_NEON
constexpr int kBlockVectors[kRowBlock + 1] = {0, 8, 8, 6, 6};
#else
constexpr int kBlockVectors[kRowBlock + 1] = {0, 8, 6, 4, 3};
#endif

/// One block of rows × vectors of the result, its columns beginning at right and result.
template <int kRows, int kVectors>
HWY_INLINE void multiply_block(const double* HWY_RESTRICT packed, std::size_t depth, const double* HWY_RESTRICT right,
                               std::size_t right_stride, double* HWY_RESTRICT result, std::size_t result_stride) {
  const Tag d;
  const std::size_t lanes = hn::Lanes(d);
  Vec sum[kRows][kVectors];
  for (int r = 0; r < kRows; ++r)
    for (int v = 0; v < kVectors; ++v) sum[r][v] = hn::Zero(d);
  for (std::size_t k = 0; k < depth; ++k) {
    Vec column[kVectors];
    for (int v = 0; v < kVectors; ++v) column[v] = hn::Load(d, right + static_cast<std::size_t>(v) * lanes);
    for (int r = 0; r < kRows; ++r) {
      const Vec weight = hn::Set(d, packed[r]);
      for (int v = 0; v < kVectors; ++v) sum[r][v] = hn::MulAdd(weight, column[v], sum[r][v]);
    }
    packed += kRows;
    right += right_stride;
  }
  for (int r = 0; r < kRows; ++r)
    for (int v = 0; v < kVectors; ++v)
      hn::Store(sum[r][v], d,
                result + static_cast<std::size_t>(r) * result_stride + static_cast<std::size_t>(v) * lanes);
}

/// `blocks` blocks of kRows rows over the columns [begin, end) in steps of kVectors vectors; returns where it stopped.
/// The rows run inside, so that the panel of `right` stays in the first-level cache while the weights stream past.
template <int kRows, int kVectors>
std::size_t multiply_panels(const double* packed, std::size_t blocks, std::size_t depth, const double* right,
                            std::size_t right_stride, double* result, std::size_t result_stride, std::size_t begin,
                            std::size_t end) {
  const std::size_t width = kVectors * hn::Lanes(Tag());
  for (; begin + width <= end; begin += width)
    for (std::size_t b = 0; b < blocks; ++b)
      multiply_block<kRows, kVectors>(packed + b * kRows * depth, depth, right + begin, right_stride,
                                      result + b * kRows * result_stride + begin, result_stride);
  return begin;
}

template <int kRows>
void multiply_rows(const double* packed, std::size_t blocks, std::size_t depth, const double* right,
                   std::size_t right_stride, double* result, std::size_t result_stride, std::size_t columns) {
  std::size_t at = 0;
  at = multiply_panels<kRows, kBlockVectors[kRows]>(packed, blocks, depth, right, right_stride, result, result_stride,
                                                    at, columns);
  if constexpr (kBlockVectors[kRows] >= 6)
    at = multiply_panels<kRows, kBlockVectors[kRows] / 2>(packed, blocks, depth, right, right_stride, result,
                                                          result_stride, at, columns);
  at = multiply_panels<kRows, 2>(packed, blocks, depth, right, right_stride, result, result_stride, at, columns);
  multiply_panels<kRows, 1>(packed, blocks, depth, right, right_stride, result, result_stride, at, columns);
}

void multiply_target(const double* packed, std::size_t rows, std::size_t depth, const double* right,
                     std::size_t right_stride, double* result, std::size_t result_stride, std::size_t columns) {
  const std::size_t blocks = rows / kRowBlock;
  multiply_rows<kRowBlock>(packed, blocks, depth, right, right_stride, result, result_stride, columns);
  packed += blocks * kRowBlock * depth;
  result += blocks * kRowBlock * result_stride;
  switch (rows % kRowBlock) {
    case 1:
      return multiply_rows<1>(packed, 1, depth, right, right_stride, result, result_stride, columns);
    case 2:
      return multiply_rows<2>(packed, 1, depth, right, right_stride, result, result_stride, columns);
    case 3:
      return multiply_rows<3>(packed, 1, depth, right, right_stride, result, result_stride, columns);
    default:
      return;
  }
}

}  // namespace
}  // namespace pecann::kernel::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace pecann::kernel {

HWY_EXPORT(multiply_target);

void pack_rows(const double* matrix, std::size_t row_step, std::size_t column_step, std::size_t rows, std::size_t depth,
               double* packed) {
  for (std::size_t begin = 0; begin < rows; begin += kRowBlock) {
    const std::size_t end = std::min(begin + kRowBlock, rows);
    for (std::size_t k = 0; k < depth; ++k)
      for (std::size_t r = begin; r < end; ++r) *packed++ = matrix[r * row_step + k * column_step];
  }
}

void multiply(const double* packed, std::size_t rows, std::size_t depth, const double* right, std::size_t right_stride,
              double* result, std::size_t result_stride, std::size_t columns) {
  HWY_DYNAMIC_DISPATCH(multiply_target)
  (packed, rows, depth, right, right_stride, result, result_stride, columns);
}

}  // namespace pecann::kernel
#endif
