// Expressions as C++.
#include "pecann/base/require.h"
#include "pecann/base/toml_number.h"
#include "pecann/expr/expr.h"

namespace pecann::expr {
namespace {

const char* cpp_function(Kind kind) {
  switch (kind) {
    case Kind::Sin:
      return "std::sin";
    case Kind::Cos:
      return "std::cos";
    case Kind::Tan:
      return "std::tan";
    case Kind::Exp:
      return "std::exp";
    case Kind::Log:
      return "std::log";
    case Kind::Sqrt:
      return "std::sqrt";
    case Kind::Tanh:
      return "std::tanh";
    case Kind::Sinh:
      return "std::sinh";
    case Kind::Cosh:
      return "std::cosh";
    case Kind::Asin:
      return "std::asin";
    case Kind::Acos:
      return "std::acos";
    case Kind::Atan:
      return "std::atan";
    case Kind::Erf:
      return "std::erf";
    case Kind::Abs:
      return "std::abs";
    case Kind::Min:
      return "std::fmin";
    case Kind::Max:
      return "std::fmax";
    case Kind::Power:
      return "std::pow";
    default:
      return nullptr;
  }
}

}  // namespace

std::string to_cpp(const Expr& a, const std::map<std::string, std::string>& names) {
  const auto part = [&](std::size_t i) { return to_cpp(a->arguments[i], names); };
  const auto joined = [&](const char* sign) {
    std::string text;
    for (std::size_t i = 0; i < a->arguments.size(); ++i) text += (i == 0 ? "" : sign) + part(i);
    return "(" + text + ")";
  };
  if (const char* const function = cpp_function(a->kind)) {
    std::string text;
    for (std::size_t i = 0; i < a->arguments.size(); ++i) text += (i == 0 ? "" : ", ") + part(i);
    return std::string(function) + "(" + text + ")";
  }
  switch (a->kind) {
    case Kind::Constant: {
      const std::string digits = toml_number(a->value);
      return "(" + digits + (digits.find_first_of(".en") == std::string::npos ? ".0)" : ")");
    }
    case Kind::Coordinate:
      return names.at(a->name);
    case Kind::Add:
      return joined(" + ");
    case Kind::Multiply:
      return joined(" * ");
    case Kind::Divide:
      return joined(" / ");
    case Kind::Less:
      return joined(" < ");
    case Kind::LessEqual:
      return joined(" <= ");
    case Kind::Equal:
      return joined(" == ");
    case Kind::Sign:
      return "((" + part(0) + " > 0) - (" + part(0) + " < 0))";
    case Kind::If:
      return "(" + part(0) + " != 0 ? " + part(1) + " : " + part(2) + ")";
    default:
      contract_broken("only expressions of coordinates and numbers are written as C++",
                      std::source_location::current());
  }
}

}  // namespace pecann::expr
