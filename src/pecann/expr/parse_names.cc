#include <algorithm>
#include <numbers>
#include <unordered_set>

#include "pecann/base/input_error.h"
#include "pecann/expr/interpolant.h"
#include "pecann/expr/parser.h"

namespace pecann::expr {
namespace {

bool contains(const std::vector<std::string>& list, std::string_view name) {
  return std::ranges::find(list, name) != list.end();
}

int highest_field_order(const Expr& a, std::unordered_set<const Node*>& seen) {
  if (!seen.insert(&a.node()).second) return 0;
  int order = order_of(a->derivative);
  for (const Expr& argument : a->arguments) order = std::max(order, highest_field_order(argument, seen));
  return order;
}

/// "xxy" or "x1x2" as coordinates, each time the longest name that fits; empty when something is left over.
std::vector<std::string> split_coordinates(std::string_view text, const std::vector<std::string>& coordinates) {
  std::vector<std::string> result;
  while (!text.empty()) {
    std::string_view best;
    for (const std::string& name : coordinates)
      if (name.size() > best.size() && text.starts_with(name)) best = name;
    if (best.empty()) return {};
    result.emplace_back(best);
    text.remove_prefix(best.size());
  }
  return result;
}

}  // namespace

Expr Parser::named(const Token& token) {
  const std::string name(token.text);
  if (const auto found = symbol(token, name)) return *found;
  if (const auto found = derivative_name(token, name)) return *found;
  const std::vector<std::string> known = known_names();
  const bool measured = std::ranges::any_of(known, [](const std::string& one) { return one.starts_with("data."); });
  fail(token, "unknown name '" + shortened(name, 40) + "'",
       name.starts_with("data.") && !measured
           ? "the term has no data; give it some, as in data = { file = \"obs.csv\", u = \"temperature\" }"
           : hint_for(name, known));
}

/// Names in the order of the search: a function's arguments hide everything, a user's names hide the constant e.
std::optional<Expr> Parser::symbol(const Token& token, const std::string& name) {
  if (const auto found = differentiable(token, name)) return found;
  if (contains(scope_.coordinates, name)) return coordinate(name);
  if (const auto found = scope_.constants.find(name); found != scope_.constants.end()) {
    if (name == "pi" && found->second != std::numbers::pi) fail(token, "'pi' cannot be given another value");
    return Expr(found->second);
  }
  if (contains(scope_.parameters, name)) return parameter(name);
  if (name == "pi") return Expr(std::numbers::pi);
  if (name == "e") return Expr(std::numbers::e);
  return std::nullopt;
}

/// Names that may carry a derivative, as in u_x: arguments, fields, tables, exact solutions, functions without
/// arguments; and data, so that data.u_x is refused for its reason.
std::optional<Expr> Parser::differentiable(const Token& token, const std::string& name) {
  if (const auto found = arguments_.find(name); found != arguments_.end()) return found->second;
  if (contains(scope_.fields, name)) return field(name);
  if (contains(scope_.data, name)) return data_column(name);
  if (const auto found = scope_.tables.find(name); found != scope_.tables.end()) {
    std::vector<Expr> arguments;
    for (const std::string& axis : found->second->coordinates()) arguments.push_back(coordinate(axis));
    return table_value(found->second, std::move(arguments));
  }
  if (name.starts_with("exact.")) {
    const auto found = scope_.exact.find(name.substr(6));
    if (found != scope_.exact.end()) return found->second;
  }
  if (const auto found = scope_.functions.find(name); found != scope_.functions.end()) {
    if (!found->second.arguments.empty())
      fail(token, "the function '" + name + "' needs its arguments", "write " + name + "(…)");
    return expanded(token, found->second, {});
  }
  return std::nullopt;
}

std::optional<Expr> Parser::derivative_name(const Token& token, const std::string& name) {
  const std::size_t underscore = name.rfind('_');
  if (underscore == std::string::npos || underscore == 0 || underscore + 1 == name.size()) return std::nullopt;
  const std::string base = name.substr(0, underscore), suffix = name.substr(underscore + 1);
  const auto inner = differentiable(token, base);
  if (!inner) return std::nullopt;
  const std::vector<std::string> coordinates = split_coordinates(suffix, scope_.coordinates);
  if (coordinates.empty() && (*inner)->kind == Kind::Data) return std::nullopt;  // a column that is not there
  if (coordinates.empty())
    fail(token, "'" + shortened(suffix, 40) + "' in '" + shortened(name, 40) + "' is not a run of coordinates",
         hint_for(suffix, scope_.coordinates));
  return differentiated(token, *inner, coordinates);
}

/// The coordinate that a token names; an argument of a function stands for the coordinate that it was given.
std::string Parser::coordinate_name(const Token& token) {
  if (token.kind != Token::Kind::Name)
    fail(token, "the name of a coordinate is missing", hint_for("", scope_.coordinates));
  const std::string name(token.text);
  if (const auto found = arguments_.find(name); found != arguments_.end()) {
    if (found->second->kind == Kind::Coordinate && contains(scope_.coordinates, found->second->name))
      return found->second->name;
    fail(token, "the argument '" + shortened(name, 40) + "' is not a coordinate in this call");
  }
  if (!contains(scope_.coordinates, name))
    fail(token, "'" + shortened(name, 40) + "' is not a coordinate", hint_for(name, scope_.coordinates));
  return name;
}

Expr Parser::differentiated(const Token& token, Expr a, const std::vector<std::string>& coordinates) {
  for (const std::string& name : coordinates) {
    a = built_at(token, [&] { return derivative(a, name, scope_.field_inputs); });
    std::unordered_set<const Node*> seen;
    if (highest_field_order(a, seen) > scope_.max_derivative_order)
      fail(token, "a derivative of a field of order above " + std::to_string(scope_.max_derivative_order),
           "add a field for an inner derivative, with an equation that defines it");
  }
  return a;
}

std::vector<std::string> Parser::known_names() const {
  std::vector<std::string> names;
  for (const auto& entry : arguments_) names.push_back(entry.first);
  names.insert(names.end(), scope_.coordinates.begin(), scope_.coordinates.end());
  names.insert(names.end(), scope_.fields.begin(), scope_.fields.end());
  for (const auto& entry : scope_.constants) names.push_back(entry.first);
  for (const auto& entry : scope_.functions) names.push_back(entry.first);
  names.insert(names.end(), scope_.parameters.begin(), scope_.parameters.end());
  for (const auto& entry : scope_.exact) names.push_back("exact." + entry.first);
  names.insert(names.end(), scope_.data.begin(), scope_.data.end());
  for (const auto& entry : scope_.tables) names.push_back(entry.first);
  names.emplace_back("pi");
  return names;
}

}  // namespace pecann::expr
