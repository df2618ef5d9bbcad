#include <algorithm>
#include <numbers>

#include "pecann/base/aligned_vector.h"
#include "pecann/base/require.h"
#include "pecann/kernel/tape.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "pecann/kernel/tape_backward.cc"
#include "hwy/foreach_target.h"  // IWYU pragma: keep
#include "hwy/highway.h"
#include "pecann/kernel/tape_math-inl.h"

HWY_BEFORE_NAMESPACE();
namespace pecann::kernel::HWY_NAMESPACE {

/// What the reverse of one instruction reads (the values a, b, c, the result and its adjoint) and what it adds to (null
/// where that is not wanted).
struct ReverseStep {
  const double *a, *b, *c, *result, *adjoint;
  double *to_a, *to_b, *to_c;
  std::size_t points;
};

/// target += adjoint * partial(p) at every point; where the adjoint is zero nothing is added, whatever the partial.
template <class Partial>
HWY_INLINE void add_product(const ReverseStep& s, double* target, Partial partial) {
  if (target == nullptr) return;
  const Tag d;
  for (std::size_t p = 0; p < s.points; p += hn::Lanes(d)) {
    const Vec g = hn::Load(d, s.adjoint + p);
    const Vec added = hn::IfThenElseZero(hn::Ne(g, hn::Zero(d)), hn::Mul(g, partial(p)));
    hn::Store(hn::Add(hn::Load(d, target + p), added), d, target + p);
  }
}

/// target += ± adjoint.
template <class Term>
HWY_INLINE void add_term(const ReverseStep& s, double* target, Term term) {
  if (target == nullptr) return;
  const Tag d;
  for (std::size_t p = 0; p < s.points; p += hn::Lanes(d))
    hn::Store(hn::Add(hn::Load(d, target + p), term(hn::Load(d, s.adjoint + p))), d, target + p);
}

/// target += adjoint at the points of mask(p).
template <class Where>
HWY_INLINE void add_where(const ReverseStep& s, double* target, Where mask) {
  if (target == nullptr) return;
  const Tag d;
  for (std::size_t p = 0; p < s.points; p += hn::Lanes(d)) {
    const Vec added = hn::IfThenElseZero(mask(p), hn::Load(d, s.adjoint + p));
    hn::Store(hn::Add(hn::Load(d, target + p), added), d, target + p);
  }
}

/// d(x^y)/dy = x^y log x, and 0 at x = 0 for y > 0 (its limit, where log gives -inf).
double power_by_exponent(double x, double y) {
  if (x == 0 && y > 0) return 0;
  return std::pow(x, y) * std::log(x);
}

void reverse_instruction(const TapeInstruction& step, const ReverseStep& s) {
  const Tag d;
  const Vec one = hn::Set(d, 1.0);
  const auto a = [&](std::size_t p) HWY_ATTR { return hn::Load(d, s.a + p); };
  const auto b = [&](std::size_t p) HWY_ATTR { return hn::Load(d, s.b + p); };
  const auto r = [&](std::size_t p) HWY_ATTR { return hn::Load(d, s.result + p); };
  const auto same_sign = [](Vec g) HWY_ATTR { return g; };
  const auto negated = [](Vec g) HWY_ATTR { return hn::Neg(g); };
  switch (step.op) {
    case TapeOp::Constant:
    case TapeOp::Sign:
    case TapeOp::Less:
    case TapeOp::LessEqual:
    case TapeOp::Equal:
      return;
    case TapeOp::Add:
      add_term(s, s.to_a, same_sign);
      return add_term(s, s.to_b, same_sign);
    case TapeOp::Subtract:
      add_term(s, s.to_a, same_sign);
      return add_term(s, s.to_b, negated);
    case TapeOp::Negate:
      return add_term(s, s.to_a, negated);
    case TapeOp::Multiply:
      add_product(s, s.to_a, [&](std::size_t p) HWY_ATTR { return b(p); });
      return add_product(s, s.to_b, [&](std::size_t p) HWY_ATTR { return a(p); });
    case TapeOp::Divide:
      add_product(s, s.to_a, [&](std::size_t p) HWY_ATTR { return hn::Div(one, b(p)); });
      return add_product(s, s.to_b, [&](std::size_t p) HWY_ATTR { return hn::Neg(hn::Div(r(p), b(p))); });
    case TapeOp::PowerInteger: {
      const int n = static_cast<int>(step.value);
      if (n == 0) return;
      const Vec factor = hn::Set(d, step.value);
      return add_product(s, s.to_a, [&](std::size_t p) HWY_ATTR { return hn::Mul(factor, tape_power(a(p), n - 1)); });
    }
    case TapeOp::Power:
      add_product(s, s.to_a,
                  [&](std::size_t p) HWY_ATTR { return hn::Mul(b(p), tape_power(a(p), hn::Sub(b(p), one))); });
      return add_product(s, s.to_b, [&](std::size_t p) HWY_ATTR {
        return by_lane(a(p), b(p), [](double x, double y) { return power_by_exponent(x, y); });
      });
    case TapeOp::Sin:
      return add_product(s, s.to_a, [&](std::size_t p) HWY_ATTR { return tape_cos(a(p)); });
    case TapeOp::Cos:
      return add_product(s, s.to_a, [&](std::size_t p) HWY_ATTR { return hn::Neg(tape_sin(a(p))); });
    case TapeOp::Tan:
      return add_product(s, s.to_a, [&](std::size_t p) HWY_ATTR { return hn::MulAdd(r(p), r(p), one); });
    case TapeOp::Exp:
      return add_product(s, s.to_a, [&](std::size_t p) HWY_ATTR { return r(p); });
    case TapeOp::Log:
      return add_product(s, s.to_a, [&](std::size_t p) HWY_ATTR { return hn::Div(one, a(p)); });
    case TapeOp::Sqrt:
      return add_product(s, s.to_a, [&](std::size_t p) HWY_ATTR { return hn::Div(hn::Set(d, 0.5), r(p)); });
    case TapeOp::Tanh:  // 1 - r² as (1 - r)(1 + r): exact where r is near 1
      return add_product(s, s.to_a,
                         [&](std::size_t p) HWY_ATTR { return hn::Mul(hn::Sub(one, r(p)), hn::Add(one, r(p))); });
    case TapeOp::Sinh:
      return add_product(s, s.to_a,
                         [&](std::size_t p) HWY_ATTR { return by_lane(a(p), [](double x) { return std::cosh(x); }); });
    case TapeOp::Cosh:
      return add_product(s, s.to_a,
                         [&](std::size_t p) HWY_ATTR { return by_lane(a(p), [](double x) { return std::sinh(x); }); });
    case TapeOp::Asin:
      return add_product(s, s.to_a, [&](std::size_t p) HWY_ATTR {
        return by_lane(a(p), [](double x) { return 1 / std::sqrt((1 - x) * (1 + x)); });
      });
    case TapeOp::Acos:
      return add_product(s, s.to_a, [&](std::size_t p) HWY_ATTR {
        return by_lane(a(p), [](double x) { return -1 / std::sqrt((1 - x) * (1 + x)); });
      });
    case TapeOp::Atan:
      return add_product(
          s, s.to_a, [&](std::size_t p) HWY_ATTR { return by_lane(a(p), [](double x) { return 1 / (1 + x * x); }); });
    case TapeOp::Erf:
      return add_product(s, s.to_a, [&](std::size_t p) HWY_ATTR {
        return by_lane(a(p), [](double x) { return 2 * std::numbers::inv_sqrtpi * std::exp(-x * x); });
      });
    case TapeOp::Abs:
      return add_product(s, s.to_a, [&](std::size_t p) HWY_ATTR { return tape_sign(a(p)); });
    case TapeOp::Min:
      add_where(s, s.to_a, [&](std::size_t p) HWY_ATTR { return min_takes_first(a(p), b(p)); });
      return add_where(s, s.to_b, [&](std::size_t p) HWY_ATTR { return hn::Not(min_takes_first(a(p), b(p))); });
    case TapeOp::Max:
      add_where(s, s.to_a, [&](std::size_t p) HWY_ATTR { return max_takes_first(a(p), b(p)); });
      return add_where(s, s.to_b, [&](std::size_t p) HWY_ATTR { return hn::Not(max_takes_first(a(p), b(p))); });
    case TapeOp::Select:
      add_where(s, s.to_b, [&](std::size_t p) HWY_ATTR { return hn::Ne(a(p), hn::Zero(d)); });
      return add_where(s, s.to_c, [&](std::size_t p) HWY_ATTR { return hn::Eq(a(p), hn::Zero(d)); });
  }
}

void add_output_adjoint(const double* adjoint, double* target, std::size_t points) {
  const Tag d;
  for (std::size_t p = 0; p < points; p += hn::Lanes(d))
    hn::Store(hn::Add(hn::Load(d, target + p), hn::Load(d, adjoint + p)), d, target + p);
}

void backward(const Tape& tape, std::span<const double* const> inputs, const double* scratch, std::size_t points,
              std::span<const double* const> output_adjoints, std::span<double* const> input_adjoints,
              double* adjoint_scratch) {
  const auto offset = [&](std::int32_t r) { return static_cast<std::size_t>(r - tape.num_inputs) * points; };
  const auto value = [&](std::int32_t r) -> const double* {
    if (r < 0) return nullptr;
    return r < tape.num_inputs ? inputs[r] : scratch + offset(r);
  };
  // The builder writes register num_inputs + k in instruction k, so a constant is found without a table.
  const auto is_constant = [&](std::int32_t r) {
    const auto k = static_cast<std::size_t>(r - tape.num_inputs);
    return k < tape.instructions.size() && tape.instructions[k].result == r &&
           tape.instructions[k].op == TapeOp::Constant;
  };
  const auto adjoint = [&](std::int32_t r) -> double* {
    if (r < 0) return nullptr;
    if (r < tape.num_inputs) return input_adjoints[r];
    return is_constant(r) ? nullptr : adjoint_scratch + offset(r);
  };
  std::fill_n(adjoint_scratch, offset(tape.num_registers), 0.0);
  for (std::size_t o = 0; o < tape.outputs.size(); ++o)
    if (double* target = adjoint(tape.outputs[o])) add_output_adjoint(output_adjoints[o], target, points);
  for (auto step = tape.instructions.rbegin(); step != tape.instructions.rend(); ++step) {
    reverse_instruction(
        *step, {value(step->a), value(step->b), value(step->c), value(step->result),
                adjoint_scratch + offset(step->result), adjoint(step->a), adjoint(step->b), adjoint(step->c), points});
  }
}

}  // namespace pecann::kernel::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace pecann::kernel {

HWY_EXPORT(backward);

void tape_backward(const Tape& tape, std::span<const double* const> inputs, const double* scratch, std::size_t points,
                   std::span<const double* const> output_adjoints, std::span<double* const> input_adjoints,
                   double* adjoint_scratch) {
  const auto num_inputs = static_cast<std::size_t>(tape.num_inputs);
  require(inputs.size() == num_inputs && input_adjoints.size() == num_inputs, "tape_backward: one array per input");
  require(output_adjoints.size() == tape.outputs.size(), "tape_backward: one adjoint per output");
  require(points % kLanes == 0, "tape_backward: points must be a multiple of kLanes");
  HWY_DYNAMIC_DISPATCH(backward)
  (tape, inputs, scratch, points, output_adjoints, input_adjoints, adjoint_scratch);
}

}  // namespace pecann::kernel
#endif
