#include "pecann/kernel/dense_adjoint.h"

#include <algorithm>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "pecann/kernel/dense_adjoint.cc"
#include "hwy/foreach_target.h"
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace pecann::kernel::HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;
using Tag = hn::CappedTag<double, 8>;
using Vec = hn::Vec<Tag>;

// Blocks of kOutputBlock rows of dz by kInputBlock rows of h: kOutputBlock * kInputBlock accumulators. Four sums of one
// output lie side by side in the gradient, hence the reduction of four accumulators at once below.
constexpr std::size_t kOutputBlock = 3;
#if HWY_TARGET == HWY_AVX3 || HWY_TARGET == HWY_NEON
constexpr std::size_t kInputBlock = 8;
#else
constexpr std::size_t kInputBlock = 4;
#endif
// Rows of dz that stay in the first-level cache while all of h streams past.
constexpr std::size_t kCachedOutputs = 12;

/// target[0 … 3] += the sums of the lanes of a, b, c, e.
HWY_INLINE void add_four_sums(Vec a, Vec b, Vec c, Vec e, double* HWY_RESTRICT target) {
  const Tag d;
#if HWY_TARGET == HWY_SCALAR
  target[0] += hn::GetLane(a);
  target[1] += hn::GetLane(b);
  target[2] += hn::GetLane(c);
  target[3] += hn::GetLane(e);
  (void)d;
#else
  // Neighbouring lanes: (a0+a1, b0+b1, a2+a3, b2+b3, …).
  const Vec ab = hn::Add(hn::InterleaveLower(d, a, b), hn::InterleaveUpper(d, a, b));
  const Vec ce = hn::Add(hn::InterleaveLower(d, c, e), hn::InterleaveUpper(d, c, e));
  if constexpr (hn::MaxLanes(Tag()) == 2) {
    hn::StoreU(hn::Add(ab, hn::LoadU(d, target)), d, target);
    hn::StoreU(hn::Add(ce, hn::LoadU(d, target + 2)), d, target + 2);
  } else if constexpr (hn::MaxLanes(Tag()) == 4) {
    const Vec sums = hn::Add(hn::ConcatLowerLower(d, ce, ab), hn::ConcatUpperUpper(d, ce, ab));
    hn::StoreU(hn::Add(sums, hn::LoadU(d, target)), d, target);
  } else {
    const hn::Half<Tag> half;
    const auto ab4 = hn::Add(hn::LowerHalf(half, ab), hn::UpperHalf(half, ab));
    const auto ce4 = hn::Add(hn::LowerHalf(half, ce), hn::UpperHalf(half, ce));
    const auto sums = hn::Add(hn::ConcatLowerLower(half, ce4, ab4), hn::ConcatUpperUpper(half, ce4, ab4));
    hn::StoreU(hn::Add(sums, hn::LoadU(half, target)), half, target);
  }
#endif
}

template <std::size_t kOutputs, std::size_t kInputs>
HWY_INLINE void gradient_block(const double* HWY_RESTRICT dz, std::size_t dz_stride, const double* HWY_RESTRICT h,
                               std::size_t h_stride, std::size_t columns, double* HWY_RESTRICT gradient,
                               std::size_t inputs) {
  const Tag d;
  Vec sum[kOutputs][kInputs];
  for (std::size_t o = 0; o < kOutputs; ++o)
    for (std::size_t i = 0; i < kInputs; ++i) sum[o][i] = hn::Zero(d);
  for (std::size_t n = 0; n < columns; n += hn::Lanes(d)) {
    Vec adjoint[kOutputs];
    for (std::size_t o = 0; o < kOutputs; ++o) adjoint[o] = hn::Load(d, dz + o * dz_stride + n);
    for (std::size_t i = 0; i < kInputs; ++i) {
      const Vec value = hn::Load(d, h + i * h_stride + n);
      for (std::size_t o = 0; o < kOutputs; ++o) sum[o][i] = hn::MulAdd(adjoint[o], value, sum[o][i]);
    }
  }
  for (std::size_t o = 0; o < kOutputs; ++o) {
    double* HWY_RESTRICT row = gradient + o * inputs;
    if constexpr (kInputs % 4 == 0) {
      for (std::size_t i = 0; i < kInputs; i += 4)
        add_four_sums(sum[o][i], sum[o][i + 1], sum[o][i + 2], sum[o][i + 3], row + i);
    } else {
      for (std::size_t i = 0; i < kInputs; ++i) row[i] += hn::GetLane(hn::SumOfLanes(d, sum[o][i]));
    }
  }
}

