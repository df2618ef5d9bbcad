#include "pecann/problem/joints.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <unordered_set>
#include <utility>

#include "pecann/base/input_error.h"
#include "pecann/base/require.h"
#include "pecann/base/toml_number.h"
#include "pecann/problem/parts.h"
#include "pecann/problem/scope.h"

namespace pecann::problem {
namespace {

using Orders = std::map<std::string, std::map<std::string, int>>;  // field -> coordinate -> highest order

void collect_orders(const expr::Expr& expression, Orders& orders) {
  std::unordered_set<const expr::Node*> seen;
  std::vector<expr::Expr> open = {expression};
  while (!open.empty()) {
    const expr::Expr next = open.back();
    open.pop_back();
    if (!seen.insert(&next.node()).second) continue;
    if (next->kind == expr::Kind::Field)
      for (const auto& [coordinate, order] : next->derivative)
        orders[next->name][coordinate] = std::max(orders[next->name][coordinate], order);
    open.insert(open.end(), next->arguments.begin(), next->arguments.end());
  }
}

/// u and its derivatives along a coordinate below an order, as equations of both sides.
std::vector<std::string> joint_equations(const std::string& field, const std::string& coordinate, int order,
                                         const std::string& beyond) {
  std::vector<std::string> equations;
  std::string derivative = field + "_";
  for (int k = 0; k < order; ++k) {
    const std::string value = k == 0 ? field : derivative;
    equations.push_back("at(" + value + ", " + coordinate + " = " + beyond + ") = " + value);
    derivative += coordinate;
  }
  return equations;
}

/// The planes between parts that the domain has; a domain with shapes may have nothing at some of them.
sampling::Regions planes_between(const Problem& problem, int coordinate) {
  sampling::Regions regions;
  for (const double value : problem.decompose.planes[static_cast<std::size_t>(coordinate)]) {
    try {
      sampling::RegionPointer plane = problem.domain->plane(coordinate, value, {});
      if (plane->measure() > 0) regions.push_back(std::move(plane));
    } catch (const InputError&) {
      continue;
    }
  }
  return regions;
}

}  // namespace

int count_parts(const Problem& problem) {
  int parts = 1;
  for (int c = 0; c < problem.box.dimension(); ++c) parts *= problem.decompose.along(c);
  return parts;
}

namespace {

/// How many parts a curved region has points in, or one that shapes have cut: those that points spread over it find.
double parts_with_points(const Problem& problem, const sampling::Region& region) {
  constexpr std::size_t kPointsOfPart = 32;
  const std::size_t most = kPointsOfPart * static_cast<std::size_t>(count_parts(problem));
  RandomStream stream(1, "parts." + region.name());
  const sampling::PointSet points = region.sample({.kind = sampling::PointRule::Kind::Sobol, .count = most}, stream);
  std::vector<const double*> columns;
  for (const auto& column : points.coordinates) columns.push_back(column.data());
  std::vector<int> found = Parts(problem.box, problem.decompose.planes).of(columns, points.count);
  std::ranges::sort(found);
  return std::max(1.0, static_cast<double>(std::ranges::distance(found.begin(), std::ranges::unique(found).begin())));
}

double parts_across(const Problem& problem, const sampling::Region& region) {
  double most = 0;
  for (const sampling::FlatPart& flat : region.flat_parts()) {
    double crossed = 1;
    for (std::size_t c = 0; c < flat.size(); ++c)
      if (!flat[c]) crossed *= problem.decompose.along(static_cast<int>(c));
    most = std::max(most, crossed);
  }
  return most > 0 ? most : parts_with_points(problem, region);
}

}  // namespace

double parts_across(const Problem& problem, const sampling::Regions& regions) {
  double most = 1;
  if (count_parts(problem) > 1)
    for (const sampling::RegionPointer& region : regions) most = std::max(most, parts_across(problem, *region));
  return most;
}

void join_parts(Problem& problem) {
  std::erase_if(problem.terms, [](const TermSpec& term) { return term.joint; });
  if (count_parts(problem) == 1) return;
  Orders orders;
  for (const TermSpec& term : problem.terms)
    for (const expr::Expr& residual : term.residuals) collect_orders(residual, orders);
  for (int c = 0; c < problem.box.dimension(); ++c) {
    if (problem.decompose.along(c) == 1) continue;
    const std::string& coordinate = problem.box.names[c];
    const double widest = std::max(std::abs(problem.box.lower[c]), std::abs(problem.box.upper[c]));
    // Twice the distance of neighbouring numbers at the ends of the range: x + this lies above x everywhere in it.
    const std::string beyond = coordinate + " + " + toml_number(std::ldexp(widest, -51));
    TermSpec term;
    term.name = kJoints + coordinate;
    term.role = Role::Constraint;
    term.joint = true;
    term.regions = planes_between(problem, c);
    if (term.regions.empty()) continue;
    term.region_text = "several";
    for (const std::string& field : field_names(problem)) {
      const int order = orders[field][coordinate];
      for (std::string& equation : joint_equations(field, coordinate, order, beyond))
        term.equation_texts.push_back(std::move(equation));
    }
    if (term.equation_texts.empty()) continue;
    const expr::Scope scope = equation_scope(problem, term);
    for (const std::string& text : term.equation_texts)
      for (const expr::Expr& residual : expr::parse_equations(text, scope)) term.residuals.push_back(residual);
    const bool line = problem.box.dimension() == 1;
    const double across = parts_across(problem, term.regions);
    term.points = {.kind = sampling::PointRule::Kind::Sobol,
                   .count = line ? 1 : static_cast<std::size_t>(problem.decompose.points * across)};
    problem.terms.push_back(std::move(term));
  }
}

std::string parts_words(const Problem& problem) {
  std::string text;
  for (int c = 0; c < problem.box.dimension(); ++c)
    if (c != problem.box.time || problem.decompose.along(c) > 1)
      text += (text.empty() ? "" : " × ") + std::to_string(problem.decompose.along(c));
  return count_parts(problem) == 1 ? "" : text + " parts";
}

}  // namespace pecann::problem
