#include "pecann/problem/read_points.h"

#include <algorithm>
#include <cstdio>

#include "pecann/base/toml_number.h"
#include "pecann/problem/scope.h"
#include "pecann/problem/sections.h"

namespace pecann::problem {
namespace {

constexpr double kMostPoints = 1e8;
using sampling::PointRule;

void read_redraw(Section& points, bool near, PointRule& rule) {
  const auto redraw = points.find("redraw");
  if (!redraw) return;
  if (rule.is_product() && !near) redraw->refuse("a grid has nothing to redraw");
  rule.redraw_every = redraw->is_flag() ? (redraw->flag() ? 1 : 0) : redraw->integer({.low = 1});
}

std::size_t read_count(const Item& item, const Problem& problem) {
  const double wanted = item.number({.low = 1});
  if (wanted > kMostPoints) {
    char text[120];
    std::snprintf(text, sizeof text, "so many points need %.3g GB (%.3g bytes) for their coordinates; at most %.0e",
                  wanted * 8e-9 * problem.box.dimension(), wanted * 8 * problem.box.dimension(), kMostPoints);
    item.refuse(text);
  }
  return static_cast<std::size_t>(item.integer({.low = 1}));
}

/// Reads `near = 8000, density = "…", pool = 100000`: points where the density is large. The density is parsed
/// with the equations.
void read_near(const Item& item, Section& points, const Problem& problem, TermSpec& term) {
  const auto near = points.find("near"), density = points.find("density"), pool = points.find("pool");
  if (!near) {
    if (density) density->refuse("a density says where the points of near = … lie", "add near = 1000");
    if (pool) pool->refuse("a pool is for the points of near = …", "add near = 1000");
    return;
  }
  if (!density) item.refuse("near needs a density", "as in density = \"abs(u_x)\" or density = \"residual\"");
  if (!term.points_of.empty() || !term.points_file.empty()) near->refuse("goes with grid, sobol, uniform or latin");
  if (term.aggregate == Aggregate::Pointwise) near->refuse("point-wise multipliers belong to points that stay");
  NearSpec spec{.count = read_count(*near, problem), .density_text = density->text()};
  spec.pool = pool ? read_count(*pool, problem) : std::min<std::size_t>(16 * spec.count, 1'000'000);
  term.near = std::move(spec);
}

/// A table of the program by its name, or the path of a file.
std::string table_name(const Item& file, const Problem& problem) {
  const std::string name = file.text();
  return problem.tables.contains(name) ? name : resolved_path(name, problem.source);
}

/// Refuses points that lie outside the domain by more than a millionth of the coordinates' ranges: those of meshes lie
/// on straight sides that stand for curved ones, to the digits that were written.
void refuse_outside(const Item& item, const Problem& problem, const sampling::PointSet& points) {
  const sampling::Box& box = problem.box;
  std::vector<char> inside = problem.domain->mask(points);
  for (int c = 0; c < box.dimension() && !inside.empty(); ++c)
    for (const double way : {-1e-6, 1e-6}) {
      sampling::PointSet moved = points;
      for (double& value : moved.coordinates[c]) value += way * (box.upper[c] - box.lower[c]);
      const std::vector<char> there = problem.domain->mask(moved);
      for (std::size_t i = 0; i < inside.size(); ++i) inside[i] |= there[i];
    }
  const auto outside = std::find(inside.begin(), inside.end(), 0);
  if (outside == inside.end()) return;
  const auto row = static_cast<std::size_t>(outside - inside.begin());
  std::string place;
  for (int c = 0; c < box.dimension(); ++c)
    place += (c == 0 ? "" : ", ") + box.names[c] + " = " + toml_number(points.coordinates[c][row]);
  item.refuse("the point of row " + std::to_string(row + 1) + " (" + place + ") lies outside the domain \"" +
              problem.domain->text() + "\"");
}

}  // namespace

void read_points(const Item& item, const Problem& problem, const std::vector<std::string>& term_names, TermSpec& term) {
  Section points = item.table();
  static const std::vector<std::string> kRules = {"grid", "gauss", "sobol", "uniform", "latin", "file", "same_as"};
  int given = 0;
  for (const std::string& rule : kRules) given += points.has(rule);
  if (given > 1) {
    item.refuse("give one of grid, gauss, sobol, uniform, latin, file, same_as",
                "to change the rule, set the whole of " + item.path());
  }
  for (const auto& [key, kind] : {std::pair{"grid", PointRule::Kind::Grid}, {"gauss", PointRule::Kind::Gauss}}) {
    const auto grid = points.find(key);
    if (!grid) continue;
    term.points.kind = kind;
    term.points.grid = grid->integers({.low = 1, .high = kind == PointRule::Kind::Gauss ? 500 : 1e9});
    if (static_cast<int>(term.points.grid.size()) != problem.box.dimension()) {
      grid->refuse("the grid has " + std::to_string(term.points.grid.size()) + " entries, the problem has " +
                       std::to_string(problem.box.dimension()) + " coordinates",
                   "write one number of nodes for each coordinate");
    }
  }
  const std::pair<const char*, PointRule::Kind> random[] = {{"sobol", PointRule::Kind::Sobol},
                                                            {"uniform", PointRule::Kind::Uniform},
                                                            {"latin", PointRule::Kind::LatinHypercube}};
  for (const auto& [key, kind] : random) {
    if (const auto count = points.find(key)) {
      term.points.kind = kind;
      term.points.count = read_count(*count, problem);
    }
  }
  if (const auto file = points.find("file")) term.points_file = table_name(*file, problem);
  if (const auto other = points.find("same_as")) {
    term.points_of = other->word(term_names);
    if (term.points_of == term.name) other->refuse("a term cannot share its own points");
  }
  if (given == 0) {
    for (const char* key : {"redraw", "near", "density", "pool", "graded"}) points.find(key);
    points.finish();  // a misspelt rule is the likelier mistake
    item.refuse("give one of grid, gauss, sobol, uniform, latin, file, same_as");
  }
  if (const auto graded = points.find("graded")) {
    if (term.points.is_product()) graded->refuse("goes with sobol, uniform or latin");
    term.points.graded = graded->number({.low = 0, .high = 1, .open_low = true, .open_high = true});
  }
  read_near(item, points, problem, term);
  read_redraw(points, term.near.has_value(), term.points);
  points.finish();
}

void parse_density(Section& section, const Problem& problem, TermSpec& term) {
  const Item item = *section.find("points")->table().find("density");
  term.near->density = parse_at(item, term.near->density_text, density_scope(problem));
}

void read_data(const Item& item, const Problem& problem, TermSpec& term) {
  Section section = item.table();
  DataSpec data;
  const auto file = section.find("file"), exact = section.find("exact");
  if (file.has_value() == exact.has_value()) item.refuse("give either file = \"…\" or exact = [\"…\"]");
  if (file) {
    data.file = table_name(*file, problem);
    for (const auto& [name, column] : section.entries()) {
      if (name == "file") continue;
      data.columns[name] = column.is_text() ? column.text() : std::to_string(column.integer({.low = 1}));
    }
    if (data.columns.empty()) item.refuse("name the columns, as in { file = \"obs.csv\", u = \"temperature\" }");
    if (term.points_file.empty()) term.points_file = data.file;
  } else {
    std::vector<std::string> known;
    for (const auto& [name, expression] : problem.exact) known.push_back(name);
    for (const std::string& name : exact->texts()) {
      if (!problem.exact.contains(name))
        exact->refuse("[exact] has no '" + shortened(name) + "'", hint_for(name, known));
      data.columns[name] = name;
    }
    section.read("noise", data.noise, kNotNegative);
    section.read("noise_scale", data.noise_scale);
    section.finish();
  }
  term.data = std::move(data);
}

void read_files(const Item& item, const Problem& problem, TermTables& tables, TermSpec& term) {
  try {
    term.points_table = tables.of(term.points_file);
    const sampling::PointSet points = sampling::points_of(*term.points_table, problem.box);
    refuse_outside(item, problem, points);
    const std::size_t count = points.count;
    if (!term.data || term.data->file.empty()) return;
    term.data->table = tables.of(term.data->file);
    for (const auto& [name, column] : term.data->columns) term.data->table->column(column);
    if (term.data->table->rows() != count)
      item.refuse("the data file has another number of rows than the file of points");
  } catch (const InputError& error) {
    if (error.parts().key == item.path()) throw;
    item.refuse(error.what());
  }
}

}  // namespace pecann::problem
