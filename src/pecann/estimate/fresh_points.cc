#include "pecann/estimate/fresh_points.h"

#include <algorithm>
#include <cmath>

#include "pecann/base/random_stream.h"
#include "pecann/expr/integral.h"
#include "pecann/problem/scope.h"
#include "pecann/sampling/sampler.h"
#include "pecann/train/error_norms.h"
#include "pecann/train/held_out.h"

namespace pecann::estimate {
namespace {

constexpr double kFaceFactor = 4;   // points on a face over those at the distances of the points inside
constexpr double kFaceShare = 0.5;  // of the points inside, at most on all faces of a term
constexpr double kPoolFactor = 4;   // candidates for each point near large residuals
constexpr std::size_t kNormPoints = 4000;

int least_dimension(const problem::Problem& problem, const problem::TermSpec& term) {
  int least = problem.box.dimension();
  for (const sampling::RegionPointer& region : term.regions) least = std::min(least, region->dimension());
  return least;
}

const problem::TermSpec& owner_of(const problem::Problem& problem, const problem::TermSpec& term) {
  for (const problem::TermSpec& other : problem.terms)
    if (other.name == term.points_of) return other;
  return term;
}

double pieces(const problem::TermSpec& term) {
  constexpr std::size_t kMany = 1000;
  return sampling::count_points(term.regions, {.kind = sampling::PointRule::Kind::Sobol, .count = kMany}) / kMany;
}

}  // namespace

bool fills_domain(const problem::Problem& problem, const problem::TermSpec& term) {
  return least_dimension(problem, term) == problem.box.dimension() && !expr::has_integrals(term.residuals);
}

std::size_t equations_inside(const problem::Problem& problem) {
  std::size_t equations = 0;
  for (const problem::TermSpec& term : problem.terms)
    if (fills_domain(problem, term)) equations += term.residuals.size();
  return equations;
}

sampling::PointSet points_of_norm(const problem::Problem& problem) {
  const sampling::PointSet points = train::evaluation_points(problem, problem.box);
  if (points.count <= kNormPoints) return points;
  std::vector<std::size_t> chosen;
  RandomStream stream(0, "points of the error's norm");
  for (std::size_t i = 0; i < kNormPoints; ++i) {  // one of every stratum: a stride would be in step with the rows
    const std::size_t begin = i * points.count / kNormPoints, end = (i + 1) * points.count / kNormPoints;
    chosen.push_back(begin + stream.below(std::max<std::size_t>(end - begin, 1)));
  }
  return sampling::subset(points, chosen);
}

problem::Problem with_fresh_points(const problem::Problem& problem, const std::string& use, double inside) {
  problem::Problem fresh = problem;
  for (std::size_t t = 0; t < fresh.terms.size(); ++t) {
    problem::TermSpec& term = fresh.terms[t];
    term.batch = 0;
    term.points.redraw_every = 0;
    term.near.reset();
    if (term.aggregate == problem::Aggregate::Pointwise) term.aggregate = problem::Aggregate::Mean;
    if (!train::can_be_drawn_anew(problem, problem.terms[t])) continue;
    if (expr::has_integrals(term.residuals)) {  // other nodes of the same rule: its accuracy is what the user chose
      term.points = train::fresh_quadrature(owner_of(problem, problem.terms[t]).points);
      term.points_of.clear();
      term.name += use;
      continue;
    }
    if (!term.points_of.empty()) {
      term.points_of += use;
      continue;
    }
    term.name += use;  // which names its streams
    const int own = least_dimension(problem, term), all = problem.box.dimension();
    double count = inside / 2;
    if (own < all)
      count = std::clamp(kFaceFactor * std::pow(inside, static_cast<double>(own) / all) * pieces(term),
                         std::min(20.0, inside), kFaceShare * inside);
    term.points = {.kind = sampling::PointRule::Kind::Sobol,
                   .count = static_cast<std::size_t>(std::ceil(count / pieces(term))),
                   .graded = problem.terms[t].points.graded};
    if (own < all) continue;
    term.near.emplace();
    term.near->count = static_cast<std::size_t>(count);
    term.near->density = expr::data_column(problem::kResidual);
    term.near->pool = static_cast<std::size_t>(kPoolFactor * count / pieces(term));
  }
  return fresh;
}

}  // namespace pecann::estimate
