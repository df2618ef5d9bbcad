// Activation functions σ and their derivatives on vectors, compiled once per instruction set.
//
// Each function of activation.h is a struct of its enumerator's name with
//   value(d, z, companion)              σ(z), and a second number of z where the derivatives need more than σ(z);
//   derivatives<n>(d, h, companion, s)  s[k] = σ^(k)(z) for k = 1 … n <= 5, from h = σ(z) and the companion alone, so
//                                       that the reverse pass evaluates no transcendental function.
#if defined(PECANN_KERNEL_ACTIVATION_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef PECANN_KERNEL_ACTIVATION_INL_H_
#undef PECANN_KERNEL_ACTIVATION_INL_H_
#else
#define PECANN_KERNEL_ACTIVATION_INL_H_
#endif

#include "hwy/contrib/math/math-inl.h"
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace pecann::kernel::HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;
using Tag = hn::CappedTag<double, 8>;
using Vec = hn::Vec<Tag>;

/// Holds z within ±limit; not-a-number passes through.
HWY_INLINE Vec clamp(Tag d, Vec z, double limit) {
  const Vec bound = hn::Set(d, limit);
#if HWY_TARGET == HWY_EMU128 || HWY_TARGET == HWY_SCALAR  // whose Min and Max drop not-a-number
  return hn::IfThenElse(hn::Gt(hn::Abs(z), bound), hn::CopySign(bound, z), z);
#else
  return hn::Max(hn::Neg(bound),
                 hn::Min(bound, z));  // in this order x86 returns the second operand, NEON the not-a-number
#endif
}

/// e^{2x} = scale (denominator + numerator) / (denominator - numerator), scale a power of two; |x| <= 354.
struct ExponentialRatio {
  Vec scale, numerator, denominator;
};

HWY_INLINE ExponentialRatio exponential_ratio(Tag d, Vec x) {
  const hn::RebindToSigned<Tag> di;
  const Vec one = hn::Set(d, 1.0);
  // Adding 1.5·2^52 rounds 2x / ln 2 to an integer n, which then stands in the low bits of the sum.
  const Vec magic = hn::Set(d, 6755399441055744.0);
  const Vec shifted = hn::MulAdd(x, hn::Set(d, 2.8853900817779268), magic);
  const Vec n = hn::Sub(shifted, magic);
  const Vec scale = hn::BitCast(d, hn::ShiftLeft<52>(hn::Add(hn::BitCast(di, shifted), hn::Set(di, 1023))));
  // r = x - n ln 2 / 2, |r| <= ln 2 / 4; ln 2 / 2 in two parts, so that n times the first is exact without
  // fused operations too.
  Vec r = hn::NegMulAdd(n, hn::Set(d, 0.346573590184561908245), x);
  r = hn::NegMulAdd(n, hn::Set(d, 9.54107464635293850010e-11), r);
  // tanh r = numerator / denominator is the sixth convergent of Lambert's continued fraction, with a relative error
  // below 1e-18, and e^{2r} = (1 + tanh r) / (1 - tanh r).
  const Vec y = hn::Mul(r, r);
  const Vec p = hn::MulAdd(hn::MulAdd(hn::Set(d, 1.0 / 495), y, hn::Set(d, 4.0 / 33)), y, one);
  Vec q = hn::MulAdd(hn::Set(d, 1.0 / 10395), y, hn::Set(d, 2.0 / 99));
  q = hn::MulAdd(hn::MulAdd(q, y, hn::Set(d, 5.0 / 11)), y, one);
  return {scale, hn::Mul(r, p), q};
}

/// 1 / (1 + e^-z).
HWY_INLINE Vec logistic(Tag d, Vec z) {
  const ExponentialRatio e = exponential_ratio(d, hn::Mul(hn::Set(d, 0.5), clamp(d, z, 708.0)));
  const Vec grown = hn::Mul(e.scale, hn::Add(e.denominator, e.numerator));
  return hn::Div(grown, hn::Add(grown, hn::Sub(e.denominator, e.numerator)));
}

struct Tanh {
  static constexpr bool kHasCompanion = false;

  /// (e^{2z} - 1) / (e^{2z} + 1), within 3 units in the last place, exactly odd. Beyond |z| = 20 it is ±1.
  static HWY_INLINE Vec value(Tag d, Vec z, Vec&) {
    const ExponentialRatio e = exponential_ratio(d, clamp(d, z, 20.0));
    const Vec one = hn::Set(d, 1.0);
    const Vec more = hn::Add(e.scale, one), less = hn::Sub(e.scale, one);
    return hn::Div(hn::MulAdd(less, e.denominator, hn::Mul(more, e.numerator)),
                   hn::MulAdd(more, e.denominator, hn::Mul(less, e.numerator)));
  }

