#include "pecann/problem/scope.h"

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

expr::Scope scope_of(const Problem& problem) {
  expr::Scope scope;
  scope.coordinates = problem.box.names;
  if (problem.box.time >= 0) scope.time = problem.box.names[problem.box.time];
  scope.constants = problem.constants;
  scope.functions = problem.functions;
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

}  // namespace pecann::problem
