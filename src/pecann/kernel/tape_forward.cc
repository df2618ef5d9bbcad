#include "pecann/base/aligned_vector.h"
#include "pecann/base/require.h"
#include "pecann/kernel/tape.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "pecann/kernel/tape_forward.cc"
#include "hwy/foreach_target.h"  // IWYU pragma: keep
#include "hwy/highway.h"
#include "pecann/kernel/tape_math-inl.h"

HWY_BEFORE_NAMESPACE();
namespace pecann::kernel::HWY_NAMESPACE {

template <class F>
HWY_INLINE void for_one(std::size_t points, const double* a, double* result, F f) {
  const Tag d;
  for (std::size_t p = 0; p < points; p += hn::Lanes(d)) hn::Store(f(hn::Load(d, a + p)), d, result + p);
}

template <class F>
HWY_INLINE void for_two(std::size_t points, const double* a, const double* b, double* result, F f) {
  const Tag d;
  for (std::size_t p = 0; p < points; p += hn::Lanes(d))
    hn::Store(f(hn::Load(d, a + p), hn::Load(d, b + p)), d, result + p);
}

HWY_INLINE Vec one_where(Mask mask) { return hn::IfThenElseZero(mask, hn::Set(Tag(), 1.0)); }

void run_instruction(const TapeInstruction& step, const double* a, const double* b, const double* c, double* result,
                     std::size_t points) {
  const Tag d;
  switch (step.op) {
    case TapeOp::Constant:
      for (std::size_t p = 0; p < points; p += hn::Lanes(d)) hn::Store(hn::Set(d, step.value), d, result + p);
      return;
    case TapeOp::Add:
      return for_two(points, a, b, result, [](Vec x, Vec y) HWY_ATTR { return hn::Add(x, y); });
    case TapeOp::Subtract:
      return for_two(points, a, b, result, [](Vec x, Vec y) HWY_ATTR { return hn::Sub(x, y); });
    case TapeOp::Multiply:
      return for_two(points, a, b, result, [](Vec x, Vec y) HWY_ATTR { return hn::Mul(x, y); });
    case TapeOp::Divide:
      return for_two(points, a, b, result, [](Vec x, Vec y) HWY_ATTR { return hn::Div(x, y); });
    case TapeOp::Negate:
      return for_one(points, a, result, [](Vec x) HWY_ATTR { return hn::Neg(x); });
    case TapeOp::PowerInteger: {
      const int n = static_cast<int>(step.value);
      return for_one(points, a, result, [n](Vec x) HWY_ATTR { return tape_power(x, n); });
    }
    case TapeOp::Power:
      return for_two(points, a, b, result, [](Vec x, Vec y) HWY_ATTR { return tape_power(x, y); });
    case TapeOp::Sin:
      return for_one(points, a, result, [](Vec x) HWY_ATTR { return tape_sin(x); });
    case TapeOp::Cos:
      return for_one(points, a, result, [](Vec x) HWY_ATTR { return tape_cos(x); });
    case TapeOp::Tan:
      return for_one(points, a, result, [](Vec x) HWY_ATTR { return tape_tan(x); });
    case TapeOp::Exp:
      return for_one(points, a, result, [](Vec x) HWY_ATTR { return tape_exp(x); });
    case TapeOp::Log:
      return for_one(points, a, result, [](Vec x) HWY_ATTR { return tape_log(x); });
    case TapeOp::Sqrt:
      return for_one(points, a, result, [](Vec x) HWY_ATTR { return hn::Sqrt(x); });
    case TapeOp::Tanh:
      return for_one(points, a, result, [](Vec x) HWY_ATTR { return tape_tanh(x); });
    case TapeOp::Sinh:
      return for_one(points, a, result,
                     [](Vec x) HWY_ATTR { return by_lane(x, [](double y) { return std::sinh(y); }); });
    case TapeOp::Cosh:
      return for_one(points, a, result,
                     [](Vec x) HWY_ATTR { return by_lane(x, [](double y) { return std::cosh(y); }); });
    case TapeOp::Asin:
      return for_one(points, a, result,
                     [](Vec x) HWY_ATTR { return by_lane(x, [](double y) { return std::asin(y); }); });
    case TapeOp::Acos:
      return for_one(points, a, result,
                     [](Vec x) HWY_ATTR { return by_lane(x, [](double y) { return std::acos(y); }); });
    case TapeOp::Atan:
      return for_one(points, a, result,
                     [](Vec x) HWY_ATTR { return by_lane(x, [](double y) { return std::atan(y); }); });
    case TapeOp::Erf:
      return for_one(points, a, result,
                     [](Vec x) HWY_ATTR { return by_lane(x, [](double y) { return std::erf(y); }); });
    case TapeOp::Abs:
      return for_one(points, a, result, [](Vec x) HWY_ATTR { return hn::Abs(x); });
    case TapeOp::Sign:
      return for_one(points, a, result, [](Vec x) HWY_ATTR { return tape_sign(x); });
    case TapeOp::Min:
      return for_two(points, a, b, result,
                     [](Vec x, Vec y) HWY_ATTR { return hn::IfThenElse(min_takes_first(x, y), x, y); });
    case TapeOp::Max:
      return for_two(points, a, b, result,
                     [](Vec x, Vec y) HWY_ATTR { return hn::IfThenElse(max_takes_first(x, y), x, y); });
    case TapeOp::Less:
      return for_two(points, a, b, result, [](Vec x, Vec y) HWY_ATTR { return one_where(hn::Lt(x, y)); });
    case TapeOp::LessEqual:
      return for_two(points, a, b, result, [](Vec x, Vec y) HWY_ATTR { return one_where(hn::Le(x, y)); });
    case TapeOp::Equal:
      return for_two(points, a, b, result, [](Vec x, Vec y) HWY_ATTR { return one_where(hn::Eq(x, y)); });
    case TapeOp::Select:
      for (std::size_t p = 0; p < points; p += hn::Lanes(d)) {
        const Mask no = hn::Eq(hn::Load(d, a + p), hn::Zero(d));
        hn::Store(hn::IfThenElse(no, hn::Load(d, c + p), hn::Load(d, b + p)), d, result + p);
      }
      return;
  }
}

void forward(const Tape& tape, std::span<const double* const> inputs, double* scratch, std::size_t points) {
  const auto at = [&](std::int32_t r) -> const double* {
    if (r < 0) return nullptr;
    return r < tape.num_inputs ? inputs[r] : scratch + static_cast<std::size_t>(r - tape.num_inputs) * points;
  };
  for (const TapeInstruction& step : tape.instructions) {
    double* result = scratch + static_cast<std::size_t>(step.result - tape.num_inputs) * points;
    run_instruction(step, at(step.a), at(step.b), at(step.c), result, points);
  }
}

}  // namespace pecann::kernel::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace pecann::kernel {

HWY_EXPORT(forward);

void tape_forward(const Tape& tape, std::span<const double* const> inputs, double* scratch, std::size_t points) {
  require(inputs.size() == static_cast<std::size_t>(tape.num_inputs), "tape_forward: one array per input");
  require(points % kLanes == 0, "tape_forward: points must be a multiple of kLanes");
  HWY_DYNAMIC_DISPATCH(forward)(tape, inputs, scratch, points);
}

}  // namespace pecann::kernel
#endif
