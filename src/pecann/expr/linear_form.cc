#include "pecann/expr/linear_form.h"

#include <algorithm>
#include <unordered_map>

namespace pecann::expr {
namespace {

/// The factors of a product of products and quotients by coordinate-only divisors.
void collect_factors(const Expr& a, std::vector<Expr>& factors) {
  if (a->kind == Kind::Multiply && !coordinate_only(a)) {
    for (const Expr& factor : a->arguments) collect_factors(factor, factors);
  } else if (a->kind == Kind::Divide && !coordinate_only(a) && coordinate_only(a->arguments[1])) {
    collect_factors(a->arguments[0], factors);
    factors.push_back(1 / a->arguments[1]);
  } else {
    factors.push_back(a);
  }
}

bool is_linear_derivative(const Expr& a) {
  const int order = order_of(a->derivative);
  return a->kind == Kind::Field && a->site.empty() && (order == 1 || order == 2);
}

bool has_linear_terms(const Expr& a) {
  return a->kind == Kind::Add &&
         std::ranges::any_of(a->arguments, [](const Expr& term) { return as_linear_term(term).has_value(); });
}

class Expansion {
 public:
  Expr of(const Expr& a) {
    if (a->arguments.empty() || coordinate_only(a)) return a;
    if (const auto found = done_.find(&a.node()); found != done_.end()) return found->second;
    return done_.emplace(&a.node(), expanded(a)).first->second;
  }

 private:
  Expr expanded(const Expr& a) {
    std::vector<Expr> arguments;
    for (const Expr& argument : a->arguments) arguments.push_back(of(argument));
    const Expr rebuilt = with_arguments(a, std::move(arguments));
    if (rebuilt->kind != Kind::Multiply && rebuilt->kind != Kind::Divide) return rebuilt;
    std::vector<Expr> factors;
    collect_factors(rebuilt, factors);
    const auto is_field_part = [](const Expr& factor) { return !coordinate_only(factor); };
    const auto only = std::ranges::find_if(factors, is_field_part);
    if (only == factors.end() || !has_linear_terms(*only) || std::ranges::count_if(factors, is_field_part) != 1)
      return rebuilt;
    const std::vector<Expr> terms = (*only)->arguments;
    factors.erase(only);
    const Expr coefficient = product(std::move(factors));
    std::vector<Expr> multiplied;
    for (const Expr& term : terms) multiplied.push_back(coefficient * term);
    return sum(std::move(multiplied));
  }

  std::unordered_map<const Node*, Expr> done_;
};

}  // namespace

std::optional<LinearTerm> as_linear_term(const Expr& term) {
  std::vector<Expr> factors, coefficient, others;
  collect_factors(term, factors);
  std::optional<Expr> derivative;
  for (const Expr& factor : factors) {
    if (coordinate_only(factor)) {
      coefficient.push_back(factor);
    } else if (!is_linear_derivative(factor)) {
      others.push_back(factor);
    } else {
      if (derivative) return std::nullopt;  // a product of two derivatives is not linear
      derivative = factor;
    }
  }
  if (!derivative) return std::nullopt;
  return LinearTerm{(*derivative)->name, (*derivative)->derivative, product(std::move(coefficient)),
                    product(std::move(others))};
}

Expr expanded_linear_sums(const Expr& a) { return Expansion().of(a); }

ScaledOperator normalised(const std::map<MultiIndex, Expr>& coefficients) {
  const Expr& first = coefficients.begin()->second;
  const bool all_equal =
      std::ranges::all_of(coefficients, [&](const auto& entry) { return same(entry.second, first); });
  ScaledOperator result{{}, all_equal || first->kind == Kind::Constant ? first : Expr(1)};
  for (const auto& [index, coefficient] : coefficients)
    result.linear_operator.terms.push_back({index, all_equal ? Expr(1) : coefficient / result.scale});
  return result;
}

bool same(const LinearOperator& a, const LinearOperator& b) {
  return std::ranges::equal(a.terms, b.terms, [](const auto& left, const auto& right) {
    return left.index == right.index && same(left.coefficient, right.coefficient);
  });
}

}  // namespace pecann::expr
