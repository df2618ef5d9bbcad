#include "pecann/results/part_sizes.h"

#include <algorithm>
#include <cmath>
#include <set>

#include "pecann/evaluate/field_values.h"
#include "pecann/expr/integral.h"
#include "pecann/expr/linear_form.h"
#include "pecann/problem/inequality_terms.h"
#include "pecann/problem/scope.h"
#include "pecann/sampling/sampler.h"

namespace pecann::results {
namespace {

constexpr std::size_t kDomainPoints = 512;
constexpr double kNearlyZero = 1e-3;  // a right-hand side over the parts of the domain

double rms_of(const std::vector<double>& values) {
  double sum = 0;
  for (const double value : values) sum += value * value;
  return values.empty() ? 0 : std::sqrt(sum / static_cast<double>(values.size()));
}

/// The rms of expressions on points.
std::vector<double> rms_on(const train::Assembly& assembly, std::span<const double> parameters,
                           std::span<const expr::Expr> expressions, const sampling::PointSet& points) {
  std::vector<double> rms;
  if (expressions.empty()) return rms;
  evaluate::FieldValues fields(assembly.model(), expressions, points, assembly.box().names);
  std::vector<std::vector<double>> values;
  fields.evaluate(parameters, values);
  for (const std::vector<double>& column : values) rms.push_back(rms_of(column));
  return rms;
}

/// Normals are known at boundaries only; elsewhere they count as one.
expr::Expr without_normals(const expr::Expr& a) {
  if (!a->reads_data) return a;
  if (a->kind == expr::Kind::Data) return problem::reads_normal(a) ? expr::Expr(1.0) : a;
  if (a->arguments.empty()) return a;
  std::vector<expr::Expr> arguments;
  for (const expr::Expr& argument : a->arguments) arguments.push_back(without_normals(argument));
  return expr::with_arguments(a, std::move(arguments));
}

/// An integral has the size of what it integrates, times the measure of its region.
expr::Expr without_integrals(const expr::Expr& a, double measure) {
  if (!expr::has_integrals(a)) return a;
  if (a->kind == expr::Kind::Integral) return measure * a->arguments[0];
  if (a->kind == expr::Kind::Mean) return a->arguments[0];
  std::vector<expr::Expr> arguments;
  for (const expr::Expr& argument : a->arguments) arguments.push_back(without_integrals(argument, measure));
  return expr::with_arguments(a, std::move(arguments));
}

double measure_of(const sampling::PointSet& points) {
  const double* const weights = points.column(sampling::kWeightColumn);
  double sum = 0;
  for (std::size_t i = 0; weights != nullptr && i < points.count; ++i) sum += weights[i];
  return weights != nullptr ? sum : 1;
}

/// What linear parts have at least (see the header), as expressions of the point: |c · factor| / Π ranges^k.
struct Least {
  expr::Expr factor = 0.0;
  std::string field;
};

std::optional<Least> least_of(const expr::Expr& part, const sampling::Box& box) {
  const std::optional<expr::LinearTerm> linear = expr::as_linear_term(part);
  if (!linear) return std::nullopt;
  double ranges = 1;
  for (const auto& [name, order] : linear->index) {
    const int c = box.index_of(name);
    ranges *= std::pow(box.upper[c] - box.lower[c], order);
  }
  return Least{linear->coefficient * linear->factor / ranges, linear->field};
}

/// Points all over the window.
sampling::PointSet over_the_window(const problem::Problem& problem, const sampling::Box& window) {
  RandomStream stream(1, "part sizes");
  return problem.domain->within(window)->interior({})->sample(
      {.kind = sampling::PointRule::Kind::Sobol, .count = kDomainPoints}, stream);
}

}  // namespace

std::vector<expr::Expr> parts_of(const expr::Expr& residual) {
  const expr::Expr a = expr::expanded_linear_sums(residual);
  if (a->kind == expr::Kind::Add) {
    std::vector<expr::Expr> parts;
    for (const expr::Expr& argument : a->arguments)
      for (expr::Expr& part : parts_of(argument)) parts.push_back(std::move(part));
    return parts;
  }
  if (a->kind == expr::Kind::Divide) {
    std::vector<expr::Expr> parts = parts_of(a->arguments[0]);
    for (expr::Expr& part : parts) part = part / a->arguments[1];
    return parts;
  }
  if (a->kind == expr::Kind::Multiply) {
    const auto sum = std::ranges::find_if(a->arguments, [](const expr::Expr& b) { return b->kind == expr::Kind::Add; });
    const bool one =
        std::ranges::count_if(a->arguments, [](const expr::Expr& b) { return b->kind == expr::Kind::Add; }) == 1;
    if (!one || (*sum)->coordinate_only) return {a};
    std::vector<expr::Expr> others;
    for (auto other = a->arguments.begin(); other != a->arguments.end(); ++other)
      if (other != sum) others.push_back(*other);
    const expr::Expr factor = expr::product(std::move(others));
    std::vector<expr::Expr> parts = parts_of(*sum);
    for (expr::Expr& part : parts) part = factor * part;
    return parts;
  }
  return {a};
}

std::vector<double> part_sizes(const problem::Problem& problem, const train::Assembly& assembly,
                               std::span<const double> parameters, std::size_t t) {
  const evaluate::Term& term = assembly.evaluator().terms()[t];
  const sampling::PointSet& own = assembly.evaluator().program(term.point_set).points();
  const sampling::Box& box = assembly.box();
  const bool condition = train::kind_of(problem, problem.terms[t]) != train::TermKind::Equation;
  const sampling::PointSet domain = over_the_window(problem, box);
  std::vector<double> sizes;
  for (const expr::Expr& residual : term.residuals) {
    // Of a violation the parts of the difference count: it is all that is left of f where f >= 0 is hardly violated.
    const expr::Expr& difference = problem::is_violation(residual) ? residual->arguments[0] : residual;
    const std::vector<expr::Expr> parts = parts_of(without_integrals(difference, measure_of(own)));
    const std::vector<double> here = rms_on(assembly, parameters, parts, own);
    double largest = 0, known = 0, least = 0, elsewhere = 0;
    std::vector<expr::Expr> anywhere;
    for (std::size_t p = 0; p < parts.size(); ++p) {
      largest = std::max(largest, here[p]);
      if (std::isnan(here[p])) largest = here[p];
      if (parts[p]->coordinate_only) {
        known = std::max(known, here[p]);
        continue;
      }
      const expr::Expr free = without_normals(parts[p]);
      if (free->reads_data) continue;
      anywhere.push_back(free);
      if (const std::optional<Least> bound = least_of(free, box)) {
        const expr::Expr both[] = {bound->factor, expr::field(bound->field)};
        const std::vector<double> rms = rms_on(assembly, parameters, both, domain);
        least = std::max(least, rms[0] * rms[1]);
      }
    }
    if (condition)
      for (const double rms : rms_on(assembly, parameters, anywhere, domain)) elsewhere = std::max(elsewhere, rms);
    const bool nearly_zero = known <= kNearlyZero * std::max(elsewhere, least);
    if (condition && nearly_zero) largest = std::max(largest, elsewhere);
    if (!condition || nearly_zero) largest = std::max(largest, least);
    sizes.push_back(largest);
  }
  return sizes;
}

}  // namespace pecann::results