  /// σ' = 1 - h², and Leibniz' rule for the derivatives of h².
  template <int kOrder>
  static HWY_INLINE void derivatives(Tag d, Vec h, Vec, Vec* HWY_RESTRICT s) {
    const Vec minus_two = hn::Set(d, -2.0);
    s[1] = hn::NegMulAdd(h, h, hn::Set(d, 1.0));
    const Vec minus_two_h = hn::Mul(minus_two, h);
    if constexpr (kOrder >= 2) s[2] = hn::Mul(minus_two_h, s[1]);
    if constexpr (kOrder >= 3) s[3] = hn::MulAdd(minus_two_h, s[2], hn::Mul(minus_two, hn::Mul(s[1], s[1])));
    if constexpr (kOrder >= 4) s[4] = hn::MulAdd(minus_two_h, s[3], hn::Mul(hn::Set(d, -6.0), hn::Mul(s[1], s[2])));
    if constexpr (kOrder >= 5)
      s[5] =
          hn::MulAdd(minus_two_h, s[4],
                     hn::MulAdd(hn::Set(d, -8.0), hn::Mul(s[1], s[3]), hn::Mul(hn::Set(d, -6.0), hn::Mul(s[2], s[2]))));
  }
};

/// s^(k) of the logistic function from s: σ' = s (1 - s), σ'' = σ' (1 - 2s), and Leibniz' rule.
template <int kOrder>
HWY_INLINE void logistic_derivatives(Tag d, Vec value, Vec* HWY_RESTRICT s) {
  const Vec one = hn::Set(d, 1.0);
  const Vec w = hn::NegMulAdd(hn::Set(d, 2.0), value, one);
  s[1] = hn::NegMulAdd(value, value, value);
  if constexpr (kOrder >= 2) s[2] = hn::Mul(w, s[1]);
  if constexpr (kOrder >= 3) s[3] = hn::MulAdd(w, s[2], hn::Mul(hn::Set(d, -2.0), hn::Mul(s[1], s[1])));
  if constexpr (kOrder >= 4) s[4] = hn::MulAdd(w, s[3], hn::Mul(hn::Set(d, -6.0), hn::Mul(s[1], s[2])));
  if constexpr (kOrder >= 5)
    s[5] = hn::MulAdd(
        w, s[4], hn::MulAdd(hn::Set(d, -8.0), hn::Mul(s[1], s[3]), hn::Mul(hn::Set(d, -6.0), hn::Mul(s[2], s[2]))));
}

struct Sigmoid {
  static constexpr bool kHasCompanion = false;
  static HWY_INLINE Vec value(Tag d, Vec z, Vec&) { return logistic(d, z); }
  template <int kOrder>
  static HWY_INLINE void derivatives(Tag d, Vec h, Vec, Vec* HWY_RESTRICT s) {
    logistic_derivatives<kOrder>(d, h, s);
  }
};

/// σ(z) = z s(z), s the logistic function (the companion): σ^(k) = z s^(k) + k s^(k-1), z = σ / s.
struct Silu {
  static constexpr bool kHasCompanion = true;
  static HWY_INLINE Vec value(Tag d, Vec z, Vec& companion) {
    companion = logistic(d, z);
    return hn::Mul(z, companion);
  }
  template <int kOrder>
  static HWY_INLINE void derivatives(Tag d, Vec h, Vec companion, Vec* HWY_RESTRICT s) {
    const Vec z = hn::Div(h, companion);
    Vec l[kOrder + 1];
    l[0] = companion;
    logistic_derivatives<kOrder>(d, companion, l);
    for (int k = 1; k <= kOrder; ++k) s[k] = hn::MulAdd(z, l[k], hn::Mul(hn::Set(d, k), l[k - 1]));
  }
};

/// The companion is cos z.
struct Sin {
  static constexpr bool kHasCompanion = true;
  static HWY_INLINE Vec value(Tag d, Vec z, Vec& companion) {
    companion = hn::Cos(d, z);
    return hn::Sin(d, z);
  }
  template <int kOrder>
  static HWY_INLINE void derivatives(Tag, Vec h, Vec companion, Vec* HWY_RESTRICT s) {
    s[1] = companion;
    if constexpr (kOrder >= 2) s[2] = hn::Neg(h);
    if constexpr (kOrder >= 3) s[3] = hn::Neg(companion);
    if constexpr (kOrder >= 4) s[4] = h;
    if constexpr (kOrder >= 5) s[5] = companion;
  }
};

/// The companion is sin z.
struct Cos {
  static constexpr bool kHasCompanion = true;
  static HWY_INLINE Vec value(Tag d, Vec z, Vec& companion) {
    companion = hn::Sin(d, z);
    return hn::Cos(d, z);
  }
  template <int kOrder>
  static HWY_INLINE void derivatives(Tag, Vec h, Vec companion, Vec* HWY_RESTRICT s) {
    s[1] = hn::Neg(companion);
    if constexpr (kOrder >= 2) s[2] = hn::Neg(h);
    if constexpr (kOrder >= 3) s[3] = companion;
    if constexpr (kOrder >= 4) s[4] = h;
    if constexpr (kOrder >= 5) s[5] = hn::Neg(companion);
  }
};

}  // namespace
}  // namespace pecann::kernel::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // PECANN_KERNEL_ACTIVATION_INL_H_