template <std::size_t kOutputs, std::size_t kInputs>
HWY_INLINE void jacobian_block(const double* HWY_RESTRICT dz, std::size_t dz_stride, const double* HWY_RESTRICT h,
                               std::size_t h_stride, std::size_t channels, std::size_t points,
                               double* HWY_RESTRICT jacobian, std::size_t inputs, std::size_t jacobian_stride) {
  const Tag d;
  for (std::size_t t = 0; t < points; t += hn::Lanes(d)) {
    Vec sum[kOutputs][kInputs];
    for (std::size_t o = 0; o < kOutputs; ++o)
      for (std::size_t i = 0; i < kInputs; ++i) sum[o][i] = hn::Zero(d);
    for (std::size_t c = 0; c < channels; ++c) {
      const std::size_t n = c * points + t;
      Vec adjoint[kOutputs];
      for (std::size_t o = 0; o < kOutputs; ++o) adjoint[o] = hn::Load(d, dz + o * dz_stride + n);
      for (std::size_t i = 0; i < kInputs; ++i) {
        const Vec value = hn::Load(d, h + i * h_stride + n);
        for (std::size_t o = 0; o < kOutputs; ++o) sum[o][i] = hn::MulAdd(adjoint[o], value, sum[o][i]);
      }
    }
    for (std::size_t o = 0; o < kOutputs; ++o)
      for (std::size_t i = 0; i < kInputs; ++i)
        hn::StoreU(sum[o][i], d, jacobian + (o * inputs + i) * jacobian_stride + t);
  }
}

struct GradientTile {
  const double *dz, *h;
  std::size_t dz_stride, h_stride, inputs, columns;
  double* gradient;

  template <std::size_t kOutputs, std::size_t kInputs>
  HWY_INLINE void run(std::size_t o, std::size_t i) const {
    gradient_block<kOutputs, kInputs>(dz + o * dz_stride, dz_stride, h + i * h_stride, h_stride, columns,
                                      gradient + o * inputs + i, inputs);
  }
};

struct JacobianTile {
  const double *dz, *h;
  std::size_t dz_stride, h_stride, inputs, channels, points;
  double* jacobian;
  std::size_t jacobian_stride;

  template <std::size_t kOutputs, std::size_t kInputs>
  HWY_INLINE void run(std::size_t o, std::size_t i) const {
    jacobian_block<kOutputs, kInputs>(dz + o * dz_stride, dz_stride, h + i * h_stride, h_stride, channels, points,
                                      jacobian + (o * inputs + i) * jacobian_stride, inputs, jacobian_stride);
  }
};

/// The outputs [begin, end) against the kInputs inputs from i. One output left over would run at half speed,
/// so the last four are taken as two and two.
template <std::size_t kInputs, class Tile>
void run_outputs(const Tile& tile, std::size_t begin, std::size_t end, std::size_t i) {
  std::size_t o = begin;
  for (; o + kOutputBlock <= end && end - o != 4; o += kOutputBlock) tile.template run<kOutputBlock, kInputs>(o, i);
  for (; o + 2 <= end; o += 2) tile.template run<2, kInputs>(o, i);
  if (o < end) tile.template run<1, kInputs>(o, i);
}

