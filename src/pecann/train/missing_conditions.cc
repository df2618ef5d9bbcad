#include "pecann/train/missing_conditions.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <set>
#include <unordered_set>

#include "pecann/base/input_error.h"
#include "pecann/expr/linear_form.h"
#include "pecann/expr/program.h"
#include "pecann/problem/scope.h"
#include "pecann/sampling/unit_points.h"
#include "pecann/train/balance.h"

namespace pecann::train {
namespace {

constexpr std::size_t kFacePoints = 64;
constexpr double kBare = 0.1;        // of a part of the boundary: less is an edge that regions leave out
constexpr double kVanishes = 1e-12;  // a coefficient on a face, relative to its size in the domain

/// Calls `visit` for every field node of an expression once.
template <class Visit>
void for_each_field(const expr::Expr& expression, const Visit& visit) {
  std::unordered_set<const expr::Node*> seen;  // nodes are shared: without it the walk could be exponential
  std::vector<expr::Expr> open = {expression};
  while (!open.empty()) {
    const expr::Expr next = open.back();
    open.pop_back();
    if (!seen.insert(&next.node()).second) continue;
    if (next->kind == expr::Kind::Field) visit(next.node());
    open.insert(open.end(), next->arguments.begin(), next->arguments.end());
  }
}

bool mentions(const expr::Expr& expression, const std::string& field) {
  bool found = false;
  for_each_field(expression, [&](const expr::Node& node) { found = found || node.name == field; });
  return found;
}

/// The highest derivative of a field in a coordinate, and the term that has it.
struct Highest {
  int order = 0;
  std::string term;
};

/// Of the terms with such a derivative the highest counts. Where there are more equations than fields, some follow from
/// others (the derivative of an equation, taken along to train better), and the lowest does.
Highest highest_derivative(const problem::Problem& problem, const std::string& field, const std::string& coordinate) {
  Highest highest, lowest;
  std::size_t equations = 0;
  for (const problem::TermSpec& term : problem.terms) {
    if (kind_of(problem, term) != TermKind::Equation) continue;
    equations += term.residuals.size();
    Highest own{0, term.name};
    for (const expr::Expr& residual : term.residuals)
      for_each_field(residual, [&](const expr::Node& node) {
        const auto found = node.derivative.find(coordinate);
        if (node.name != field || !node.site.empty() || found == node.derivative.end()) return;
        own.order = std::max(own.order, found->second);
      });
    if (own.order == 0) continue;
    if (own.order > highest.order) highest = own;
    if (lowest.order == 0 || own.order < lowest.order) lowest = own;
  }
  return equations > problem::field_names(problem).size() ? lowest : highest;
}

const problem::TermSpec& points_owner(const problem::Problem& problem, const problem::TermSpec& term) {
  for (const problem::TermSpec& other : problem.terms)
    if (other.name == term.points_of) return other;
  return term;
}

bool lies_on(const sampling::FlatPart& part, int coordinate, double value) {
  return part[coordinate] && *part[coordinate] == value;
}

/// True where the points of a term lie on the face: a flat part of its region, or points of its file.
bool is_on_face(const problem::Problem& problem, const problem::TermSpec& term, int coordinate, double value) {
  const problem::TermSpec& owner = points_owner(problem, term);
  const sampling::Box& box = problem.box;
  for (const sampling::RegionPointer& region : owner.regions) {
    for (const sampling::FlatPart& part : region->flat_parts())
      if (lies_on(part, coordinate, value)) return true;
    if (!region->flat_parts().empty()) continue;
    if (coordinate == box.time && region->times() == sampling::Times::Start && value == box.lower[coordinate])
      return true;
    if (coordinate == box.time && region->times() == sampling::Times::Later && value == box.upper[coordinate])
      return true;
  }
  if (!owner.points_table) return false;
  const sampling::PointSet points = sampling::points_of(*owner.points_table, box);
  const double close = 1e-6 * (box.upper[coordinate] - box.lower[coordinate]);
  return std::any_of(points.coordinates[coordinate].begin(),
                     points.coordinates[coordinate].begin() + static_cast<std::ptrdiff_t>(points.count),
                     [&](double at) { return std::abs(at - value) <= close; });
}

/// True when values of the field are measured, or given by a file of points, away from the faces of a coordinate.
bool is_measured_inside(const problem::Problem& problem, const std::string& field) {
  return std::ranges::any_of(problem.terms, [&](const problem::TermSpec& term) {
    if (std::ranges::none_of(term.residuals, [&](const expr::Expr& r) { return mentions(r, field); })) return false;
    const problem::TermSpec& owner = points_owner(problem, term);
    const bool measured = kind_of(problem, term) == TermKind::Data;
    if (owner.regions.empty()) return measured || kind_of(problem, term) == TermKind::Condition;
    return measured && std::ranges::any_of(owner.regions, [&](const sampling::RegionPointer& region) {
             return region->dimension() == problem.box.dimension();
           });
  });
}

/// True where the coefficient of a field's highest derivative in a coordinate vanishes all over the face.
bool degenerates(const problem::Problem& problem, const std::string& field, int coordinate, int order, double value) {
  const sampling::Box& box = problem.box;
  RandomStream stream(1, "missing conditions");
  const std::vector<std::vector<double>> unit =
      sampling::unit_points(sampling::PointRule::Kind::LatinHypercube, box.dimension(), kFacePoints, stream);
  const auto largest = [&](const expr::Expr& coefficient, bool on_face) {
    std::vector<AlignedVector<double>> columns;
    std::map<std::string, const double*> names;
    for (int c = 0; c < box.dimension(); ++c) {
      std::vector<double> places = unit[c];
      for (double& at : places)
        at = on_face && c == coordinate ? value : box.lower[c] + at * (box.upper[c] - box.lower[c]);
      columns.push_back(sampling::padded_column(places));
    }
    for (int c = 0; c < box.dimension(); ++c) names[box.names[c]] = columns[c].data();
    AlignedVector<double> values(columns[0].size());
    double* const results[] = {values.data()};
    expr::evaluate_columns(std::span(&coefficient, 1), names, kFacePoints, results);
    double size = 0;
    for (std::size_t i = 0; i < kFacePoints; ++i)
      size = std::max(size, std::isfinite(values[i]) ? std::abs(values[i]) : 1e300);
    return size;
  };
  bool found = false;
  for (const problem::TermSpec& term : problem.terms) {
    if (kind_of(problem, term) != TermKind::Equation) continue;
    for (const expr::Expr& residual : term.residuals) {
      const expr::Expr sum = expr::expanded_linear_sums(residual);
      const std::vector<expr::Expr> parts = sum->kind == expr::Kind::Add ? sum->arguments : std::vector{sum};
      for (const expr::Expr& part : parts) {
        bool highest = false;
        for_each_field(part, [&](const expr::Node& node) {
          const auto at = node.derivative.find(box.names[coordinate]);
          highest = highest || (node.name == field && at != node.derivative.end() && at->second == order);
        });
        if (!highest) continue;
        const std::optional<expr::LinearTerm> linear = expr::as_linear_term(part);
        if (!linear || linear->coefficient->reads_data) return false;
        if (largest(linear->coefficient, true) > kVanishes * largest(linear->coefficient, false)) return false;
        found = true;
      }
    }
  }
  return found;
}

std::string face_name(const problem::Problem& problem, int coordinate, bool upper) {
  const sampling::Box& box = problem.box;
  if (coordinate == box.time) return upper ? "final" : "initial";
  return problem.domain->plane(coordinate, upper ? box.upper[coordinate] : box.lower[coordinate], {})->name();
}

bool is_free(const problem::Problem& problem, const std::string& name, bool in_space) {
  return std::ranges::any_of(problem.free,
                             [&](const std::string& free) { return free == name || (in_space && free == "boundary"); });
}

/// The missing conditions of a field in one coordinate of a box, or in time.
std::optional<MissingCondition> missing_in(const problem::Problem& problem, const std::string& field, int coordinate) {
  const sampling::Box& box = problem.box;
  const Highest highest = highest_derivative(problem, field, box.names[coordinate]);
  const bool in_space = coordinate != box.time;
  if (highest.order == 0) return std::nullopt;
  MissingCondition missing{field, box.names[coordinate], highest.order, highest.order, 0, highest.term, {}};
  const double ends[] = {box.lower[coordinate], box.upper[coordinate]};
  for (const bool upper : {false, true}) {
    const double value = ends[upper ? 1 : 0];
    const std::string name = face_name(problem, coordinate, upper);
    int here = 0;
    for (const problem::TermSpec& term : problem.terms) {
      if (kind_of(problem, term) == TermKind::Equation || !is_on_face(problem, term, coordinate, value)) continue;
      for (const expr::Expr& residual : term.residuals)
        here += highest.order == 1 && in_space ? 1 : mentions(residual, field) ? 1 : 0;
    }
    missing.found += here;
    if (is_free(problem, name, in_space) || (in_space && degenerates(problem, field, coordinate, highest.order, value)))
      missing.needed -= in_space ? (highest.order + 1) / 2 : highest.order;  // its share of the conditions
    else if (here == 0 && (in_space || !upper))
      missing.faces.push_back(name);
  }
  if (missing.found >= missing.needed) return std::nullopt;
  if (missing.faces.empty() && !in_space) missing.faces = {face_name(problem, coordinate, false)};
  return missing;
}

/// The planes among the regions that are free.
sampling::Regions free_planes(const problem::Problem& problem) {
  sampling::Regions planes;
  for (int c = 0; c < problem.box.dimension(); ++c)
    for (const double value : {problem.box.lower[c], problem.box.upper[c]}) {
      if (problem.free.empty()) continue;
      try {
        const sampling::RegionPointer plane = problem.domain->plane(c, value, {});
        if (std::ranges::find(problem.free, plane->name()) != problem.free.end()) planes.push_back(plane);
      } catch (const InputError&) {  // nothing of the domain lies there
      }
    }
  return planes;
}

/// The share of the part of the boundary on a shape that none of the regions contains; 0 for shapes within the domain.
double bare_share(const problem::Problem& problem, const std::string& shape, const sampling::Regions& held) {
  try {
    const sampling::RegionPointer part = problem.domain->on_shape(shape, {});
    if (part == nullptr) return 0;
    RandomStream stream(1, "missing conditions");
    const sampling::PointSet points =
        part->sample({.kind = sampling::PointRule::Kind::Uniform, .count = 4 * kFacePoints}, stream);
    if (points.count == 0) return 0;
    std::vector<char> bare = problem.domain->boundary({})->contains(points);
    for (const sampling::RegionPointer& region : held) {
      const std::vector<char> inside = region->contains(points);
      for (std::size_t i = 0; i < bare.size(); ++i) bare[i] = bare[i] != 0 && inside[i] == 0 ? 1 : 0;
    }
    return static_cast<double>(std::ranges::count(bare, 1)) / static_cast<double>(points.count);
  } catch (const InputError&) {  // nothing of the domain lies on this shape
    return 0;
  }
}

/// Of a domain with shapes: the parts of its boundary on which a field with second derivatives has no condition.
std::optional<MissingCondition> missing_on_shapes(const problem::Problem& problem, const std::string& field) {
  MissingCondition missing{field, "", 0, 0, 0, "", {}};
  for (int c = 0; c < problem.box.dimension(); ++c) {
    if (c == problem.box.time) continue;
    const Highest highest = highest_derivative(problem, field, problem.box.names[c]);
    if (highest.order > missing.order)
      missing.order = highest.order, missing.term = highest.term, missing.coordinate = problem.box.names[c];
  }
  if (missing.order < 2) return std::nullopt;
  sampling::Regions held = free_planes(problem);
  for (const problem::TermSpec& term : problem.terms) {
    if (kind_of(problem, term) == TermKind::Equation) continue;
    if (std::ranges::none_of(term.residuals, [&](const expr::Expr& r) { return mentions(r, field); })) continue;
    held.insert(held.end(), term.regions.begin(), term.regions.end());
  }
  for (const std::string& shape : problem.domain->shape_names())
    if (!is_free(problem, shape, true) && bare_share(problem, shape, held) > kBare) missing.faces.push_back(shape);
  return missing.faces.empty() ? std::nullopt : std::optional(missing);
}

}  // namespace

std::string MissingCondition::text() const {
  static const char* const kOrders[] = {"", "first", "second", "third", "fourth"};
  std::string list, quoted;
  for (const std::string& face : faces) {
    list += (list.empty() ? "" : " and ") + fmt::format("\"{}\"", face);
    quoted += (quoted.empty() ? "" : ", ") + fmt::format("\"{}\"", face);
  }
  const std::string one = faces.size() == 1 ? list : "[" + quoted + "]";
  const std::string begin = fmt::format("Term '{}' has the {} derivative of {} in {}, and there ", term,
                                        kOrders[std::min(order, 4)], field, coordinate);
  const std::string many = ": many fields satisfy all equations, and training ends at one of them. ";
  if (faces.empty())
    return begin + fmt::format("are only {} of {} conditions in {}", found, needed, coordinate) + many +
           "Add the others.";
  const std::string purpose = fmt::format(", or, where that is on purpose, write free = [{}] at the top.", quoted);
  if (faces[0] == "initial" && found > 0)
    return begin + fmt::format("are only {} of {} conditions at the first time", found, needed) + many +
           fmt::format("Add \"{}_{} = 0\" or the like with region = \"initial\"", field, coordinate) + purpose;
  return begin + fmt::format("is no condition of {} on {}", field, list) + many +
         fmt::format("Add a term with region = {}", one) + purpose;
}

std::vector<MissingCondition> missing_conditions(const problem::Problem& problem) {
  std::vector<MissingCondition> all;
  const bool shapes = !problem.domain->text().empty();
  for (const std::string& field : problem::field_names(problem)) {
    if (is_measured_inside(problem, field)) continue;
    for (int c = 0; c < problem.box.dimension(); ++c) {
      if (shapes && c != problem.box.time) continue;
      if (std::optional<MissingCondition> missing = missing_in(problem, field, c)) all.push_back(std::move(*missing));
    }
    if (shapes)
      if (std::optional<MissingCondition> missing = missing_on_shapes(problem, field))
        all.push_back(std::move(*missing));
  }
  return all;
}

}  // namespace pecann::train
