#include "pecann/expr/integral.h"

#include <algorithm>
#include <unordered_map>
#include <unordered_set>

#include "pecann/base/input_error.h"
#include "pecann/expr/derivative.h"
#include "pecann/expr/node.h"

namespace pecann::expr {
namespace {

[[noreturn]] void refuse_integral(const std::string& rule, const std::string& hint) {
  throw InputError({.rule = rule, .hint = hint});
}

Expr aggregate(Kind kind, const Expr& a, const std::string& over) {
  if (a->integrates)
    refuse_integral("integrals of integrals are not known",
                    "an integral is a number: take it as a factor out of the other");
  Node node{.kind = kind};
  node.name = over;
  node.arguments = {a};
  return make_node(std::move(node));
}

bool is_aggregate(const Expr& a) { return a->kind == Kind::Integral || a->kind == Kind::Mean; }

/// All integrals of the trees, each structure once, in the order in which they are read.
std::vector<Expr> integrals_of(std::span<const Expr> residuals) {
  std::vector<Expr> found;
  std::unordered_set<Expr, ExprHash, ExprSame> known;
  std::unordered_set<const Node*> seen;
  const auto walk = [&](const auto& self, const Expr& a) -> void {
    if (!a->integrates || !seen.insert(&a.node()).second) return;
    if (is_aggregate(a)) {
      if (known.insert(a).second) found.push_back(a);
      return;
    }
    for (const Expr& argument : a->arguments) self(self, argument);
  };
  for (const Expr& residual : residuals) walk(walk, residual);
  return found;
}

/// Rebuilds an equation with integrals and scalars as coordinates.
class OuterRebuild {
 public:
  OuterRebuild(const std::vector<Expr>& integrals, std::vector<std::string>& scalars, std::string time)
      : scalars_(scalars), time_(std::move(time)) {
    for (std::size_t k = 0; k < integrals.size(); ++k) places_.emplace(integrals[k], k);
  }

  Expr operator()(const Expr& a) {
    if (is_aggregate(a)) return coordinate(integral_name(places_.at(a)));
    if (a->arguments.empty()) return leaf(a);
    if (const auto found = done_.find(&a.node()); found != done_.end()) return found->second;
    std::vector<Expr> arguments;
    for (const Expr& argument : a->arguments) arguments.push_back((*this)(argument));
    return done_.emplace(&a.node(), with_arguments(a, std::move(arguments))).first->second;
  }

 private:
  Expr leaf(const Expr& a) {
    switch (a->kind) {
      case Kind::Parameter: {
        const auto found = std::ranges::find(scalars_, a->name);
        const auto index = static_cast<std::size_t>(found - scalars_.begin());
        if (found == scalars_.end()) scalars_.push_back(a->name);
        return coordinate(scalar_name(index));
      }
      case Kind::Field:
        refuse_integral("'" + to_string(a) + "' stands outside of an integral, which is one number for all points",
                        "write integral(" + to_string(a) + "), or an equation at every point as a term of its own");
      case Kind::Data:
        refuse_integral("'" + a->name + "' has a value at every point, an integral is one number",
                        "write integral(" + a->name + ")");
      case Kind::Coordinate:
        if (a->name == time_) return a;
        refuse_integral("the coordinate '" + a->name + "' stands outside of an integral" +
                            (time_.empty() ? "" : "; outside of integrals over space only '" + time_ + "' has a value"),
                        "write it inside, as in integral(" + a->name + "*u)" +
                            (a->name == "t" ? ", or integral(…, over = space), which has a value for every t" : ""));
      default:
        return a;
    }
  }

  std::vector<std::string>& scalars_;
  std::string time_;
  std::unordered_map<Expr, std::size_t, ExprHash, ExprSame> places_;
  std::unordered_map<const Node*, Expr> done_;
};

}  // namespace

Expr integral(const Expr& a, const std::string& over) { return aggregate(Kind::Integral, a, over); }
Expr mean(const Expr& a, const std::string& over) { return aggregate(Kind::Mean, a, over); }

bool has_integrals(std::span<const Expr> residuals) {
  return std::ranges::any_of(residuals, [](const Expr& residual) { return residual->integrates; });
}

bool integrates_space(std::span<const Expr> residuals) {
  const std::vector<Expr> integrals = integrals_of(residuals);
  return !integrals.empty() && integrals[0]->name == kOverSpace;
}

std::string integral_name(std::size_t k) { return "integral." + std::to_string(k); }
std::string scalar_name(std::size_t i) { return "scalar." + std::to_string(i); }

IntegralEquations separate_integrals(std::span<const Expr> residuals, const std::string& time) {
  if (!std::ranges::all_of(residuals, [](const Expr& residual) { return residual->integrates; }))
    refuse_integral("a term is either of integrals, one number each, or holds at every point", "make two terms of it");
  const std::vector<Expr> integrals = integrals_of(residuals);
  const bool over_space = integrals[0]->name == kOverSpace;
  for (const Expr& one : integrals)
    if (one->name != integrals[0]->name)
      refuse_integral("integrals over space and integrals over the whole region in one term", "make two terms of it");
  if (over_space && time.empty()) refuse_integral("over = space needs a coordinate t", "write integral(u)");

  IntegralEquations result;
  for (const Expr& one : integrals) result.integrands.push_back({one->arguments[0], one->kind == Kind::Mean});
  OuterRebuild rebuild(integrals, result.scalars, over_space ? time : "");
  for (const Expr& residual : residuals) result.outer.push_back(rebuild(residual));
  for (const Expr& outer : result.outer) {
    std::vector<Expr>& by_integral = result.by_integral.emplace_back();
    for (std::size_t k = 0; k < integrals.size(); ++k) by_integral.push_back(derivative(outer, integral_name(k)));
    std::vector<Expr>& by_scalar = result.by_scalar.emplace_back();
    for (std::size_t i = 0; i < result.scalars.size(); ++i) by_scalar.push_back(derivative(outer, scalar_name(i)));
  }
  return result;
}

std::vector<Expr> point_expressions(std::span<const Expr> residuals, const std::string& time) {
  if (!has_integrals(residuals)) return {residuals.begin(), residuals.end()};
  std::vector<Expr> expressions;
  for (const auto& integrand : separate_integrals(residuals, time).integrands)
    expressions.push_back(integrand.expression);
  return expressions;
}

}  // namespace pecann::expr
