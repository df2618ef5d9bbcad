// Elementary functions of the tape on one vector of doubles, for the whole line of doubles: inf, NaN and
// arguments outside Highway's ranges are handed to the standard library lane by lane, so that a value never
// depends on its neighbours.
//
//   sin, cos   Highway up to |a| = 39000 (3 ulp)       exp   Highway in [-700, 700] (1 ulp)
//   log        Highway for normal a > 0 (4 ulp)        tanh  Highway for finite a (4 ulp)
//   tan, a^b and the rarer functions (sinh, atan, erf, …): always the standard library
//
// Included once per target (no plain include guard).
#if defined(PECANN_KERNEL_TAPE_MATH_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef PECANN_KERNEL_TAPE_MATH_INL_H_
#undef PECANN_KERNEL_TAPE_MATH_INL_H_
#else
#define PECANN_KERNEL_TAPE_MATH_INL_H_
#endif

#include <cmath>

#include "hwy/contrib/math/math-inl.h"
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace pecann::kernel::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;
using Tag = hn::CappedTag<double, 8>;  // kLanes at most, so that every vector divides a tile
using Vec = hn::Vec<Tag>;
using Mask = hn::Mask<Tag>;

/// f for every lane, by the standard library.
template <class F>
HWY_INLINE Vec by_lane(Vec a, F f) {
  const Tag d;
  HWY_ALIGN double lanes[8];
  hn::Store(a, d, lanes);
  for (std::size_t i = 0; i < hn::Lanes(d); ++i) lanes[i] = f(lanes[i]);
  return hn::Load(d, lanes);
}

template <class F>
HWY_INLINE Vec by_lane(Vec a, Vec b, F f) {
  const Tag d;
  HWY_ALIGN double left[8];
  HWY_ALIGN double right[8];
  hn::Store(a, d, left);
  hn::Store(b, d, right);
  for (std::size_t i = 0; i < hn::Lanes(d); ++i) left[i] = f(left[i], right[i]);
  return hn::Load(d, left);
}

/// `fast` where `good`, the standard library elsewhere.
template <class F>
HWY_INLINE Vec repaired(Mask good, Vec fast, Vec a, F f) {
  if (HWY_LIKELY(hn::AllTrue(Tag(), good))) return fast;
  return hn::IfThenElse(good, fast, by_lane(a, f));
}

HWY_INLINE Mask below(Vec a, double limit) { return hn::Le(hn::Abs(a), hn::Set(Tag(), limit)); }

HWY_INLINE Vec tape_sin(Vec a) {
  return repaired(below(a, 39000), hn::Sin(Tag(), a), a, [](double x) { return std::sin(x); });
}
HWY_INLINE Vec tape_cos(Vec a) {
  return repaired(below(a, 39000), hn::Cos(Tag(), a), a, [](double x) { return std::cos(x); });
}
HWY_INLINE Vec tape_exp(Vec a) {
  return repaired(below(a, 700), hn::Exp(Tag(), a), a, [](double x) { return std::exp(x); });
}
HWY_INLINE Vec tape_tanh(Vec a) {
  return repaired(below(a, 1e300), hn::Tanh(Tag(), a), a, [](double x) { return std::tanh(x); });
}
HWY_INLINE Vec tape_log(Vec a) {
  const Tag d;
  const Mask good = hn::And(hn::Ge(a, hn::Set(d, 2.3e-308)), hn::Le(a, hn::Set(d, 1.7e308)));
  return repaired(good, hn::Log(d, a), a, [](double x) { return std::log(x); });
}
HWY_INLINE Vec tape_tan(Vec a) {
  return by_lane(a, [](double x) { return std::tan(x); });
}
HWY_INLINE Vec tape_power(Vec a, Vec b) {
  return by_lane(a, b, [](double x, double y) { return std::pow(x, y); });
}

/// a^n by repeated squaring; a^-n is 1 / a^n.
HWY_INLINE Vec tape_power(Vec a, int n) {
  const Tag d;
  const Vec one = hn::Set(d, 1.0);
  Vec result = one;
  Vec square = a;
  for (unsigned rest = static_cast<unsigned>(n < 0 ? -n : n); rest != 0; rest >>= 1) {
    if (rest & 1) result = hn::Mul(result, square);
    square = hn::Mul(square, square);
  }
  return n < 0 ? hn::Div(one, result) : result;
}

/// Where min and max take their first argument (the second one elsewhere). NaN in either argument is passed on.
HWY_INLINE Mask min_takes_first(Vec a, Vec b) { return hn::Or(hn::Le(a, b), hn::IsNaN(a)); }
HWY_INLINE Mask max_takes_first(Vec a, Vec b) { return hn::Or(hn::Ge(a, b), hn::IsNaN(a)); }

HWY_INLINE Vec tape_sign(Vec a) {
  const Tag d;
  const Vec zero = hn::Zero(d);
  const Vec one = hn::Set(d, 1.0);
  const Vec signed_one = hn::CopySign(one, a);
  return hn::IfThenElse(hn::Or(hn::Eq(a, zero), hn::IsNaN(a)), a, signed_one);
}

}  // namespace pecann::kernel::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // per target
