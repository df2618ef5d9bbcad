#include "pecann/accuracy/continuation.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "pecann/base/input_error.h"
#include "pecann/expr/integral.h"
#include "pecann/expr/replace_fields.h"
#include "pecann/problem/recommended.h"
#include "pecann/problem/with_constants.h"

namespace pecann::accuracy {
namespace {

constexpr int kEpochsOfValue = 60;      // of the last phase at an easier value
constexpr double kUntilOfValue = 1e-6;  // of the loss at its beginning is enough there

/// A part of a sum: its highest derivative, and the number it is multiplied by.
struct Part {
  expr::Expr expression;
  int order = 0;
  bool linear = true, has_unknowns = false;
  double factor = 1;
};

double constant_factor(const expr::Expr& a) {
  switch (a->kind) {
    case expr::Kind::Constant:
      return a->value;
    case expr::Kind::Multiply: {
      double product = 1;
      for (const expr::Expr& argument : a->arguments) product *= constant_factor(argument);
      return product;
    }
    case expr::Kind::Divide:
      return constant_factor(a->arguments[0]) / constant_factor(a->arguments[1]);
    default:
      return 1;
  }
}

int highest_derivative(const expr::Expr& a) {
  int order = 0;
  const expr::Expr expressions[] = {a};
  for (const expr::Expr& leaf : expr::field_leaves(expressions))
    order = std::max(order, expr::order_of(leaf->derivative));
  return order;
}

std::vector<Part> parts_of(const expr::Expr& residual) {
  std::vector<expr::Expr> addends;
  if (residual->kind == expr::Kind::Add)
    addends = residual->arguments;
  else
    addends = {residual};
  std::vector<Part> parts;
  for (const expr::Expr& addend : addends)
    parts.push_back({.expression = addend,
                     .order = highest_derivative(addend),
                     .linear = expr::linear_in_fields(addend),
                     .has_unknowns = !expr::coordinate_only(addend),
                     .factor = std::abs(constant_factor(addend))});
  return parts;
}

enum class Hardness { None, Derivative, Nonlinear };

/// What a constant does in the equations inside, and whether it is easier where it is larger.
struct Effect {
  Hardness hardness = Hardness::None;
  bool easier_up = false;
};

/// Parts of an equation that change when the constant does; nothing where their number changes, too.
std::optional<std::vector<bool>> changed(const std::vector<Part>& before, const std::vector<Part>& after) {
  if (before.size() != after.size()) return std::nullopt;
  std::vector<bool> result;
  for (std::size_t i = 0; i < before.size(); ++i)
    result.push_back(before[i].has_unknowns && !expr::same(before[i].expression, after[i].expression));
  return result;
}

/// Of one equation, whose parts are `after` with twice the constant; None with `occurs` false where it has none of it.
Effect effect_in(const std::vector<Part>& before, const std::vector<Part>& after, bool& occurs) {
  const std::optional<std::vector<bool>> with = changed(before, after);
  occurs = !with || std::ranges::find(*with, true) != with->end();
  if (!with || !occurs) return {};
  int highest = 0;
  for (const Part& part : before) highest = std::max(highest, part.order);
  bool at_highest = highest > 0, nonlinear = true, other_nonlinear = false, other_linear = false;
  double growth = 0;  // of the parts with the constant when it is doubled
  for (std::size_t i = 0; i < before.size(); ++i) {
    if ((*with)[i]) {
      at_highest = at_highest && before[i].order == highest && before[i].linear;
      nonlinear = nonlinear && !before[i].linear;
      growth = std::max(growth, after[i].factor / before[i].factor);
    } else if (before[i].has_unknowns) {
      (before[i].linear ? other_linear : other_nonlinear) = true;
    }
  }
  if (growth == 1) return {};
  if (at_highest && other_nonlinear) return {Hardness::Derivative, growth > 1};
  if (nonlinear && other_linear) return {Hardness::Nonlinear, growth < 1};
  return {};
}

bool inside(const problem::Problem& problem, const problem::TermSpec& term) {
  return !expr::has_integrals(term.residuals) && !term.data &&
         std::ranges::all_of(term.regions, [&](const sampling::RegionPointer& region) {
           return region->dimension() == problem.box.dimension();
         });
}

Effect effect_of(const problem::Problem& problem, const std::string& constant) {
  const double own = problem.constants.at(constant);
  if (!(own > 0) || !std::isfinite(2 * own)) return {};
  problem::Problem doubled;
  try {
    doubled = problem::with_constants(problem, {{constant, 2 * own}});
  } catch (const InputError&) {
    return {};
  }
  Effect all;
  for (std::size_t t = 0; t < problem.terms.size(); ++t) {
    if (!inside(problem, problem.terms[t])) continue;
    const std::vector<expr::Expr>&before = problem.terms[t].residuals, &after = doubled.terms[t].residuals;
    if (before.size() != after.size()) return {};
    for (std::size_t e = 0; e < before.size(); ++e) {
      bool occurs = false;
      const Effect one = effect_in(parts_of(before[e]), parts_of(after[e]), occurs);
      if (!occurs) continue;
      const bool unlike =
          all.hardness != Hardness::None && (all.hardness != one.hardness || all.easier_up != one.easier_up);
      if (one.hardness == Hardness::None || unlike) return {};
      all = one;
    }
  }
  return all;
}

}  // namespace

std::optional<Continuation> named_continuation(const problem::Problem& problem) {
  Continuation way{.constant = "", .values = {}, .why = "the file names it"};
  for (const std::map<std::string, double>& constants : problem::continued_constants(problem)) {
    if (constants.empty()) continue;  // the problem's own values
    const auto& [name, value] = *constants.begin();
    if (constants.size() > 1 || (!way.constant.empty() && name != way.constant)) return std::nullopt;
    way.constant = name;
    way.values.push_back(value);
  }
  if (way.values.empty()) return std::nullopt;
  return way;
}

std::optional<Continuation> found_continuation(const problem::Problem& problem, double factor) {
  for (const Hardness wanted : {Hardness::Derivative, Hardness::Nonlinear})
    for (const auto& [name, own] : problem.constants) {
      const Effect effect = effect_of(problem, name);
      if (effect.hardness != wanted) continue;
      Continuation way{.constant = name, .values = {}, .why = ""};
      const double step = std::sqrt(10.0);
      for (double times = factor; times > 1.01; times /= step)
        way.values.push_back(effect.easier_up ? own * times : own / times);
      way.why = wanted == Hardness::Derivative ? fmt::format("{} stands at the highest derivative", name)
                                               : fmt::format("{} stands at what is not linear", name);
      return way;
    }
  return std::nullopt;
}

problem::Problem continued(problem::Problem problem, const Continuation& way) {
  std::vector<problem::PhaseSpec> phases;
  for (const double value : way.values) {
    for (std::size_t i = phases.empty() ? 0 : problem.phases.size() - 1; i < problem.phases.size(); ++i) {
      problem::PhaseSpec phase = problem.phases[i];
      phase.epochs = std::min(phase.epochs, kEpochsOfValue);
      phase.until = kUntilOfValue;
      phase.constants[way.constant] = value;
      phases.push_back(std::move(phase));
    }
  }
  phases.push_back(problem.phases.back());
  problem.phases = std::move(phases);
  return problem;
}

std::string words(const Continuation& way, const problem::Problem& problem) {
  std::string text;
  for (const double value : way.values) text += fmt::format("{:.3g}, ", value);
  return fmt::format("{} = {}then {:.3g}", way.constant, text, problem.constants.at(way.constant));
}

}  // namespace pecann::accuracy
