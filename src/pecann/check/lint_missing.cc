#include "pecann/check/lint_missing.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <unordered_set>

#include "pecann/check/lint_values.h"
#include "pecann/problem/scope.h"
#include "pecann/train/balance.h"
#include "pecann/train/error_norms.h"
#include "pecann/train/missing_conditions.h"

namespace pecann::check {
namespace {

/// True for an expression of coordinates that jumps.
bool has_jump(const expr::Expr& a) {
  using enum expr::Kind;
  if (!a->coordinate_only) return false;
  if (a->kind == Less || a->kind == LessEqual || a->kind == Sign || a->kind == Equal) return true;
  return std::ranges::any_of(a->arguments, has_jump);
}

bool has_second_derivative(const expr::Expr& a) {
  if (a->coordinate_only) return false;
  if (a->kind == expr::Kind::Field)
    return std::ranges::any_of(a->derivative, [](const auto& entry) { return entry.second >= 2; });
  return std::ranges::any_of(a->arguments, has_second_derivative);
}

/// True where something that jumps multiplies or chooses a second derivative.
bool jumps_before_second_derivative(const expr::Expr& a, std::unordered_set<const expr::Node*>& seen) {
  if (a->coordinate_only || !seen.insert(&a.node()).second) return false;
  const bool product = a->kind == expr::Kind::Multiply || a->kind == expr::Kind::Divide || a->kind == expr::Kind::If;
  if (product && std::ranges::any_of(a->arguments, has_jump) &&
      std::ranges::any_of(a->arguments, has_second_derivative))
    return true;
  return std::ranges::any_of(a->arguments,
                             [&](const expr::Expr& b) { return jumps_before_second_derivative(b, seen); });
}

}  // namespace

void lint_missing(const problem::Problem& problem, Findings& findings) {
  if (std::ranges::none_of(problem.terms, [](const auto& t) { return t.role == problem::Role::Objective; }))
    findings.push_back({Finding::Level::Warning,
                        "No term is an objective: nothing is minimised, and constraints alone are traded against each "
                        "other. Give one term, the equation or the misfit to data, role = \"objective\"."});
  for (const std::string& field : problem::field_names(problem)) {
    std::set<std::string> mentioned, inside;
    for (const problem::TermSpec& term : problem.terms) {
      const train::TermKind kind = train::kind_of(problem, term);
      for (const expr::Expr& residual : term.residuals) {
        problem::collect_fields(residual, mentioned);
        if (kind == train::TermKind::Equation || kind == train::TermKind::Data)
          problem::collect_fields(residual, inside);
      }
    }
    if (mentioned.contains(field) && !inside.contains(field))
      findings.push_back(
          {Finding::Level::Warning,
           fmt::format("No equation and no data say what {} is inside the domain: its terms hold on parts "
                       "of it only. Add a term with region = \"interior\".",
                       field)});
  }
  for (const train::MissingCondition& missing : train::missing_conditions(problem))
    findings.push_back({Finding::Level::Warning, missing.text()});
}

void lint_jumps(const problem::Problem& problem, Findings& findings) {
  for (const problem::TermSpec& term : problem.terms) {
    std::unordered_set<const expr::Node*> seen;
    if (std::ranges::none_of(term.residuals,
                             [&](const expr::Expr& r) { return jumps_before_second_derivative(r, seen); }))
      continue;
    findings.push_back(
        {Finding::Level::Warning,
         fmt::format("A coefficient of term '{}' jumps, and stands before a second derivative: the slope of a jump is "
                     "taken for zero, so the flux is not continuous across it. Carry the flux as a field of its own "
                     "(q = a*u_x, q_x = f), or give each side its own field (docs/faq.md, \"Two materials\").",
                     term.name)});
  }
}

void lint_exact_values(const problem::Problem& problem, Findings& findings) {
  for (const auto& [name, exact] : problem.exact) {
    if (exact->reads_data || !exact->coordinate_only) continue;
    sampling::PointSet nodes = train::evaluation_points(problem, problem.box);
    if (const auto frozen = problem.evaluate.at.find(name); frozen != problem.evaluate.at.end())
      for (const auto& [coordinate, value] : frozen->second)
        std::ranges::fill(nodes.coordinates[problem.box.index_of(coordinate)], value);
    const std::vector<double> values = values_on(exact, problem.box, nodes);
    const auto broken = std::ranges::find_if(values, [](double value) { return !std::isfinite(value); });
    if (broken == values.end()) continue;
    findings.push_back(
        {Finding::Level::Warning,
         fmt::format("The exact solution {} is {} at {}, a node where errors are taken ({} of {}): no error can be "
                     "measured. Write its limit there with if(…), or choose another evaluate.grid.",
                     name, *broken, place_text(problem.box, point_at(nodes, broken - values.begin())),
                     std::ranges::count_if(values, [](double value) { return !std::isfinite(value); }),
                     values.size())});
  }
}

}  // namespace pecann::check
