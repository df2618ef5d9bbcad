#include "pecann/expr/tape_builder.h"

#include <cmath>

#include "pecann/base/require.h"

namespace pecann::expr {
namespace {

using kernel::TapeOp;

/// Beyond this a power by repeated squaring loses more digits than pow().
constexpr double kLargestIntegerPower = 64;

TapeOp operation_of(Kind kind) {
  switch (kind) {
    case Kind::Sin:
      return TapeOp::Sin;
    case Kind::Cos:
      return TapeOp::Cos;
    case Kind::Tan:
      return TapeOp::Tan;
    case Kind::Exp:
      return TapeOp::Exp;
    case Kind::Log:
      return TapeOp::Log;
    case Kind::Sqrt:
      return TapeOp::Sqrt;
    case Kind::Tanh:
      return TapeOp::Tanh;
    case Kind::Sinh:
      return TapeOp::Sinh;
    case Kind::Cosh:
      return TapeOp::Cosh;
    case Kind::Asin:
      return TapeOp::Asin;
    case Kind::Acos:
      return TapeOp::Acos;
    case Kind::Atan:
      return TapeOp::Atan;
    case Kind::Erf:
      return TapeOp::Erf;
    case Kind::Abs:
      return TapeOp::Abs;
    case Kind::Sign:
      return TapeOp::Sign;
    case Kind::Min:
      return TapeOp::Min;
    case Kind::Max:
      return TapeOp::Max;
    case Kind::Less:
      return TapeOp::Less;
    case Kind::LessEqual:
      return TapeOp::LessEqual;
    case Kind::Equal:
      return TapeOp::Equal;
    case Kind::If:
      return TapeOp::Select;
    default:
      require(false, "a kind of expression without a tape operation");
      return TapeOp::Constant;
  }
}

bool is_negative(const Expr& a) {
  const Expr& first = a->kind == Kind::Multiply ? a->arguments[0] : a;
  return first->kind == Kind::Constant && first->value < 0;
}

/// Arguments without fields and parameters apart from the others.
struct Split {
  std::vector<Expr> coordinate_only, others;
};
Split split_arguments(const Expr& a) {
  Split split;
  for (const Expr& argument : a->arguments)
    (coordinate_only(argument) ? split.coordinate_only : split.others).push_back(argument);
  return split;
}

}  // namespace

kernel::Tape TapeBuilder::finish(const std::vector<int>& new_place) const {
  const auto num_inputs = static_cast<std::int32_t>(new_place.size());
  const auto moved = [&](Register r) {
    if (r == -1) return r;
    return r >= 0 ? r + num_inputs : static_cast<Register>(new_place[-2 - r]);
  };
  kernel::Tape tape;
  tape.num_inputs = num_inputs;
  tape.num_registers = num_inputs + static_cast<int>(instructions_.size());
  for (kernel::TapeInstruction step : instructions_) {
    step.result = moved(step.result);
    step.a = moved(step.a);
    step.b = moved(step.b);
    step.c = moved(step.c);
    tape.instructions.push_back(step);
  }
  for (const Register output : outputs_) tape.outputs.push_back(moved(output));
  return tape;
}

TapeBuilder::Register TapeBuilder::emit(const Expr& a) {
  if (const auto found = done_.find(a); found != done_.end()) return found->second;
  const Register result = emit_new(a);
  done_.emplace(a, result);
  return result;
}

TapeBuilder::Register TapeBuilder::emit_new(const Expr& a) {
  if (a->kind == Kind::Constant) return write(TapeOp::Constant, -1, -1, -1, a->value);
  if (const auto input = read(a)) return -2 - *input;
  switch (a->kind) {
    case Kind::Add:
      return emit_sum(a);
    case Kind::Multiply:
      return emit_product(a);
    case Kind::Divide:
      return emit_quotient(a);
    case Kind::Power:
      return emit_power(a);
    default:
      break;
  }
  Register registers[3] = {-1, -1, -1};
  for (std::size_t i = 0; i < a->arguments.size(); ++i) registers[i] = emit(a->arguments[i]);
  return write(operation_of(a->kind), registers[0], registers[1], registers[2]);
}

/// Terms with a negative number are subtracted, so that -u costs no instruction of its own.
TapeBuilder::Register TapeBuilder::emit_sum(const Expr& a) {
  std::vector<Expr> added, subtracted;
  const auto place = [&](const Expr& term) {
    if (is_negative(term))
      subtracted.push_back(-term);
    else
      added.push_back(term);
  };
  if (gathers_coordinates()) {
    const Split split = split_arguments(a);
    for (const Expr& term : split.others) place(term);
    if (!split.coordinate_only.empty()) place(sum(split.coordinate_only));
  } else {
    for (const Expr& term : a->arguments) place(term);
  }
  std::optional<Register> result;
  for (const Expr& term : added) result = chained(TapeOp::Add, result, emit(term));
  const bool all_negative = !result;
  for (const Expr& term : subtracted)
    result = chained(all_negative ? TapeOp::Add : TapeOp::Subtract, result, emit(term));
  return all_negative ? write(TapeOp::Negate, *result) : *result;
}

TapeBuilder::Register TapeBuilder::emit_product(const Expr& a) {
  Split split;
  if (gathers_coordinates()) {
    split = split_arguments(a);
  } else {
    for (const Expr& factor : a->arguments)
      (factor->kind == Kind::Constant ? split.coordinate_only : split.others).push_back(factor);
  }
  std::optional<Register> result;
  for (const Expr& factor : split.others) result = chained(TapeOp::Multiply, result, emit(factor));
  if (split.coordinate_only.empty()) return *result;
  const Expr coefficient = product(std::move(split.coordinate_only));
  if (coefficient.is_constant(-1)) return write(TapeOp::Negate, *result);
  return write(TapeOp::Multiply, emit(coefficient), *result);
}

/// A divisor without fields becomes a factor, which is computed once per point set.
TapeBuilder::Register TapeBuilder::emit_quotient(const Expr& a) {
  const Expr &above = a->arguments[0], &below = a->arguments[1];
  if (gathers_coordinates() && coordinate_only(below)) return emit(product({1 / below, above}));
  const Register left = emit(above);
  return write(TapeOp::Divide, left, emit(below));
}

TapeBuilder::Register TapeBuilder::emit_power(const Expr& a) {
  const Register base = emit(a->arguments[0]);
  const Expr& exponent = a->arguments[1];
  if (exponent.is_constant(2)) return write(TapeOp::Multiply, base, base);
  if (exponent->kind == Kind::Constant && exponent->value == std::round(exponent->value) &&
      std::abs(exponent->value) <= kLargestIntegerPower)
    return write(TapeOp::PowerInteger, base, -1, -1, exponent->value);
  return write(TapeOp::Power, base, emit(exponent));
}

TapeBuilder::Register TapeBuilder::write(TapeOp op, Register a, Register b, Register c, double value) {
  const auto result = static_cast<Register>(instructions_.size());
  instructions_.push_back({op, result, a, b, c, value});
  return result;
}

TapeBuilder::Register TapeBuilder::chained(TapeOp op, std::optional<Register> left, Register right) {
  return left ? write(op, *left, right) : right;
}

}  // namespace pecann::expr
