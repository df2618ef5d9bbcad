#include "pecann/problem/integral_terms.h"

#include <algorithm>
#include <set>

#include "pecann/base/input_error.h"
#include "pecann/expr/integral.h"
#include "pecann/sampling/sampler.h"

namespace pecann::problem {
namespace {

[[noreturn]] void refuse_term(const std::string& rule, const std::string& hint) {
  throw InputError({.rule = rule, .hint = hint});
}

const TermSpec& owner_of(const Problem& problem, const TermSpec& term) {
  for (const TermSpec& other : problem.terms)
    if (other.name == term.points_of) return other;
  return term;
}

bool mentions_unknown(const expr::Expr& a) {
  return a->kind == expr::Kind::Field || a->kind == expr::Kind::Parameter ||
         std::ranges::any_of(a->arguments, [](const expr::Expr& part) {
           return (!part->coordinate_only || part->integrates) && mentions_unknown(part);
         });
}

std::string time_of(const Problem& problem) { return problem.box.time < 0 ? "" : problem.box.names[problem.box.time]; }

}  // namespace

bool is_integral(const TermSpec& term) { return expr::has_integrals(term.residuals); }

double integral_rows(const Problem& problem, const TermSpec& term) {
  const TermSpec& owner = owner_of(problem, term);
  const bool times = expr::integrates_space(term.residuals) && !owner.points.grid.empty();
  return times ? owner.points.grid[problem.box.time] : 1;
}

void check_integral_equations(const Problem& problem, const TermSpec& term) {
  expr::separate_integrals(term.residuals, time_of(problem));
  for (const expr::Expr& residual : term.residuals)
    if (!mentions_unknown(residual))
      refuse_term("the equation mentions no field and no trainable parameter", "nothing would train it");
  if (term.aggregate == Aggregate::Pointwise && !expr::integrates_space(term.residuals))
    refuse_term("an integral is one number with one multiplier: aggregate = \"pointwise\" has no meaning",
                "leave out aggregate");
}

void check_integral_points(const Problem&, const TermSpec& term, const TermSpec& owner) {
  if (!owner.points_file.empty())
    refuse_term("the points of a file have no quadrature weights: there is no integral over them",
                "give a region and points = { gauss = […] } or { sobol = 1000 }");
  if (owner.batch > 0) refuse_term("an integral is over all points of its term, not over a batch", "leave out batch");
  if (owner.near)
    refuse_term("points near a density have no quadrature weights", "give the integral points of its own");
  const bool slices = expr::integrates_space(term.residuals);
  if (slices && std::ranges::any_of(owner.regions, [](const sampling::RegionPointer& region) {
        return region->times() != sampling::Times::All;
      }))
    refuse_term("over = space gives a number for every time, and the region has one time", "write integral(u)");
  sampling::PointRule few = owner.points;  // what has no weights is refused when points are drawn
  for (int& nodes : few.grid) nodes = std::min(nodes, 5);
  few.count = std::min<std::size_t>(few.count, 2);
  RandomStream stream(1, "integral");
  sampling::sample(owner.regions, few, stream, {.weights = true, .slices = slices});
}

void check_integral_windows(const Problem& problem) {
  if (problem.windows.count == 1 && problem.windows.first.grow == 1) return;
  for (const TermSpec& term : problem.terms) {
    if (!is_integral(term) || expr::integrates_space(term.residuals)) continue;
    throw InputError({.place = {.file = problem.source},
                      .key = "term." + term.name + ".equation",
                      .value = shortened(term.equation_texts[0]),
                      .rule = "an integral over all times does not go with time windows, which are trained one by one",
                      .hint = "write integral(…, over = space), which holds at every time"});
  }
}

}  // namespace pecann::problem
