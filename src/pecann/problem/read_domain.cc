// [constants], coordinates, [functions], [parameters] and [exact]: what equations may speak of besides fields.
#include <algorithm>
#include <cmath>
#include <set>

#include "pecann/problem/definition_order.h"
#include "pecann/problem/scope.h"
#include "pecann/problem/sections.h"
#include "pecann/sampling/box_domain.h"

namespace pecann::problem {
namespace {

constexpr int kMostCoordinates = 20;

using Entries = std::vector<std::pair<std::string, Item>>;

/// The entries of a table whose texts refer to each other, visited so that what an entry needs comes before it.
template <class Visit>
void for_each_in_order(const Entries& entries, std::string_view prefix, const Visit& visit) {
  std::vector<Definition> definitions;
  for (const auto& [name, item] : entries) definitions.emplace_back(name, item.is_text() ? item.text() : "");
  const auto refuse = [&](std::size_t number, const std::string& rule) { entries[number].second.refuse(rule); };
  for (const std::size_t number : definition_order(definitions, prefix, refuse))
    visit(entries[number].first, entries[number].second);
}

/// "f(a, b)" → f and its arguments; "s" → s without arguments.
std::string split_signature(const Item& item, const std::string& key, std::vector<std::string>& arguments) {
  const std::size_t open = key.find('(');
  if (open == std::string::npos) return key;
  if (key.back() != ')') item.refuse("a function is written \"f(a, b)\" = \"…\"");
  std::string inside = key.substr(open + 1, key.size() - open - 2);
  std::erase(inside, ' ');
  for (std::size_t begin = 0; begin <= inside.size();) {
    const std::size_t end = std::min(inside.find(',', begin), inside.size());
    arguments.push_back(inside.substr(begin, end - begin));
    begin = end + 1;
  }
  std::string name = key.substr(0, open);
  std::erase(name, ' ');
  return name;
}

}  // namespace

void read_constants(Section& root, Problem& problem, ReadContext& context, Names& names) {
  auto section = root.section("constants");
  if (!section) return;
  const Entries entries = section->entries();
  for (const auto& [name, item] : entries) names.add(item, name, "constant");
  for_each_in_order(entries, "", [&](const std::string& name, const Item& item) {
    const double value = item.number();
    context.constants.emplace(name, value);
    problem.constants.emplace(name, value);
  });
}

void read_coordinates(Section& root, Problem& problem, Names& names) {
  const Item item = root.require("coordinates", "as in coordinates = { x = [0, 1], t = [0, 2] }");
  Section section = item.table();
  for (const auto& [name, range] : section.entries()) {
    names.add(range, name, "coordinate");
    std::vector<double> ends;
    if (range.is_table()) {
      Section table = range.table();
      ends = table.require("range", "as in { range = [1, 4], role = \"parameter\" }").numbers();
      if (const auto role = table.find("role")) {
        role->word({"parameter"});
        if (name == "t") role->refuse("t is the time", "choose another name");
        problem.box.family.push_back(problem.box.dimension());
      }
      table.finish();
    } else {
      ends = range.numbers();
    }
    if (ends.size() != 2) range.refuse("a coordinate has a range of two numbers, as in [0, 1]");
    if (!(ends[0] < ends[1])) {
      range.refuse("the range must go from a smaller to a larger number", "as in [0, 1]");
    }
    // Squares of widths and their inverses must be numbers: second derivatives are scaled with them.
    if (!(ends[1] - ends[0] > 1e-100 && ends[1] - ends[0] < 1e100)) {
      range.refuse("the width of the range must lie between 1e-100 and 1e100", "choose other units");
    }
    if (name == "t") problem.box.time = problem.box.dimension();
    problem.box.names.push_back(name);
    problem.box.lower.push_back(ends[0]);
    problem.box.upper.push_back(ends[1]);
  }
  if (problem.box.names.empty()) item.refuse("a problem has at least one coordinate");
  if (problem.box.dimension() > kMostCoordinates) item.refuse("a problem has at most 20 coordinates");
  problem.domain = sampling::box_domain(problem.box);  // until read_shapes says otherwise
}

void read_parameters(Section& root, Problem& problem, Names& names) {
  auto section = root.section("parameters");
  if (!section) return;
  for (const auto& [name, item] : section->entries()) {
    names.add(item, name, "trainable parameter");
    ParameterSpec spec;
    spec.name = name;
    if (item.is_table()) {
      Section table = item.table();
      table.read("initial", spec.initial);
      table.read("lower", spec.lower);
      table.read("upper", spec.upper);
      table.read("log", spec.log_scale);
      table.read("exact", spec.exact);
      table.finish();
    } else {
      spec.initial = item.number();
    }
    if (spec.lower && spec.upper && !(*spec.lower < *spec.upper)) item.refuse("lower must be below upper");
    if ((spec.lower && spec.initial <= *spec.lower) || (spec.upper && spec.initial >= *spec.upper)) {
      item.refuse("the initial value must lie between the bounds");
    }
    if (spec.log_scale && spec.initial <= 0) item.refuse("a parameter on a log scale starts above 0");
    if (spec.log_scale && (spec.lower || spec.upper)) {
      item.refuse("a parameter has bounds or a log scale, not both", "a log scale keeps it positive");
    }
    problem.parameters.push_back(spec);
  }
}

void read_functions(Section& root, Problem& problem, Names& names) {
  auto section = root.section("functions");
  if (!section) return;
  const auto entries = section->entries();
  for (const auto& [key, item] : entries) {
    expr::Function function;
    const std::string name = split_signature(item, key, function.arguments);
    names.add(item, name, "function");
    Names arguments;
    for (const std::string& argument : function.arguments) arguments.add(item, argument, "argument");
    function.body = item.text();
    problem.functions.emplace(name, std::move(function));
  }
  std::vector<std::string> exact_names;
  if (auto exact = root.section("exact")) {
    for (const auto& [name, item] : exact->entries()) exact_names.push_back(name);
  }
  // Parsed here once, so that mistakes are found where they are written and not where a function is used.
  // Arguments stand in as coordinates: anything may be done with them.
  for (const auto& [key, item] : entries) {
    std::vector<std::string> arguments;
    split_signature(item, key, arguments);
    expr::Scope scope = scope_of(problem);
    add_normals(problem, scope);
    for (const std::string& name : exact_names) scope.exact.emplace(name, expr::Expr(1.0));
    for (const std::string& argument : arguments) {
      scope.constants.erase(argument);
      std::erase(scope.fields, argument);
      std::erase(scope.parameters, argument);
      std::erase(scope.coordinates, argument);
      scope.functions.erase(argument);
      scope.tables.erase(argument);
      scope.coordinates.push_back(argument);
    }
    parse_components_at(item, item.text(), scope);
  }
}

void read_exact(Section& root, Problem& problem) {
  auto section = root.section("exact");
  if (!section) return;
  std::vector<std::string> known = field_names(problem);
  for (const ParameterSpec& parameter : problem.parameters) known.push_back(parameter.name);
  for (const auto& [name, function] : problem.functions)
    if (function.arguments.empty()) known.push_back(name);
  const Entries entries = section->entries();
  for (const auto& [name, item] : entries) {
    if (std::find(known.begin(), known.end(), name) == known.end()) {
      item.refuse("'" + shortened(name) +
                      "' is neither a field of a network, nor a trainable parameter, nor a function without "
                      "arguments",
                  hint_for(name, known));
    }
  }
  for_each_in_order(entries, "exact.", [&](const std::string& name, const Item& item) {
    const auto parameter = std::find_if(problem.parameters.begin(), problem.parameters.end(),
                                        [&](const ParameterSpec& spec) { return spec.name == name; });
    if (parameter != problem.parameters.end()) {
      if (parameter->exact) item.refuse("the parameter has an exact value in [parameters] already");
      parameter->exact = item.number();
      return;
    }
    if (item.is_text()) {
      problem.exact_texts[name] = item.text();
      problem.exact.emplace(name, parse_at(item, item.text(), exact_scope(problem)));
    } else {
      const double value = item.number();
      problem.exact.emplace(name, expr::Expr(value));
      problem.exact_texts[name] = expr::to_string(expr::Expr(value));
    }
  });
  for (const auto& [name, item] : entries) {
    if (!problem.functions.contains(name)) continue;
    std::set<std::string> fields;
    collect_fields(parse_at(item, name, scope_of(problem)), fields);
    if (fields.empty()) item.refuse("the function '" + name + "' depends on no field: it has no error");
  }
}

}  // namespace pecann::problem
