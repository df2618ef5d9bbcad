// Sums and products in their normal form: flat, at most one constant and that one first, equal terms and
// factors merged (2u + 3u = 5u, u·u = u²), otherwise in the order in which they were written. Building a
// normal form again from its own parts gives the same tree; that is what makes printed text parse back to it.
#include <cmath>
#include <unordered_map>

#include "pecann/expr/expr.h"
#include "pecann/expr/node.h"

namespace pecann::expr {
namespace {

/// What is added or multiplied, with its number: coefficient · base, or base ^ exponent.
struct Part {
  Expr base;
  double number;
};

/// Parts with the same base, in the order of their first appearance; numbers of equal bases are added.
class PartList {
 public:
  void add(const Expr& base, double number) {
    const auto [found, is_new] = place_.try_emplace(base, parts_.size());
    if (is_new)
      parts_.push_back({base, number});
    else
      parts_[found->second].number += number;
  }
  const std::vector<Part>& parts() const { return parts_; }

 private:
  std::vector<Part> parts_;
  std::unordered_map<Expr, std::size_t, ExprHash, ExprSame> place_;
};

Part split_coefficient(const Expr& term) {
  if (term->kind != Kind::Multiply || term->arguments[0]->kind != Kind::Constant) return {term, 1};
  const double number = term->arguments[0]->value;
  std::vector<Expr> rest(term->arguments.begin() + 1, term->arguments.end());
  return {rest.size() == 1 ? rest[0] : make_node(Kind::Multiply, std::move(rest)), number};
}

/// Only positive whole exponents are merged: u / u has a gap at u = 0, and √u·√u one for u < 0.
Part split_exponent(const Expr& factor) {
  if (factor->kind == Kind::Power && factor->arguments[1]->kind == Kind::Constant) {
    const double exponent = factor->arguments[1]->value;
    if (exponent > 0 && exponent == std::floor(exponent)) return {factor->arguments[0], exponent};
  }
  return {factor, 1};
}

Expr scaled(double number, const Expr& base) { return number == 1 ? base : product({Expr(number), base}); }

/// -(a + b), the right-hand side of an equation for instance.
bool is_negated_sum(const Expr& a) {
  return a->kind == Kind::Multiply && a->arguments.size() == 2 && a->arguments[0].is_constant(-1) &&
         a->arguments[1]->kind == Kind::Add;
}

std::vector<Expr> negated_terms(const Expr& a) {
  std::vector<Expr> terms;
  for (const Expr& term : a->arguments[1]->arguments) terms.push_back(-term);
  return terms;
}

void flatten(Kind kind, const std::vector<Expr>& from, double& constant, std::vector<Expr>& to) {
  for (const Expr& part : from) {
    if (part->kind == kind)
      flatten(kind, part->arguments, constant, to);
    else if (kind == Kind::Add && is_negated_sum(part))
      flatten(kind, negated_terms(part), constant, to);
    else if (part->kind == Kind::Constant)
      constant = kind == Kind::Add ? constant + part->value : constant * part->value;
    else
      to.push_back(part);
  }
}

/// constant (if it is not neutral) followed by the parts; one part stands for itself.
Expr assembled(Kind kind, double constant, double neutral, std::vector<Expr> parts) {
  if (parts.empty()) return Expr(constant);
  if (constant != neutral) parts.insert(parts.begin(), Expr(constant));
  if (parts.size() == 1) return parts[0];
  return make_node(kind, std::move(parts));
}

}  // namespace

Expr sum(std::vector<Expr> terms) {
  for (;;) {
    double constant = 0;
    std::vector<Expr> flat;
    flatten(Kind::Add, terms, constant, flat);
    PartList list;
    for (const Expr& term : flat) {
      const Part part = split_coefficient(term);
      list.add(part.base, part.number);
    }
    std::vector<Expr> merged;
    bool nested = false;  // 3(a + b) - 2(a + b) leaves a sum inside the sum
    for (const Part& part : list.parts()) {
      if (part.number == 0) continue;
      merged.push_back(scaled(part.number, part.base));
      nested = nested || merged.back()->kind == Kind::Add || is_negated_sum(merged.back());
    }
    if (!nested) return assembled(Kind::Add, constant, 0, std::move(merged));
    merged.push_back(Expr(constant));
    terms = std::move(merged);
  }
}

Expr product(std::vector<Expr> factors) {
  double constant = 1;
  std::vector<Expr> flat;
  flatten(Kind::Multiply, factors, constant, flat);
  if (constant == 0) return Expr(0);
  PartList list;
  for (const Expr& factor : flat) {
    const Part part = split_exponent(factor);
    list.add(part.base, part.number);
  }
  std::vector<Expr> merged;
  for (const Part& part : list.parts()) merged.push_back(pow(part.base, Expr(part.number)));
  return assembled(Kind::Multiply, constant, 1, std::move(merged));
}

Expr operator+(const Expr& a, const Expr& b) { return sum({a, b}); }
Expr operator-(const Expr& a, const Expr& b) { return sum({a, -b}); }
Expr operator*(const Expr& a, const Expr& b) { return product({a, b}); }
Expr operator-(const Expr& a) { return product({Expr(-1), a}); }

}  // namespace pecann::expr
