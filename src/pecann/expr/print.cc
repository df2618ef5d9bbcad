// Text of an expression, with as few parentheses as the grammar of parse.h allows.
#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

#include "pecann/base/require.h"
#include "pecann/expr/expr.h"
#include "pecann/expr/interpolant.h"
#include "pecann/expr/node.h"

namespace pecann::expr {
namespace {

/// How tightly the text of a node holds together, in the grammar's order.
enum Binding { kComparison, kSum, kProduct, kNegation, kPower, kAtom };

std::string print(const Expr& a, Binding needed);

std::string number_text(double value) {
  if (std::abs(value) < 1e15 && value == std::floor(value)) return std::to_string(static_cast<long long>(value));
  std::array<char, 32> buffer;
  const auto end = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value).ptr;  // shortest that reads back
  return {buffer.data(), end};
}

bool starts_negative(const Expr& a) {
  if (a->kind == Kind::Multiply) return starts_negative(a->arguments[0]);
  return a->kind == Kind::Constant && a->value < 0;
}

Binding binding_of(const Expr& a) {
  switch (a->kind) {
    case Kind::Less:
    case Kind::LessEqual:
    case Kind::Equal:
      return kComparison;
    case Kind::Add:
      return kSum;
    case Kind::Multiply:
    case Kind::Divide:
      return kProduct;
    case Kind::Power:
      return kPower;
    case Kind::Constant:
      return a->value < 0 ? kNegation : kAtom;
    default:
      return kAtom;
  }
}

std::string arguments_text(const Expr& a) {
  std::string text;
  for (const Expr& argument : a->arguments) text += (text.empty() ? "" : ", ") + print(argument, kComparison);
  return "(" + text + ")";
}

/// A factor of a product: a quotient is put in parentheses, since x*a/b means (x*a)/b.
std::string factor_text(const Expr& a) { return print(a, a->kind == Kind::Divide ? kAtom : kNegation); }

std::string product_text(const Expr& a) {
  std::string text;
  std::size_t first = 0;
  if (a->arguments[0].is_constant(-1)) {
    text = "-";
    first = 1;
  }
  for (std::size_t i = first; i < a->arguments.size(); ++i)
    text += (i > first ? "*" : "") + factor_text(a->arguments[i]);
  return text;
}

std::string sum_text(const Expr& a) {
  std::string text = print(a->arguments[0], kProduct);
  for (std::size_t i = 1; i < a->arguments.size(); ++i) {
    const Expr& term = a->arguments[i];
    text += starts_negative(term) ? " - " + print(-term, kProduct) : " + " + print(term, kProduct);
  }
  return text;
}

/// u, u_xy, or d(u, xi, eta) where coordinates have long names.
std::string with_derivative(const Expr& a) {
  const bool short_names =
      std::ranges::all_of(a->derivative, [](const auto& entry) { return entry.first.size() == 1; });
  std::string coordinates;
  for (const auto& [name, order] : a->derivative)
    for (int i = 0; i < order; ++i) coordinates += short_names ? name : ", " + name;
  if (a->derivative.empty()) return a->name;
  return short_names ? a->name + "_" + coordinates : "d(" + a->name + coordinates + ")";
}

std::string field_text(const Expr& a) {
  if (a->site.empty()) return with_derivative(a);
  std::string text = "at(" + with_derivative(a);
  for (const auto& [name, replacement] : a->site) text += ", " + name + " = " + print(replacement, kComparison);
  return text + ")";
}

/// kappa, kappa_x; elsewhere than at the point kappa(x + 1, y), at(kappa_x, x = x + 1).
std::string table_text(const Expr& a) {
  const std::vector<std::string>& coordinates = a->table->coordinates();
  std::string moved;
  for (std::size_t i = 0; i < coordinates.size(); ++i)
    if (a->arguments[i]->kind != Kind::Coordinate || a->arguments[i]->name != coordinates[i])
      moved += ", " + coordinates[i] + " = " + print(a->arguments[i], kComparison);
  if (moved.empty()) return with_derivative(a);
  return a->derivative.empty() ? a->name + arguments_text(a) : "at(" + with_derivative(a) + moved + ")";
}

std::string comparison_text(const Expr& a, const char* sign) {
  return print(a->arguments[0], kSum) + sign + print(a->arguments[1], kSum);
}

std::string bare_text(const Expr& a) {
  const auto& x = a->arguments;
  switch (a->kind) {
    case Kind::Constant:
      return number_text(a->value);
    case Kind::NamedConstant:
    case Kind::Coordinate:
    case Kind::Data:
    case Kind::Parameter:
      return a->name;
    case Kind::Field:
      return field_text(a);
    case Kind::Add:
      return sum_text(a);
    case Kind::Multiply:
      return product_text(a);
    case Kind::Divide:
      return print(x[0], kProduct) + "/" + print(x[1], kPower);
    case Kind::Power:
      return print(x[0], kAtom) + "^" + print(x[1], kAtom);
    case Kind::Less:
      return comparison_text(a, " < ");
    case Kind::LessEqual:
      return comparison_text(a, " <= ");
    case Kind::Equal:
      return comparison_text(a, " == ");
    case Kind::Sin:
      return "sin" + arguments_text(a);
    case Kind::Cos:
      return "cos" + arguments_text(a);
    case Kind::Tan:
      return "tan" + arguments_text(a);
    case Kind::Exp:
      return "exp" + arguments_text(a);
    case Kind::Log:
      return "log" + arguments_text(a);
    case Kind::Sqrt:
      return "sqrt" + arguments_text(a);
    case Kind::Tanh:
      return "tanh" + arguments_text(a);
    case Kind::Sinh:
      return "sinh" + arguments_text(a);
    case Kind::Cosh:
      return "cosh" + arguments_text(a);
    case Kind::Asin:
      return "asin" + arguments_text(a);
    case Kind::Acos:
      return "acos" + arguments_text(a);
    case Kind::Atan:
      return "atan" + arguments_text(a);
    case Kind::Erf:
      return "erf" + arguments_text(a);
    case Kind::Abs:
      return "abs" + arguments_text(a);
    case Kind::Sign:
      return "sign" + arguments_text(a);
    case Kind::Min:
      return "min" + arguments_text(a);
    case Kind::Max:
      return "max" + arguments_text(a);
    case Kind::If:
      return "if" + arguments_text(a);
    case Kind::Table:
      return table_text(a);
    case Kind::Vector: {
      const std::string inside = arguments_text(a);
      return "[" + inside.substr(1, inside.size() - 2) + "]";
    }
    case Kind::Integral:
    case Kind::Mean:
      return (a->kind == Kind::Mean ? "mean(" : "integral(") + print(x[0], kComparison) +
             (a->name.empty() ? ")" : ", over = " + a->name + ")");
  }
  require(false, "to_string: unknown kind");
  return "";
}

std::string print(const Expr& a, Binding needed) {
  const std::string text = bare_text(a);
  return binding_of(a) < needed ? "(" + text + ")" : text;
}

}  // namespace

std::string to_string(const Expr& a) { return print(a, kComparison); }

}  // namespace pecann::expr
