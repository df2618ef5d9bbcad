#include <algorithm>
#include <filesystem>
#include <set>

#include "pecann/problem/automatic.h"
#include "pecann/problem/inequality_terms.h"
#include "pecann/problem/integral_terms.h"
#include "pecann/problem/read_points.h"
#include "pecann/problem/scope.h"
#include "pecann/problem/sections.h"
#include "pecann/sampling/sampler.h"

namespace pecann::problem {
namespace {

using sampling::PointRule;

/// The name that a term gives itself; "" where it gives none.
std::string name_of_term(const Item& item, std::set<std::string>& taken) {
  Section section = item.table();
  if (!section.has("name")) return "";
  const Item name = *section.find("name");
  const std::string text = name.text();
  const auto allowed = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '-';
  };
  const bool number =
      !text.empty() && std::all_of(text.begin(), text.end(), [](char c) { return c >= '0' && c <= '9'; });
  if (text.empty() || text.size() > 64 || number || !std::all_of(text.begin(), text.end(), allowed)) {
    name.refuse("a term's name has letters, digits, - and _, and is not a number");
  }
  if (!taken.insert(text).second) name.refuse("two terms have this name", "give each a name of its own");
  return text;
}

/// "term-3" for the third, unless another one has that name.
std::string default_name(std::size_t index, std::set<std::string>& taken) {
  std::string name = "term-" + std::to_string(index + 1);
  while (!taken.insert(name).second) name += "a";
  return name;
}

void read_equations(const Item& item, const Problem& problem, TermSpec& term) {
  const expr::Scope scope = equation_scope(problem, term);
  term.equation_texts = item.texts();
  for (const std::string& text : term.equation_texts) {
    for (const expr::Expr& residual : parse_equations_at(item, text, scope)) {
      if (expr::coordinate_only(residual)) item.refuse("the equation mentions no field and no trainable parameter");
      term.residuals.push_back(residual);
    }
  }
}

/// What holds inside, and data, is the objective; conditions on parts of less dimension, of integrals and inequalities
/// are constraints.
Role default_role(const Problem& problem, const TermSpec& term) {
  if (is_integral(term) || has_inequality(term)) return Role::Constraint;
  const bool fills = std::ranges::all_of(term.regions, [&](const sampling::RegionPointer& region) {
    return region->dimension() == problem.box.dimension();
  });
  return fills || term.data ? Role::Objective : Role::Constraint;
}

void read_role(Section& section, const Problem& problem, TermSpec& term) {
  if (const auto role = section.find("role"))
    term.role = role->named<Role>();
  else if (term.points_of.empty())
    term.role = default_role(problem, term);
  else
    section.require("role", "\"objective\" or \"constraint\", where a term shares points");
  if (term.aggregate == Aggregate::Pointwise && term.role == Role::Objective)
    section.find("aggregate")->refuse("an objective is a mean or a sum; only constraints are point-wise");
  section.read("distance", term.distance);
  const auto eta = section.find("eta"), weight = section.find("weight");
  if (eta && term.role == Role::Objective) eta->refuse("eta belongs to constraints", "an objective has a weight");
  if (weight && term.role == Role::Constraint)
    weight->refuse("weight belongs to objectives", "constraints are balanced by eta");
  if (eta) term.eta = eta->number(kPositive);
  if (weight) term.weight = weight->number(kPositive);
}

void check_multipliers_fit(const Section& section, const TermSpec& term) {
  const bool moving = term.points.redraw_every > 0 || term.batch > 0;
  if (term.aggregate == Aggregate::Pointwise && moving) {
    section.refuse("point-wise multipliers belong to points: they cannot be redrawn or batched");
  }
  if (term.data && (term.points.redraw_every > 0 || term.near))
    section.refuse("data belong to points: they cannot be redrawn or drawn by a density");
}

void read_region_and_points(Section& section, const Problem& problem, const std::vector<std::string>& names,
                            TermTables& tables, TermSpec& term) {
  const auto region = section.find("region");
  const auto points = section.find("points");
  if (points) read_points(*points, problem, names, term);
  if (const auto data = section.find("data")) read_data(*data, problem, term);
  sampling::GridChoice choice;
  section.read("closed", choice.closed);
  section.read("after_start", choice.after_start);
  if (!term.points_file.empty()) {
    if (region) region->refuse("the points come from a file; a region has no meaning here");
    read_files(points ? *points : *section.find("data"), problem, tables, term);
    return;
  }
  if (!region && !term.points_of.empty()) return;  // the region is that of the other term
  const Item given = region ? *region : section.require("region", "\"interior\", \"boundary\", \"x = 0\", …");
  term.region_text = given.is_text() ? given.text() : "several";
  term.regions = read_regions(given, problem, choice);
  if (!term.points_of.empty()) return;
  if (!points) {
    term.automatic_points = true;
    const auto inside = static_cast<double>(automatic_points_inside(problem.box.dimension()));
    term.points = {.kind = PointRule::Kind::Sobol, .count = points_for_piece(problem, term, inside)};
    return;
  }
  try {
    sampling::count_points(term.regions, term.points);
  } catch (const InputError& error) {
    points->refuse(error.parts().rule, error.parts().hint);
  }
}

bool same_data(const DataSpec& a, const DataSpec& b) {
  return a.file == b.file && a.columns == b.columns && a.noise == b.noise && a.noise_scale == b.noise_scale;
}

/// Refuses normal.x and dn() where a region has no normals.
void check_normals(const std::vector<Item>& items, const Problem& problem) {
  for (std::size_t i = 0; i < problem.terms.size(); ++i) {
    const TermSpec& term = problem.terms[i];
    if (std::none_of(term.residuals.begin(), term.residuals.end(), reads_normal)) continue;
    const Item equation = *items[i].renamed("term." + term.name).table().find("equation");
    const std::string hint = "use \"boundary\", a shape or a face, as in \"x = 0\"";
    if (term.regions.empty())
      equation.refuse("normal.x and dn() need a region: points of a file have no normals", hint);
    for (const sampling::RegionPointer& region : term.regions)
      if (!region->has_normals())
        equation.refuse("normal.x and dn() need a region with normals, and " + region->text() + " has none", hint);
  }
}

/// Refuses integrals without meaning, and those over points without weights.
void check_integrals(const std::vector<Item>& items, const Problem& problem) {
  for (std::size_t i = 0; i < problem.terms.size(); ++i) {
    const TermSpec& term = problem.terms[i];
    if (!is_integral(term)) continue;
    Section section = items[i].renamed("term." + term.name).table();
    const TermSpec* owner = &term;
    for (const TermSpec& other : problem.terms)
      if (other.name == term.points_of) owner = &other;
    const auto refused_at = [&](const char* key, const auto& check) {
      try {
        check();
      } catch (const InputError& error) {
        section.find(section.has(key) ? key : "equation")->refuse(error.parts().rule, error.parts().hint);
      }
    };
    refused_at("equation", [&] { check_integral_equations(problem, term); });
    refused_at("points", [&] { check_integral_points(problem, term, *owner); });
  }
}

void share_points(const std::vector<Item>& items, Problem& problem) {
  for (std::size_t i = 0; i < problem.terms.size(); ++i) {
    TermSpec& term = problem.terms[i];
    if (term.points_of.empty()) continue;
    const TermSpec& owner = *std::find_if(problem.terms.begin(), problem.terms.end(),
                                          [&](const TermSpec& other) { return other.name == term.points_of; });
    const Section section = items[i].renamed("term." + term.name).table();
    if (!owner.points_of.empty())
      section.refuse("'" + owner.name + "' shares points itself", "name the term that owns them");
    if (!term.regions.empty() && !sampling::same_regions(term.regions, owner.regions))
      section.refuse("the term shares the points of '" + owner.name + "', which has another region");
    term.regions = owner.regions;
    term.region_text = owner.region_text;
    if (term.points.redraw_every != 0) section.refuse("shared points are redrawn by the term that owns them");
    if (term.data && !(owner.data && same_data(*term.data, *owner.data)))
      section.refuse(
          "data belong to points, and these are the points of '" + owner.name + "', which has other data or none",
          "give '" + owner.name + "' the same data, or this term points of its own");
    TermSpec moving = term;
    moving.points.redraw_every = owner.points.redraw_every;
    if (owner.near && term.aggregate == Aggregate::Pointwise)
      section.refuse("'" + owner.name +
                     "' draws points by a density, and point-wise multipliers belong to points that stay");
    check_multipliers_fit(section, moving);
  }
}

/// free = ["x = 1"]: regions that have no condition on purpose.
void read_free(Section& root, Problem& problem) {
  const auto item = root.find("free");
  if (!item) return;
  for (const sampling::RegionPointer& region : read_regions(*item, problem, {})) problem.free.push_back(region->name());
}

}  // namespace

