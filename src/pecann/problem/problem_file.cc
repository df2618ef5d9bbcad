#include "pecann/problem/problem_file.h"

#include <algorithm>
#include <cctype>
#include <set>

#include "pecann/problem/overrides.h"
#include "pecann/problem/recipe.h"
#include "pecann/problem/scope.h"
#include "pecann/problem/sections.h"
#include "pecann/reference/registry.h"

namespace pecann::problem {
namespace {

/// A line of a text, from 1; "" where there is none.
std::string_view line_at(std::string_view text, std::size_t number) {
  for (; number > 1; --number) {
    const std::size_t end = text.find('\n');
    if (end == std::string_view::npos) return "";
    text.remove_prefix(end + 1);
  }
  return text.substr(0, text.find('\n'));
}

/// What to write instead, for the slips that are made most often. toml++ says what it met, seldom what is wrong.
std::string toml_remedy(const std::string& rule, std::string_view line) {
  const auto says = [&](const char* words) { return rule.find(words) != std::string::npos; };
  const std::size_t equals = line.find('=');
  const std::size_t value = equals == line.npos ? line.npos : line.find_first_not_of(" \t", equals + 1);
  if (says("redefine")) return "a key stands once in its table: remove one of the two";
  if (says("parsing string")) return "a text begins and ends with \" in its line: is a closing \" missing?";
  if (says("parsing array")) return "a list is written [1, 2]: is a closing ] missing before this line?";
  if (value == line.npos) return "a line is key = value, or the name of a table as in [stop] or [[term]]";
  if (line[value] == '{')
    return "a table in braces is written { key = value, key = value }, in one line, with decimal points and not commas";
  if (std::isalpha(static_cast<unsigned char>(line[value])))
    return "texts stand in quotes, as in region = \"interior\"";
  return "a number is written 0.5 or 1e-3, a text \"in quotes\", a list [1, 2]";
}

toml::table parsed_tree(std::string_view text, const std::string& file) {
  InputError::Parts parts;
  parts.place.file = file;
  if (text.size() > kLongestFile) {
    parts.rule = "a problem file has at most 10 MB";
    throw InputError(std::move(parts));
  }
  toml::parse_result result = toml::parse(text, std::string_view(file));
  if (!result) {
    const toml::source_position at = result.error().source().begin;
    parts.place.line = static_cast<int>(at.line);
    parts.place.column = static_cast<int>(at.column);
    parts.rule = "not valid TOML: " + std::string(result.error().description());
    if (text.starts_with("\xff\xfe") || text.starts_with("\xfe\xff"))
      parts.hint = "the file is UTF-16: save it as UTF-8";
    else if (parts.rule.find("utf-8") != std::string::npos)
      parts.hint = "save the file as UTF-8";
    else
      parts.hint = toml_remedy(parts.rule, line_at(text, at.line));
    throw InputError(std::move(parts));
  }
  return std::move(result).table();
}

void check_networks_are_used(Section& root, const Problem& problem) {
  const std::vector<Item> items = root.list_of_tables("network");
  for (std::size_t i = 0; i < items.size(); ++i)
    if (!is_used(problem.networks[i], problem)) items[i].table().refuse("no equation mentions a field of this network");
  std::set<std::string> mentioned;
  for (const TermSpec& term : problem.terms)
    for (const expr::Expr& residual : term.residuals) collect_fields(residual, mentioned);
  for (std::size_t i = items.size(); i < problem.networks.size(); ++i)
    for (const std::string& field : problem.networks[i].fields)
      if (!mentioned.contains(field)) root.find("fields")->refuse("no equation mentions '" + field + "'");
}

/// Names that a misspelt table was to define are missed before the table itself is found: of [exakt] the first word
/// would be that exact.u is not known.
void name_misspelt_table(const InputError& error, const toml::table& tree) {
  InputError::Parts parts = error.parts();
  if (parts.rule.find("unknown name") == parts.rule.npos && parts.hint.find("unknown name") == parts.hint.npos) return;
  static const std::vector<std::string> kDefine = {"constants", "exact", "fields", "functions", "parameters", "tables"};
  for (const auto& [key, node] : tree) {
    const std::string written(key.str());
    if (std::ranges::find(kDefine, written) != kDefine.end()) continue;
    const auto near = nearest_name(written, kDefine);
    if (!near) continue;
    parts.hint += (parts.hint.empty() ? "" : "; ") + ("is '" + written + "' meant to be '" + *near + "'?");
    throw InputError(std::move(parts));
  }
}

void read_reference(Section& root, Problem& problem) {
  const auto item = root.find("reference");
  if (!item) return;
  problem.reference = item->text();
  const reference::Row* const row = reference::find_row(problem.reference);
  if (row == nullptr) item->refuse(reference::allowed_names(), reference::nearest_hint(problem.reference));
  if (row->is_file()) problem.reference = resolved_path(problem.reference, problem.source);
}

/// All sections in the order of sections.h: later ones use the names of earlier ones.
void read_sections(Section& root, Problem& problem, ReadContext& context, Names& names) {
  if (const auto title = root.find("title")) problem.title = title->text();
  read_constants(root, problem, context, names);
  read_coordinates(root, problem, names);
  read_networks(root, problem, names);
  read_parameters(root, problem, names);
  read_tables(root, problem, names);
  read_functions(root, problem, names);
  names.check_derivatives(problem);
  read_exact(root, problem);
  read_shapes(root, problem);
  read_terms(root, problem);
  read_decompose(root, problem);
  read_reference(root, problem);
  read_training(root, problem);
  root.read("accuracy", problem.accuracy, {.low = 0, .high = 1, .open_low = true, .open_high = true});
  read_units(root, problem);
  read_report(root, problem);
  read_origin(root, problem);
  root.finish();
}

}  // namespace

sampling::DomainPointer read_domain(std::string_view toml_text, const Problem& problem) {
  try {
    const toml::table tree = parsed_tree(toml_text, "");
    const ReadContext context{"", problem.constants};
    Section root(tree, "", context);
    Problem with_shapes = problem;
    read_shapes(root, with_shapes);
    root.finish();
    return with_shapes.domain;
  } catch (const InputError& error) {
    InputError::Parts parts = error.parts();
    parts.place = {};
    throw InputError(std::move(parts));
  }
}

Problem read_problem(std::string_view toml_text, std::string source_name, std::span<const std::string> overrides,
                     const std::string& recipe, GivenTables tables) {
  toml::table tree = parsed_tree(toml_text, source_name);
  Problem problem;
  problem.source = std::move(source_name);
  problem.tables = std::move(tables);
  ChosenRecipe chosen = apply_recipe(tree, recipe, problem.source);
  problem.recipe = std::move(chosen.name);
  problem.recipes = std::move(chosen.offered);
  for (const std::string& assignment : overrides) apply_override(tree, assignment, {"command line", 0, 0});

  ReadContext context{problem.source, {}};
  Section root(tree, "", context);
  Names names;
  try {
    read_sections(root, problem, context, names);
  } catch (const InputError& error) {
    name_misspelt_table(error, tree);
    throw;
  }
  check_networks_are_used(root, problem);
  return problem;
}

}  // namespace pecann::problem
