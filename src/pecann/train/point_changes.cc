#include "pecann/train/point_changes.h"

#include <algorithm>
#include <cmath>

#include "pecann/base/input_error.h"
#include "pecann/base/toml_number.h"
#include "pecann/expr/integral.h"

namespace pecann::train {
namespace {

[[noreturn]] void refuse_change(const std::string& term, std::string rule, std::string hint = "") {
  throw InputError({.key = "term." + term + ".points", .rule = std::move(rule), .hint = std::move(hint)});
}

}  // namespace

std::size_t PointChanges::index_of(const std::string& term) const {
  std::vector<std::string> names;
  for (const problem::TermSpec& spec : problem_.terms) names.push_back(spec.name);
  const auto found = std::ranges::find(names, term);
  if (found == names.end())
    throw InputError({.key = "term", .value = term, .rule = "no such term", .hint = hint_for(term, names)});
  return static_cast<std::size_t>(found - names.begin());
}

std::size_t PointChanges::set_of(const std::string& term) const {
  return assembly_.evaluator().terms()[index_of(term)].point_set;
}

const sampling::PointSet& PointChanges::points(const std::string& term) const {
  return assembly_.points_of(set_of(term));
}

void PointChanges::require_movable(const std::string& term) const {
  const std::size_t set = set_of(term);
  if (assembly_.owner_of(set).data) refuse_change(term, "data belong to points: they stay where they are");
  for (const evaluate::Term& other : assembly_.evaluator().terms())
    if (other.point_set == set && other.aggregate == problem::Aggregate::Pointwise)
      refuse_change(term, "point-wise multipliers belong to points, which stay where they are");
}

sampling::PointSet PointChanges::located(const std::string& term,
                                         const std::vector<std::vector<double>>& coordinates) const {
  const sampling::Box& box = assembly_.box();
  if (static_cast<int>(coordinates.size()) != box.dimension())
    refuse_change(term, "points have " + std::to_string(box.dimension()) + " coordinates, not " +
                            std::to_string(coordinates.size()));
  sampling::PointSet points;
  points.count = coordinates[0].size();
  if (points.count == 0) refuse_change(term, "a term has at least one point");
  sampling::require_reasonable(static_cast<double>(points.count), box.dimension());
  for (const std::vector<double>& column : coordinates) {
    if (column.size() != points.count) refuse_change(term, "the coordinates have different numbers of points");
    points.coordinates.push_back(sampling::padded_column(column));
  }
  const std::size_t set = set_of(term);
  std::vector<char> inside = assembly_.contained(set, points);
  for (std::size_t i = 0; i < points.count; ++i)
    for (int c = 0; c < box.dimension(); ++c)  // a NaN is in no range
      if (!(coordinates[c][i] >= box.lower[c] && coordinates[c][i] <= box.upper[c])) inside[i] = 0;
  const auto first = std::ranges::find(inside, 0);
  if (first == inside.end()) return points;
  const auto row = static_cast<std::size_t>(first - inside.begin());
  std::string place;
  for (int c = 0; c < box.dimension(); ++c)
    place += (c == 0 ? "" : ", ") + box.names[c] + " = " + toml_number(coordinates[c][row]);
  std::string regions;
  for (const sampling::RegionPointer& region : assembly_.owner_of(set).regions)
    regions += (regions.empty() ? "" : ", ") + region->name();
  refuse_change(term,
                "point " + std::to_string(row + 1) + " (" + place + ") is no point of its region" +
                    (regions.empty() ? "" : " (" + regions + ")"),
                problem_.windows.count > 1 ? "in this time window t runs from " + toml_number(box.lower[box.time]) +
                                                 " to " + toml_number(box.upper[box.time])
                                           : "");
}

std::vector<double> PointChanges::residual(const std::string& term,
                                           const std::vector<std::vector<double>>& coordinates) const {
  const std::size_t index = index_of(term);
  const evaluate::Term& evaluated = assembly_.evaluator().terms()[index];
  if (expr::has_integrals(evaluated.residuals)) refuse_change(term, "an integral has no residual at a point");
  if (assembly_.owner_of(evaluated.point_set).data)
    refuse_change(term, "data are known at their own points only, and so is the residual");
  const sampling::PointSet points = located(term, coordinates);
  return assembly_.residual_at(index, assembly_.with_columns(evaluated.point_set, points), parameters_);
}

void PointChanges::set(const std::string& term, const std::vector<std::vector<double>>& coordinates) {
  require_movable(term);
  const std::size_t set = set_of(term);
  for (const evaluate::Term& other : assembly_.evaluator().terms())
    if (other.point_set == set && expr::has_integrals(other.residuals))
      refuse_change(term, "integrals need points with quadrature weights",
                    "have them drawn anew, or leave them where they are");
  if (assembly_.owner_of(set).near)
    refuse_change(term, "its points lie near a density, which says where they are", "leave out near and density");
  assembly_.give(set, located(term, coordinates));
  any_ = true;
}

void PointChanges::redraw(const std::string& term) {
  require_movable(term);
  const problem::TermSpec& owner = assembly_.owner_of(set_of(term));
  if (!owner.points_file.empty()) refuse_change(term, "points of a file or table are not drawn");
  if (owner.points.is_product() && !owner.near)
    refuse_change(term, "a grid has the same nodes whenever it is drawn", "use sobol, uniform or latin points");
  assembly_.draw_anew(set_of(term), parameters_);
  any_ = true;
}

}  // namespace pecann::train
