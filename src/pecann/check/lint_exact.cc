#include "pecann/check/lint_exact.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <numeric>
#include <optional>
#include <set>

#include "pecann/check/lint_values.h"
#include "pecann/expr/integral.h"
#include "pecann/problem/scope.h"
#include "pecann/sampling/unit_points.h"

namespace pecann::check {
namespace {

constexpr double kRounding = 1e-6;  // of the parts' size: what counts as zero
constexpr double kWrong = 1e-3;     // a solution off by more does not solve this equation
constexpr std::size_t kMaxPoints = 20000;
constexpr double kMove = 1e-6;  // of the coordinates' ranges: how far off a kink is looked

/// Trainable numbers replaced by their exact values; nothing where one is not known.
std::optional<expr::Expr> with_exact_parameters(const expr::Expr& a, const problem::Problem& problem) {
  if (a->kind == expr::Kind::Parameter) {
    const auto spec = std::find_if(problem.parameters.begin(), problem.parameters.end(),
                                   [&](const problem::ParameterSpec& parameter) { return parameter.name == a->name; });
    if (spec == problem.parameters.end() || !spec->exact) return std::nullopt;
    return expr::Expr(*spec->exact);
  }
  if (a->arguments.empty() || a->coordinate_only) return a;
  std::vector<expr::Expr> arguments;
  for (const expr::Expr& argument : a->arguments) {
    std::optional<expr::Expr> replaced = with_exact_parameters(argument, problem);
    if (!replaced) return std::nullopt;
    arguments.push_back(std::move(*replaced));
  }
  return expr::with_arguments(a, std::move(arguments));
}

/// True where data are read besides the normal, which the points of a region have.
bool reads_other_data(const expr::Expr& a) {
  if (!a->reads_data) return false;
  if (a->kind == expr::Kind::Data) return !problem::reads_normal(a);
  if (a->kind == expr::Kind::Field) return true;  // at a site of data
  return std::any_of(a->arguments.begin(), a->arguments.end(), reads_other_data);
}

bool reads_table(const expr::Expr& a) {
  return a->kind == expr::Kind::Table || std::any_of(a->arguments.begin(), a->arguments.end(), reads_table);
}

/// The residual with its trainable numbers filled in; nothing where its exact value is not known, and where the exact
/// solution is a table, which meets equations no better than it was interpolated.
std::optional<expr::Expr> known_residual(const expr::Expr& residual, const problem::Problem& problem) {
  std::set<std::string> fields;
  problem::collect_fields(residual, fields);
  for (const std::string& field : fields)
    if (!problem.exact.contains(field) || reads_table(problem.exact.at(field))) return std::nullopt;
  std::optional<expr::Expr> known = with_exact_parameters(residual, problem);
  if (known && reads_other_data(*known)) return std::nullopt;
  return known;
}

using Exact = std::map<std::string, expr::Expr>;

/// The size of what cancels: sums and products of absolute values. Fields are filled in below the sums, for a sum of
/// exact solutions is simplified and may come out as the small rest alone.
expr::Expr magnitude(const expr::Expr& a, const Exact& exact) {
  const auto filled = [&](const expr::Expr& b) { return expr::substitute_fields(b, exact); };
  std::vector<expr::Expr> arguments;
  switch (a->kind) {
    case expr::Kind::Add:
    case expr::Kind::Multiply:
      for (const expr::Expr& argument : a->arguments) arguments.push_back(magnitude(argument, exact));
      return a->kind == expr::Kind::Add ? expr::sum(std::move(arguments)) : expr::product(std::move(arguments));
    case expr::Kind::Divide:
      return magnitude(a->arguments[0], exact) / expr::abs(filled(a->arguments[1]));
    case expr::Kind::If:
      return expr::if_else(filled(a->arguments[0]), magnitude(a->arguments[1], exact),
                           magnitude(a->arguments[2], exact));
    default:
      return expr::abs(filled(a));
  }
}

double largest_of(const std::vector<double>& values) {
  double largest = 0;
  for (const double value : values)
    if (std::isfinite(value)) largest = std::max(largest, value);
  return largest;
}

/// Points all over the domain, in a few of which its size shows.
sampling::PointSet over_the_domain(const sampling::Domain& domain) {
  const sampling::Box& box = domain.box();
  RandomStream stream(1, "lint.exact");
  std::vector<std::vector<double>> points =
      sampling::unit_points(sampling::PointRule::Kind::LatinHypercube, box.dimension(), 256, stream);
  for (int c = 0; c < box.dimension(); ++c)
    for (double& value : points[c]) value = box.lower[c] + value * (box.upper[c] - box.lower[c]);
  const sampling::PointSet all = points_from(points);
  const std::vector<char> inside = domain.mask(all);
  std::vector<std::size_t> chosen;
  for (std::size_t i = 0; i < inside.size(); ++i)
    if (inside[i] != 0) chosen.push_back(i);
  return inside.empty() || chosen.empty() ? all : sampling::subset(all, chosen);
}

sampling::PointSet at_most(const sampling::PointSet& points, std::size_t limit) {
  if (points.count <= limit) return points;
  std::vector<std::size_t> chosen(limit);
  for (std::size_t i = 0; i < limit; ++i) chosen[i] = i * points.count / limit;
  return sampling::subset(points, chosen);
}

/// Values of a coordinate that points of these parts cannot leave: the ends of its range, and planes.
bool is_fixed(double value, int coordinate, const std::vector<sampling::FlatPart>& parts, const sampling::Box& box) {
  if (value == box.lower[coordinate] || value == box.upper[coordinate]) return true;
  return std::any_of(parts.begin(), parts.end(),
                     [&](const sampling::FlatPart& part) { return part[coordinate] == value; });
}

/// The smallest residual beside each point, within the term's region.
std::vector<double> residual_beside(const expr::Expr& residual, const problem::TermSpec& term, const sampling::Box& box,
                                    const sampling::PointSet& points) {
  std::vector<double> smallest(points.count, std::numeric_limits<double>::infinity());
  std::vector<sampling::FlatPart> parts;
  for (const sampling::RegionPointer& region : term.regions)
    for (sampling::FlatPart& part : region->flat_parts()) parts.push_back(std::move(part));
  for (int c = 0; c < box.dimension(); ++c) {
    for (const double sign : {-1.0, 1.0}) {
      sampling::PointSet moved = points;
      for (std::size_t i = 0; i < moved.padded(); ++i) {
        double& value = moved.coordinates[c][i];
        if (!is_fixed(value, c, parts, box)) value += sign * kMove * (box.upper[c] - box.lower[c]);
      }
      const std::vector<double> values = values_on(residual, box, moved);
      for (std::size_t i = 0; i < points.count; ++i)
        if (std::isfinite(values[i])) smallest[i] = std::min(smallest[i], std::abs(values[i]));
    }
  }
  return smallest;
}

void lint_equation(const problem::Problem& problem, const problem::TermSpec& term, std::size_t equation,
                   const sampling::PointSet& all, Findings& findings) {
  const std::optional<expr::Expr> known = known_residual(term.residuals[equation], problem);
  if (!known) return;
  const expr::Expr residual = expr::substitute_fields(*known, problem.exact);
  const sampling::PointSet points = at_most(all, kMaxPoints);
  const expr::Expr parts = magnitude(*known, problem.exact);
  double size = largest_of(values_on(parts, problem.box, points));
  if (!parts->reads_data)  // normals are known at the term's own points only
    size = std::max(size, largest_of(values_on(parts, problem.box, over_the_domain(*problem.domain))));
  const std::vector<double> values = values_on(residual, problem.box, points);
  const auto is_zero = [&](double value) { return std::abs(value) <= kRounding * size; };
  std::vector<std::size_t> suspects;
  for (std::size_t i = 0; i < values.size(); ++i)
    if (!is_zero(values[i])) suspects.push_back(i);  // values that are not finite too
  if (suspects.empty()) return;

  const std::vector<double> beside = residual_beside(residual, term, problem.box, sampling::subset(points, suspects));
  std::size_t wrong = 0, kinks = 0, worst = suspects[0];
  double largest = -1;
  for (std::size_t k = 0; k < suspects.size(); ++k) {
    if (is_zero(beside[k])) {
      ++kinks;
      continue;
    }
    ++wrong;
    const double value = std::abs(values[suspects[k]]);
    if (std::isnan(value) || value > largest) {
      largest = std::isnan(value) ? std::numeric_limits<double>::infinity() : value;
      worst = suspects[k];
    }
  }
  const std::string what = term.residuals.size() == 1
                               ? fmt::format("term '{}'", term.name)
                               : fmt::format("equation {} of term '{}'", equation + 1, term.name);
  if (wrong > 0) {
    findings.push_back(
        {largest > kWrong * size ? Finding::Level::Warning : Finding::Level::Note,
         fmt::format("The exact solution does not satisfy {} at {} of {} points ({:.3g} %): "
                     "the residual is {:.3g} at {}, where the parts of the "
                     "equation have the size {:.3g}.",
                     what, wrong, points.count, 100.0 * static_cast<double>(wrong) / static_cast<double>(points.count),
                     values[worst], place_text(problem.box, point_at(points, worst)), size)});
  } else {
    findings.push_back(
        {Finding::Level::Note,
         fmt::format("The exact solution has kinks or jumps at {} of {} points of {}, the first at {}; it "
                     "satisfies the equation beside them.",
                     kinks, points.count, what, place_text(problem.box, point_at(points, suspects[0])))});
  }
}

}  // namespace

void lint_exact(const problem::Problem& problem, const train::Assembly& assembly, Findings& findings) {
  if (problem.exact.empty() || problem.evaluate.final_only) return;  // final_only: known at the last time alone
  for (std::size_t t = 0; t < problem.terms.size(); ++t) {
    const problem::TermSpec& term = problem.terms[t];
    if (expr::has_integrals(term.residuals)) continue;
    const sampling::PointSet& points = assembly.evaluator().program(assembly.evaluator().terms()[t].point_set).points();
    for (std::size_t e = 0; e < term.residuals.size(); ++e) lint_equation(problem, term, e, points, findings);
  }
}

}  // namespace pecann::check
