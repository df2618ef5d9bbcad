#include "pecann/check/lint_names.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <set>
#include <unordered_set>

#include "pecann/base/input_error.h"
#include "pecann/base/require.h"
#include "pecann/problem/scope.h"
#include "pecann/problem/toml.h"

namespace pecann::check {
namespace {

bool in_name(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

/// Adds the identifiers of an expression, with u_xx also u.
void add_identifiers(const std::string& text, std::set<std::string>& names) {
  for (std::size_t begin = 0; begin < text.size();) {
    std::size_t end = begin;
    while (end < text.size() && in_name(text[end])) ++end;
    if (end == begin) {
      ++begin;
      continue;
    }
    const std::string name = text.substr(begin, end - begin);
    names.insert(name);
    if (const std::size_t underscore = name.find_last_of('_'); underscore != std::string::npos)
      names.insert(name.substr(0, underscore));
    begin = end;
  }
}

/// Adds the identifiers of all texts of a file but those that are titles or names themselves.
void add_texts(const toml::node& node, std::set<std::string>& names) {
  if (const toml::value<std::string>* text = node.as_string()) add_identifiers(text->get(), names);
  if (const toml::array* array = node.as_array())
    for (const toml::node& element : *array) add_texts(element, names);
  if (const toml::table* table = node.as_table())
    for (const auto& [key, value] : *table)
      if (key.str() != "title" && key.str() != "name" && key.str() != "fields" && key.str() != "file")
        add_texts(value, names);
}

void add_parameters(const expr::Expr& expression, std::set<std::string>& names,
                    std::unordered_set<const expr::Node*>& seen) {
  if (expression->coordinate_only || !seen.insert(&expression.node()).second) return;
  if (expression->kind == expr::Kind::Parameter) names.insert(expression->name);
  for (const expr::Expr& argument : expression->arguments) add_parameters(argument, names, seen);
}

/// A used name that the unused one may have been meant to be.
std::string misspelling(const std::string& name, const std::set<std::string>& used) {
  const std::vector<std::string> candidates(used.begin(), used.end());
  const std::optional<std::string> nearest = nearest_name(name, candidates);
  return nearest ? fmt::format(" Was '{}' meant?", *nearest) : "";
}

}  // namespace

void lint_names(const problem::Problem& problem, const std::string& text, std::span<const std::string> overrides,
                Findings& findings) {
  std::set<std::string> mentioned;
  const toml::parse_result tree = toml::parse(text);
  require(static_cast<bool>(tree), "the text of a problem that was read is TOML");
  add_texts(tree.table(), mentioned);
  for (const std::string& change : overrides)
    add_identifiers(change.substr(std::min(change.find('='), change.size())), mentioned);
  for (const auto& [name, expression] : problem.exact) mentioned.insert(name);  // a function may be there for its error

  std::set<std::string> used;  // of those that could stand in an equation
  for (const auto& [name, value] : problem.constants)
    if (mentioned.contains(name)) used.insert(name);
  for (const auto& [name, function] : problem.functions)
    if (mentioned.contains(name)) used.insert(name);
  for (const auto& [name, table] : problem.interpolated)
    if (mentioned.contains(name)) used.insert(name);
  const auto note = [&](const char* kind, const std::string& name) {
    if (!mentioned.contains(name))
      findings.push_back(
          {Finding::Level::Note, fmt::format("Nothing uses the {} '{}'.{}", kind, name, misspelling(name, used))});
  };
  for (const auto& [name, value] : problem.constants) note("constant", name);
  for (const auto& [name, function] : problem.functions) note("function", name);
  for (const auto& [name, table] : problem.interpolated) note("table", name);

  std::set<std::string> fields, parameters;
  std::unordered_set<const expr::Node*> seen;
  for (const problem::TermSpec& term : problem.terms) {
    for (const expr::Expr& residual : term.residuals) {
      problem::collect_fields(residual, fields);
      add_parameters(residual, parameters, seen);
    }
  }
  const auto warn = [&](const char* kind, const std::string& name, const std::set<std::string>& known) {
    if (!known.contains(name))
      findings.push_back(
          {Finding::Level::Warning, fmt::format("No equation mentions the {} '{}': nothing would train it.{}", kind,
                                                name, misspelling(name, known))});
  };
  for (const std::string& name : problem::field_names(problem)) warn("field", name, fields);
  for (const problem::ParameterSpec& parameter : problem.parameters)
    warn("trainable parameter", parameter.name, parameters);
}

}  // namespace pecann::check