std::string resolved_path(const std::string& path, const std::string& problem_file) {
  const std::filesystem::path given(path);
  if (given.is_absolute()) return path;
  // A name of the catalogue such as gallery/beam is no file: paths then start in the current folder.
  std::error_code unknown;
  const bool in_a_file = std::filesystem::is_regular_file(problem_file, unknown);
  const std::filesystem::path folder =
      in_a_file ? std::filesystem::path(problem_file).parent_path() : std::filesystem::path();
  return std::filesystem::absolute(folder / given).lexically_normal().string();
}

void read_terms(Section& root, Problem& problem) {
  const std::vector<Item> items = root.list_of_tables("term");
  if (items.empty()) root.require("term", "a problem has at least one [[term]]: an objective or a constraint");
  std::set<std::string> taken;
  std::vector<std::string> names;
  TermTables tables(problem.tables);
  for (const Item& item : items) names.push_back(name_of_term(item, taken));
  for (std::size_t i = 0; i < names.size(); ++i)
    if (names[i].empty()) names[i] = default_name(i, taken);
  for (std::size_t i = 0; i < items.size(); ++i) {
    Item item = items[i].renamed("term." + names[i]);
    Section section = item.table();
    TermSpec term;
    term.name = names[i];
    section.find("name");
    section.read("aggregate", term.aggregate);  // what points are refused by
    read_region_and_points(section, problem, names, tables, term);
    if (const auto batch = section.find("batch")) term.batch = static_cast<std::size_t>(batch->integer({.low = 1}));
    const Item equation = section.require("equation", "as in \"u_t = u_xx\"");
    read_equations(equation, problem, term);
    read_role(section, problem, term);
    check_multipliers_fit(section, term);
    if (term.role == Role::Objective && has_inequality(term))
      equation.refuse("an objective is made small, and an inequality is kept or broken", "make the term a constraint");
    if (term.near) parse_density(section, problem, term);
    section.finish();
    problem.terms.push_back(std::move(term));
  }
  share_points(items, problem);
  check_normals(items, problem);
  read_free(root, problem);
  check_integrals(items, problem);
}

}  // namespace pecann::problem
