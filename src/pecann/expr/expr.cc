#include "pecann/expr/expr.h"

#include <cmath>

#include "pecann/base/input_error.h"
#include "pecann/base/require.h"
#include "pecann/expr/integral.h"
#include "pecann/expr/node.h"

namespace pecann::expr {
namespace {

bool is_number(const Expr& a) { return a->kind == Kind::Constant; }

bool is_positive_integer(const Expr& a) { return is_number(a) && a->value > 0 && a->value == std::floor(a->value); }

/// f of a constant is a constant where it is finite; log(0) stays as it is written.
template <class F>
Expr folded(Kind kind, const Expr& a, F f) {
  if (is_number(a) && std::isfinite(f(a->value))) return Expr(f(a->value));
  return make_node(kind, {a});
}

template <class F>
Expr folded(Kind kind, const Expr& a, const Expr& b, F f) {
  if (is_number(a) && is_number(b) && std::isfinite(f(a->value, b->value))) return Expr(f(a->value, b->value));
  return make_node(kind, {a, b});
}

double sign_of(double x) { return x > 0 ? 1.0 : x < 0 ? -1.0 : 0.0; }

}  // namespace

Expr operator/(const Expr& a, const Expr& b) {
  if (b.is_constant(0)) {
    InputError::Parts parts;
    parts.rule = "division by zero";
    throw InputError(parts);
  }
  if (a.is_constant(0)) return a;
  if (is_number(a) && is_number(b)) return Expr(a->value / b->value);
  if (is_number(b) && std::isfinite(1 / b->value)) return product({Expr(1 / b->value), a});
  return make_node(Kind::Divide, {a, b});
}

Expr pow(const Expr& base, const Expr& exponent) {
  if (exponent.is_constant(0)) return Expr(1);
  if (exponent.is_constant(1)) return base;
  if (is_positive_integer(exponent) && base->kind == Kind::Power && is_positive_integer(base->arguments[1]))
    return pow(base->arguments[0], Expr(base->arguments[1]->value * exponent->value));
  return folded(Kind::Power, base, exponent, [](double x, double y) { return std::pow(x, y); });
}

Expr sin(const Expr& a) {
  return folded(Kind::Sin, a, [](double x) { return std::sin(x); });
}
Expr cos(const Expr& a) {
  return folded(Kind::Cos, a, [](double x) { return std::cos(x); });
}
Expr tan(const Expr& a) {
  return folded(Kind::Tan, a, [](double x) { return std::tan(x); });
}
Expr exp(const Expr& a) {
  return folded(Kind::Exp, a, [](double x) { return std::exp(x); });
}
Expr log(const Expr& a) {
  return folded(Kind::Log, a, [](double x) { return std::log(x); });
}
Expr sqrt(const Expr& a) {
  return folded(Kind::Sqrt, a, [](double x) { return std::sqrt(x); });
}
Expr tanh(const Expr& a) {
  return folded(Kind::Tanh, a, [](double x) { return std::tanh(x); });
}
Expr sinh(const Expr& a) {
  return folded(Kind::Sinh, a, [](double x) { return std::sinh(x); });
}
Expr cosh(const Expr& a) {
  return folded(Kind::Cosh, a, [](double x) { return std::cosh(x); });
}
Expr asin(const Expr& a) {
  return folded(Kind::Asin, a, [](double x) { return std::asin(x); });
}
Expr acos(const Expr& a) {
  return folded(Kind::Acos, a, [](double x) { return std::acos(x); });
}
Expr atan(const Expr& a) {
  return folded(Kind::Atan, a, [](double x) { return std::atan(x); });
}
Expr erf(const Expr& a) {
  return folded(Kind::Erf, a, [](double x) { return std::erf(x); });
}
Expr abs(const Expr& a) {
  return folded(Kind::Abs, a, [](double x) { return std::abs(x); });
}
Expr sign(const Expr& a) { return folded(Kind::Sign, a, sign_of); }

Expr min(const Expr& a, const Expr& b) {
  if (same(a, b)) return a;
  return folded(Kind::Min, a, b, [](double x, double y) { return x <= y ? x : y; });
}
Expr max(const Expr& a, const Expr& b) {
  if (same(a, b)) return a;
  return folded(Kind::Max, a, b, [](double x, double y) { return x >= y ? x : y; });
}
Expr less(const Expr& a, const Expr& b) {
  return folded(Kind::Less, a, b, [](double x, double y) { return x < y ? 1.0 : 0.0; });
}
Expr less_equal(const Expr& a, const Expr& b) {
  return folded(Kind::LessEqual, a, b, [](double x, double y) { return x <= y ? 1.0 : 0.0; });
}
Expr equal(const Expr& a, const Expr& b) {
  return folded(Kind::Equal, a, b, [](double x, double y) { return x == y ? 1.0 : 0.0; });
}

Expr if_else(const Expr& condition, const Expr& then, const Expr& otherwise) {
  if (is_number(condition)) return condition->value != 0 ? then : otherwise;
  if (same(then, otherwise)) return then;
  return make_node(Kind::If, {condition, then, otherwise});
}

Expr with_arguments(const Expr& a, std::vector<Expr> arguments) {
  require(arguments.size() == a->arguments.size(), "with_arguments: as many arguments as before");
  const auto& x = arguments;
  switch (a->kind) {
    case Kind::Constant:
    case Kind::NamedConstant:
    case Kind::Coordinate:
    case Kind::Data:
    case Kind::Parameter:
    case Kind::Field:
      return a;
    case Kind::Add:
      return sum(std::move(arguments));
    case Kind::Multiply:
      return product(std::move(arguments));
    case Kind::Divide:
      return x[0] / x[1];
    case Kind::Power:
      return pow(x[0], x[1]);
    case Kind::Sin:
      return sin(x[0]);
    case Kind::Cos:
      return cos(x[0]);
    case Kind::Tan:
      return tan(x[0]);
    case Kind::Exp:
      return exp(x[0]);
    case Kind::Log:
      return log(x[0]);
    case Kind::Sqrt:
      return sqrt(x[0]);
    case Kind::Tanh:
      return tanh(x[0]);
    case Kind::Sinh:
      return sinh(x[0]);
    case Kind::Cosh:
      return cosh(x[0]);
    case Kind::Asin:
      return asin(x[0]);
    case Kind::Acos:
      return acos(x[0]);
    case Kind::Atan:
      return atan(x[0]);
    case Kind::Erf:
      return erf(x[0]);
    case Kind::Abs:
      return abs(x[0]);
    case Kind::Sign:
      return sign(x[0]);
    case Kind::Min:
      return min(x[0], x[1]);
    case Kind::Max:
      return max(x[0], x[1]);
    case Kind::Less:
      return less(x[0], x[1]);
    case Kind::LessEqual:
      return less_equal(x[0], x[1]);
    case Kind::Equal:
      return equal(x[0], x[1]);
    case Kind::If:
      return if_else(x[0], x[1], x[2]);
    case Kind::Table:
      return table_value(a->table, std::move(arguments), a->derivative);
    case Kind::Vector:
      return vector_of(std::move(arguments));
    case Kind::Integral:
      return integral(x[0], a->name);
    case Kind::Mean:
      return mean(x[0], a->name);
  }
  require(false, "with_arguments: unknown kind");
  return a;
}

}  // namespace pecann::expr
