#include "pecann/problem/scope.h"

#include <algorithm>
#include <unordered_set>

namespace pecann::problem {

std::vector<std::string> field_names(const Problem& problem) {
  std::vector<std::string> names;
  for (const NetworkSpec& network : problem.networks) {
    names.insert(names.end(), network.fields.begin(), network.fields.end());
  }
  return names;
}

std::vector<std::string> quantity_names(const Problem& problem) {
  std::vector<std::string> names = field_names(problem);
  for (const auto& [name, function] : problem.functions)
    if (problem.exact.contains(name)) names.push_back(name);
  return names;
}

std::vector<std::string> error_names(const Problem& problem) {
  std::vector<std::string> names = quantity_names(problem);
  if (!problem.evaluate.together.empty()) names.emplace_back(kTogether);
  return names;
}

expr::Scope scope_of(const Problem& problem) {
  expr::Scope scope;
  scope.coordinates = problem.box.names;
  if (problem.box.time >= 0) scope.time = problem.box.names[problem.box.time];
  for (const int c : problem.box.family) scope.family.push_back(problem.box.names[c]);
  scope.constants = problem.constants;
  scope.functions = problem.functions;
  for (const auto& [name, table] : problem.interpolated) scope.tables.emplace(name, table.interpolant);
  scope.fields = field_names(problem);
  for (const NetworkSpec& network : problem.networks) {
    for (const std::string& field : network.fields) scope.field_inputs[field] = network.inputs;
  }
  for (const ParameterSpec& parameter : problem.parameters) {
    scope.parameters.push_back(parameter.name);
    if (parameter.exact) scope.exact.emplace(parameter.name, expr::Expr(*parameter.exact));
  }
  for (const auto& [name, expression] : problem.exact) scope.exact.emplace(name, expression);
  return scope;
}

expr::Scope exact_scope(const Problem& problem) {
  expr::Scope scope = scope_of(problem);
  scope.fields.clear();
  scope.parameters.clear();
  return scope;
}

expr::Scope equation_scope(const Problem& problem, const TermSpec& term) {
  expr::Scope scope = scope_of(problem);
  scope.integrals = true;
  add_normals(problem, scope);
  if (!term.data) return scope;
  for (const auto& [name, column] : term.data->columns) scope.data.push_back("data." + name);
  return scope;
}

void add_normals(const Problem& problem, expr::Scope& scope) {
  for (int c = 0; c < problem.box.dimension(); ++c)
    if (problem.box.in_space(c)) scope.data.push_back(sampling::kNormalColumn + problem.box.names[c]);
}

bool reads_normal(const expr::Expr& expression) {
  if (!expression->reads_data) return false;
  return expression->name.starts_with(sampling::kNormalColumn) ||
         std::any_of(expression->arguments.begin(), expression->arguments.end(), reads_normal);
}

expr::Scope density_scope(const Problem& problem) {
  expr::Scope scope = scope_of(problem);
  scope.data.emplace_back(kResidual);
  return scope;
}

void collect_fields(const expr::Expr& expression, std::set<std::string>& names) {
  std::unordered_set<const expr::Node*> seen;  // nodes are shared: without it the walk could be exponential
  std::vector<expr::Expr> open = {expression};
  while (!open.empty()) {
    const expr::Expr next = open.back();
    open.pop_back();
    if (!seen.insert(&next.node()).second) continue;
    if (next->kind == expr::Kind::Field) names.insert(next->name);
    open.insert(open.end(), next->arguments.begin(), next->arguments.end());
  }
}

bool is_used(const NetworkSpec& network, const Problem& problem) {
  std::set<std::string> mentioned;
  for (const TermSpec& term : problem.terms)
    for (const expr::Expr& residual : term.residuals) collect_fields(residual, mentioned);
  return std::any_of(network.fields.begin(), network.fields.end(),
                     [&](const std::string& field) { return mentioned.contains(field); });
}

}  // namespace pecann::problem
