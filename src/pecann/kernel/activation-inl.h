// Activation functions σ and their derivatives on vectors, compiled once per instruction set.
//
// Each function is a struct with
//   value(d, z, companion)            σ(z); a second number of z that the derivatives need, where σ(z) alone
//   is not enough derivatives<n>(d, h, companion, s)  s[k] = σ^(k)(z) for k = 1 … n <= 5, from h = σ(z) and
//   the companion alone:
//                                     the reverse pass evaluates no transcendental function
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

/// e^y = scale (1 + fraction) with scale a power of two and fraction = e^r - 1, |r| <= ln 2 / 2; |y| <= 708.
struct ExponentialParts {
  Vec scale, fraction;
};

HWY_INLINE ExponentialParts exponential_parts(Tag d, Vec y) {
  const hn::RebindToSigned<Tag> di;
  // Adding 1.5·2^52 rounds y / ln 2 to an integer n, which then stands in the low bits of the sum.
  const Vec magic = hn::Set(d, 6755399441055744.0);
  const Vec shifted = hn::MulAdd(y, hn::Set(d, 1.4426950408889634), magic);
  const Vec n = hn::Sub(shifted, magic);
  const Vec scale = hn::BitCast(d, hn::ShiftLeft<52>(hn::Add(hn::BitCast(di, shifted), hn::Set(di, 1023))));
  // ln 2 in two parts, the first with 21 trailing zero bits, so that n times it is exact without fused
  // operations too.
  Vec r = hn::NegMulAdd(n, hn::Set(d, 6.93147180369123816490e-01), y);
  r = hn::NegMulAdd(n, hn::Set(d, 1.90821492927058770002e-10), r);
  // (e^r - 1 - r) / r²: Chebyshev fit of degree 9 on |r| <= ln 2 / 2, error of e^r - 1 below 4e-17 relative.
  const Vec r2 = hn::Mul(r, r);
  const Vec r4 = hn::Mul(r2, r2);
  const Vec p01 = hn::MulAdd(r, hn::Set(d, 0.16666666666666667453), hn::Set(d, 0.5));
  const Vec p23 = hn::MulAdd(r, hn::Set(d, 0.0083333333333300618325), hn::Set(d, 0.041666666666624127873));
  const Vec p45 = hn::MulAdd(r, hn::Set(d, 0.00019841269863053616878), hn::Set(d, 0.0013888888917213716901));
  const Vec p67 = hn::MulAdd(r, hn::Set(d, 2.7557268459997064772e-6), hn::Set(d, 2.4801521295954375131e-5));
  const Vec p89 = hn::MulAdd(r, hn::Set(d, 2.5100385495510319078e-8), hn::Set(d, 2.7620088445409748161e-7));
  const Vec high = hn::MulAdd(r4, p89, hn::MulAdd(r2, p67, p45));
  const Vec polynomial = hn::MulAdd(r4, high, hn::MulAdd(r2, p23, p01));
  return {scale, hn::MulAdd(r2, polynomial, r)};
}

/// z held within ±limit; not-a-number passes through (Min and Max would lose it on some targets).
HWY_INLINE Vec clamp(Tag d, Vec z, double limit) {
  const Vec bound = hn::Set(d, limit);
  return hn::IfThenElse(hn::Gt(hn::Abs(z), bound), hn::CopySign(bound, z), z);
}

HWY_INLINE Vec logistic(Tag d, Vec z) {
  const Vec one = hn::Set(d, 1.0);
  const ExponentialParts e = exponential_parts(d, hn::Neg(clamp(d, z, 708.0)));
  return hn::Div(one, hn::Add(one, hn::MulAdd(e.scale, e.fraction, e.scale)));
}

struct Tanh {
  static constexpr bool kHasCompanion = false;

  /// tanh z = E / (E + 2), E = e^{2z} - 1; within 3 units in the last place. Beyond |z| = 20 it is ±1.
  static HWY_INLINE Vec value(Tag d, Vec z, Vec&) {
    const Vec c = clamp(d, z, 20.0);
    const ExponentialParts e = exponential_parts(d, hn::Add(c, c));
    const Vec expm1 = hn::MulAdd(e.scale, e.fraction, hn::Sub(e.scale, hn::Set(d, 1.0)));
    return hn::Div(expm1, hn::Add(expm1, hn::Set(d, 2.0)));
  }

  /// σ' = 1 - h², and Leibniz' rule for the derivatives of h².
  template <int kOrder>
  static HWY_INLINE void derivatives(Tag d, Vec h, Vec, Vec* HWY_RESTRICT s) {
    const Vec minus_two = hn::Set(d, -2.0);
    s[1] = hn::NegMulAdd(h, h, hn::Set(d, 1.0));
    const Vec minus_two_h = hn::Mul(minus_two, h);
    if constexpr (kOrder >= 2) s[2] = hn::Mul(minus_two_h, s[1]);
    if constexpr (kOrder >= 3) s[3] = hn::MulAdd(minus_two_h, s[2], hn::Mul(minus_two, hn::Mul(s[1], s[1])));
    if constexpr (kOrder >= 4)
      s[4] = hn::MulAdd(minus_two_h, s[3], hn::Mul(hn::Set(d, -6.0), hn::Mul(s[1], s[2])));
    if constexpr (kOrder >= 5)
      s[5] = hn::MulAdd(
          minus_two_h, s[4],
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
        w, s[4],
        hn::MulAdd(hn::Set(d, -8.0), hn::Mul(s[1], s[3]), hn::Mul(hn::Set(d, -6.0), hn::Mul(s[2], s[2]))));
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
