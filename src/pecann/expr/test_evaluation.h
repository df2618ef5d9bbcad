// For tests: the value of an expression by plain recursion, and random expressions.
#pragma once

#include <cmath>
#include <map>
#include <random>
#include <string>
#include <vector>

#include "pecann/expr/expr.h"

namespace pecann::expr {

using Point = std::map<std::string, double>;

/// Fields must have been substituted; parameters, named constants and data are looked up like coordinates.
inline double value_at(const Expr& a, const Point& point) {
  const auto x = [&](std::size_t i) { return value_at(a->arguments[i], point); };
  double result = 0;
  switch (a->kind) {
    case Kind::Constant:
      return a->value;
    case Kind::NamedConstant:
    case Kind::Coordinate:
    case Kind::Data:
    case Kind::Parameter:
      return point.at(a->name);
    case Kind::Field:
      return std::nan("");
    case Kind::Add:
      for (const Expr& term : a->arguments) result += value_at(term, point);
      return result;
    case Kind::Multiply:
      result = 1;
      for (const Expr& factor : a->arguments) result *= value_at(factor, point);
      return result;
    case Kind::Divide:
      return x(0) / x(1);
    case Kind::Power:
      return std::pow(x(0), x(1));
    case Kind::Sin:
      return std::sin(x(0));
    case Kind::Cos:
      return std::cos(x(0));
    case Kind::Tan:
      return std::tan(x(0));
    case Kind::Exp:
      return std::exp(x(0));
    case Kind::Log:
      return std::log(x(0));
    case Kind::Sqrt:
      return std::sqrt(x(0));
    case Kind::Tanh:
      return std::tanh(x(0));
    case Kind::Sinh:
      return std::sinh(x(0));
    case Kind::Cosh:
      return std::cosh(x(0));
    case Kind::Asin:
      return std::asin(x(0));
    case Kind::Acos:
      return std::acos(x(0));
    case Kind::Atan:
      return std::atan(x(0));
    case Kind::Erf:
      return std::erf(x(0));
    case Kind::Abs:
      return std::abs(x(0));
    case Kind::Sign:
      return x(0) > 0 ? 1 : x(0) < 0 ? -1 : 0;
    case Kind::Min:
      return std::min(x(0), x(1));
    case Kind::Max:
      return std::max(x(0), x(1));
    case Kind::Less:
      return x(0) < x(1);
    case Kind::LessEqual:
      return x(0) <= x(1);
    case Kind::Equal:
      return x(0) == x(1);
    case Kind::If:
      return x(0) != 0 ? x(1) : x(2);
    case Kind::Integral:
    case Kind::Mean:
    case Kind::Table:  // have tests of their own
    case Kind::Vector:
      return std::nan("");
  }
  return std::nan("");
}

/// Random trees whose values and derivatives are moderate for coordinates of about 1 (arguments of log, sqrt
/// and divisors are kept positive).
class RandomExpressions {
 public:
  RandomExpressions(unsigned seed, std::vector<Expr> leaves) : generator_(seed), leaves_(std::move(leaves)) {}

  Expr next(int depth) {
    if (depth == 0 || below(8) == 0) return leaf();
    const auto inner = [&] { return next(depth - 1); };
    switch (below(20)) {
      case 0:
      case 1:
        return inner() + inner();
      case 2:
        return inner() - inner();
      case 3:
      case 4:
        return inner() * inner();
      case 5:
        return inner() / (2 + pow(inner(), 2));
      case 6:
        return sin(inner());
      case 7:
        return cos(inner());
      case 8:
        return tanh(inner());
      case 9:
        return exp(tanh(inner()));
      case 10:
        return log(1.5 + pow(inner(), 2));
      case 11:
        return sqrt(1 + pow(inner(), 2));
      case 12:
        return pow(inner(), Expr(2 + below(2)));
      case 13:
        return pow(1.5 + pow(inner(), 2), sin(inner()));
      case 14:
        return if_else(less(inner(), inner()), inner(), inner());
      case 15:
        return max(inner(), min(inner(), inner()));
      case 16:
        return asin(0.9 * tanh(inner())) - acos(0.9 * tanh(inner()));
      case 17:
        return sinh(tanh(inner())) * cosh(tanh(inner()));
      case 18:
        return atan(inner()) + erf(inner());
      default:
        return abs(inner()) * tan(tanh(inner())) - sum({inner(), inner(), inner()});
    }
  }
  int below(int bound) { return static_cast<int>(generator_() % static_cast<unsigned>(bound)); }
  double uniform(double from, double to) { return from + (to - from) * (generator_() / 4294967296.0); }

 private:
  Expr leaf() {
    const int which = below(static_cast<int>(leaves_.size()) + 1);
    if (which == static_cast<int>(leaves_.size())) return Expr((below(9) - 4) * 0.375);
    return leaves_[static_cast<std::size_t>(which)];
  }

  std::mt19937 generator_;
  std::vector<Expr> leaves_;
};

}  // namespace pecann::expr