template <class Tile>
void run_tile(const Tile& tile, std::size_t outputs, std::size_t inputs) {
  for (std::size_t begin = 0; begin < outputs; begin += kCachedOutputs) {
    const std::size_t end = std::min(begin + kCachedOutputs, outputs);
    std::size_t i = 0;
    // A single output has few sums per input: take more inputs at once.
    if (end - begin == 1)
      for (; i + 8 <= inputs; i += 8) tile.template run<1, 8>(begin, i);
    for (; i + kInputBlock <= inputs; i += kInputBlock) run_outputs<kInputBlock>(tile, begin, end, i);
    if constexpr (kInputBlock > 4)
      for (; i + 4 <= inputs; i += 4) run_outputs<4>(tile, begin, end, i);
    for (; i + 2 <= inputs; i += 2) run_outputs<2>(tile, begin, end, i);
    if (i < inputs) run_outputs<1>(tile, begin, end, i);
  }
}

void weight_gradient_target(const double* dz, std::size_t dz_stride, std::size_t outputs, const double* h,
                            std::size_t h_stride, std::size_t inputs, std::size_t columns, double* gradient) {
  run_tile(GradientTile{dz, h, dz_stride, h_stride, inputs, columns, gradient}, outputs, inputs);
}

void weight_jacobian_target(const double* dz, std::size_t dz_stride, std::size_t outputs, const double* h,
                            std::size_t h_stride, std::size_t inputs, std::size_t channels, std::size_t points,
                            double* jacobian, std::size_t jacobian_stride) {
  run_tile(JacobianTile{dz, h, dz_stride, h_stride, inputs, channels, points, jacobian, jacobian_stride}, outputs,
           inputs);
}

void bias_gradient_target(const double* dz, std::size_t dz_stride, std::size_t outputs, std::size_t points,
                          double* gradient) {
  const Tag d;
  std::size_t o = 0;
  for (; o + 4 <= outputs; o += 4) {
    const double* row = dz + o * dz_stride;
    Vec a = hn::Zero(d), b = a, c = a, e = a;
    for (std::size_t t = 0; t < points; t += hn::Lanes(d)) {
      a = hn::Add(a, hn::Load(d, row + t));
      b = hn::Add(b, hn::Load(d, row + dz_stride + t));
      c = hn::Add(c, hn::Load(d, row + 2 * dz_stride + t));
      e = hn::Add(e, hn::Load(d, row + 3 * dz_stride + t));
    }
    add_four_sums(a, b, c, e, gradient + o);
  }
  for (; o < outputs; ++o) {
    Vec sum = hn::Zero(d);
    for (std::size_t t = 0; t < points; t += hn::Lanes(d)) sum = hn::Add(sum, hn::Load(d, dz + o * dz_stride + t));
    gradient[o] += hn::GetLane(hn::SumOfLanes(d, sum));
  }
}

}  // namespace
}  // namespace pecann::kernel::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace pecann::kernel {

HWY_EXPORT(weight_gradient_target);
HWY_EXPORT(weight_jacobian_target);
HWY_EXPORT(bias_gradient_target);

void add_weight_gradient(const double* dz, std::size_t dz_stride, std::size_t outputs, const double* h,
                         std::size_t h_stride, std::size_t inputs, std::size_t columns, double* gradient) {
  HWY_DYNAMIC_DISPATCH(weight_gradient_target)
  (dz, dz_stride, outputs, h, h_stride, inputs, columns, gradient);
}

void add_bias_gradient(const double* dz, std::size_t dz_stride, std::size_t outputs, std::size_t points,
                       double* gradient) {
  HWY_DYNAMIC_DISPATCH(bias_gradient_target)(dz, dz_stride, outputs, points, gradient);
}

void weight_jacobian(const double* dz, std::size_t dz_stride, std::size_t outputs, const double* h,
                     std::size_t h_stride, std::size_t inputs, std::size_t channels, std::size_t points,
                     double* jacobian, std::size_t jacobian_stride) {
  HWY_DYNAMIC_DISPATCH(weight_jacobian_target)
  (dz, dz_stride, outputs, h, h_stride, inputs, channels, points, jacobian, jacobian_stride);
}

}  // namespace pecann::kernel
#endif
