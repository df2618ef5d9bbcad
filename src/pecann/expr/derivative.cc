#include "pecann/expr/derivative.h"

#include <algorithm>
#include <numbers>
#include <unordered_map>

#include "pecann/base/input_error.h"
#include "pecann/base/require.h"
#include "pecann/expr/integral.h"
#include "pecann/expr/interpolant.h"
#include "pecann/expr/node.h"

namespace pecann::expr {
namespace {

/// One derivative of one tree: shared nodes are differentiated once.
class Differentiation {
 public:
  Differentiation(const std::string& coordinate, const FieldInputs& inputs) : by_(coordinate), inputs_(inputs) {}

  Expr of(const Expr& a) {
    if (const auto found = done_.find(&a.node()); found != done_.end()) return found->second;
    return done_.emplace(&a.node(), rule(a)).first->second;
  }

 private:
  Expr rule(const Expr& a) {
    const auto& x = a->arguments;
    switch (a->kind) {
      case Kind::Constant:
      case Kind::NamedConstant:
      case Kind::Parameter:
      case Kind::Sign:
      case Kind::Less:
      case Kind::LessEqual:
      case Kind::Equal:
        return Expr(0);
      case Kind::Coordinate:
        return Expr(a->name == by_ ? 1 : 0);
      case Kind::Data:
        break;  // refused before
      case Kind::Field:
        return of_field(a);
      case Kind::Add:
        return of_sum(a);
      case Kind::Multiply:
        return of_product(a);
      case Kind::Divide:
        return of(x[0]) / x[1] - x[0] * of(x[1]) / pow(x[1], 2);
      case Kind::Power:
        return of_power(x[0], x[1]);
      case Kind::Sin:
        return of(x[0]) * cos(x[0]);
      case Kind::Cos:
        return -of(x[0]) * sin(x[0]);
      case Kind::Tan:
        return of(x[0]) * (1 + pow(a, 2));
      case Kind::Exp:
        return of(x[0]) * a;
      case Kind::Log:
        return of(x[0]) / x[0];
      case Kind::Sqrt:
        return of(x[0]) / (2 * a);
      case Kind::Tanh:
        return of(x[0]) * (1 - pow(a, 2));
      case Kind::Sinh:
        return of(x[0]) * cosh(x[0]);
      case Kind::Cosh:
        return of(x[0]) * sinh(x[0]);
      case Kind::Asin:
        return of(x[0]) / sqrt(1 - pow(x[0], 2));
      case Kind::Acos:
        return -of(x[0]) / sqrt(1 - pow(x[0], 2));
      case Kind::Atan:
        return of(x[0]) / (1 + pow(x[0], 2));
      case Kind::Erf:
        return of(x[0]) * std::numbers::inv_sqrtpi * 2 * exp(-pow(x[0], 2));
      case Kind::Abs:
        return of(x[0]) * sign(x[0]);
      case Kind::Min:
        return if_else(less_equal(x[0], x[1]), of(x[0]), of(x[1]));
      case Kind::Max:
        return if_else(less_equal(x[1], x[0]), of(x[0]), of(x[1]));
      case Kind::If:
        return if_else(x[0], of(x[1]), of(x[2]));
      case Kind::Table:
        return of_table(a);
      case Kind::Vector:
        return of_vector(a);
      case Kind::Integral:
      case Kind::Mean:
        return of_integral(a);
    }
    require(false, "derivative: unknown kind");
    return Expr(0);
  }

  /// The chain rule: the table's derivative in each of its coordinates, times that of the argument.
  Expr of_table(const Expr& a) {
    std::vector<Expr> terms;
    for (std::size_t i = 0; i < a->arguments.size(); ++i) {
      const Expr inner = of(a->arguments[i]);
      if (inner.is_constant(0)) continue;
      MultiIndex orders = a->derivative;
      ++orders[a->table->coordinates()[i]];
      terms.push_back(table_value(a->table, a->arguments, std::move(orders)) * inner);
    }
    return sum(std::move(terms));
  }

  Expr of_vector(const Expr& a) {
    std::vector<Expr> components;
    for (const Expr& component : a->arguments) components.push_back(of(component));
    return vector_of(std::move(components));
  }

  Expr of_sum(const Expr& a) {
    std::vector<Expr> terms;
    for (const Expr& term : a->arguments) terms.push_back(of(term));
    return sum(std::move(terms));
  }

  /// The terms of a long product are added up as they come, so that a sum that grows too large is refused before it
  /// fills the memory.
  Expr of_product(const Expr& a) {
    std::vector<Expr> terms;
    std::size_t size = 0;
    for (std::size_t i = 0; i < a->arguments.size(); ++i) {
      const Expr inner = of(a->arguments[i]);
      if (inner.is_constant(0)) continue;
      std::vector<Expr> factors = a->arguments;
      factors[i] = inner;
      terms.push_back(product(std::move(factors)));
      size += terms.back()->size;
      if (size > kMaxSize) {
        terms = {sum(std::move(terms))};
        size = terms[0]->size;
      }
    }
    return sum(std::move(terms));
  }

  Expr of_power(const Expr& base, const Expr& exponent) {
    const Expr by_base = of(base), by_exponent = of(exponent);
    Expr result = 0;
    if (!by_base.is_constant(0)) result = exponent * pow(base, exponent - 1) * by_base;
    if (!by_exponent.is_constant(0)) result = result + pow(base, exponent) * log(base) * by_exponent;
    return result;
  }

  /// An integral over space changes with time only, and the derivative goes inside.
  Expr of_integral(const Expr& a) {
    if (a->name.empty() || by_ != "t")
      throw InputError({.rule = "an integral does not depend on the coordinate '" + by_ + "': it has no derivative",
                        .hint = "differentiate inside, as in integral(d(u, " + by_ + "))"});
    return with_arguments(a, {of(a->arguments[0])});
  }

  bool depends_on(const std::string& field, const std::string& coordinate) const {
    const auto found = inputs_.find(field);
    return found == inputs_.end() || std::ranges::find(found->second, coordinate) != found->second.end();
  }

  /// u at x_k = s_k: d/dx = Σ_k (∂_k u at s) ds_k/dx, where a coordinate that is not replaced has s_k = x_k.
  Expr of_field(const Expr& a) {
    std::vector<Expr> terms;
    for (const auto& [coordinate, replacement] : a->site) {
      const Expr inner = of(replacement);
      if (!inner.is_constant(0) && depends_on(a->name, coordinate)) terms.push_back(raised(a, coordinate) * inner);
    }
    if (!a->site.contains(by_) && depends_on(a->name, by_)) terms.push_back(raised(a, by_));
    return sum(std::move(terms));
  }

  static Expr raised(const Expr& a, const std::string& coordinate) {
    Node node{.kind = Kind::Field};
    node.name = a->name;
    node.site = a->site;
    node.derivative = a->derivative;
    ++node.derivative[coordinate];
    return make_node(std::move(node));
  }

  std::string by_;
  const FieldInputs& inputs_;
  std::unordered_map<const Node*, Expr> done_;
};

}  // namespace

Expr derivative(const Expr& a, const std::string& coordinate, const FieldInputs& inputs) {
  if (a->reads_data)
    throw InputError(
        {.rule = "the values of '" + first_data(a) + "' are known at the points only: they have no derivative",
         .hint = "differentiate the field instead, as in d(u, x); measured slopes are a column of their own"});
  return Differentiation(coordinate, inputs).of(a);
}

Expr laplacian(const Expr& a, std::span<const std::string> coordinates, const FieldInputs& inputs) {
  std::vector<Expr> terms;
  for (const std::string& coordinate : coordinates)
    terms.push_back(derivative(derivative(a, coordinate, inputs), coordinate, inputs));
  return sum(std::move(terms));
}

}  // namespace pecann::expr
