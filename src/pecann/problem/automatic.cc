#include "pecann/problem/automatic.h"

#include <algorithm>
#include <cmath>

#include "pecann/expr/integral.h"
#include "pecann/problem/scope.h"
#include "pecann/sampling/sampler.h"

namespace pecann::problem {

NetworkSpec automatic_network(std::string name, std::vector<std::string> fields, std::vector<std::string> inputs) {
  const int width = inputs.size() == 1 ? 20 : inputs.size() == 2 && fields.size() == 1 ? 30 : 40;
  NetworkSpec network;
  network.name = std::move(name);
  network.fields = std::move(fields);
  network.inputs = std::move(inputs);
  network.hidden = {width, width};
  network.automatic = true;
  return network;
}

std::size_t automatic_points_inside(int coordinates) {
  return coordinates == 1 ? 200 : coordinates == 2 ? 2000 : coordinates == 3 ? 4000 : 6000;
}

std::size_t points_for_piece(const Problem& problem, const TermSpec& term, double inside) {
  constexpr double kFaceDensity = 4;  // points on a face over those at the distances of the points inside
  const double box = problem.box.dimension();
  double least_dimension = box;
  for (const sampling::RegionPointer& region : term.regions)
    least_dimension = std::min<double>(least_dimension, region->dimension());
  if (least_dimension == box) return static_cast<std::size_t>(inside);
  const double pieces = sampling::count_points(term.regions, {.kind = sampling::PointRule::Kind::Sobol, .count = 1});
  const double wanted = kFaceDensity * std::pow(inside, least_dimension / box);
  return static_cast<std::size_t>(std::ceil(std::min(wanted, std::max(inside / pieces, 1.0))));
}

bool can_follow_residual(const Problem& problem, const TermSpec& term) {
  const auto single = [](const TermSpec& one) { return one.data || one.aggregate == Aggregate::Pointwise; };
  if (!term.points_of.empty() || !term.points_file.empty() || term.batch > 0 || single(term)) return false;
  if (term.regions.empty() || expr::has_integrals(term.residuals)) return false;
  const bool shared = std::ranges::any_of(problem.terms, [&](const TermSpec& other) {
    return other.points_of == term.name && (single(other) || expr::has_integrals(other.residuals));
  });
  return !shared && std::ranges::all_of(term.regions, [&](const sampling::RegionPointer& region) {
    return region->dimension() == problem.box.dimension();
  });
}

void draw_near_residual(TermSpec& term, std::size_t count) {
  constexpr std::size_t kCandidates = 16;  // for every point, as where a file names no pool
  const double pieces = sampling::count_points(term.regions, {.kind = sampling::PointRule::Kind::Sobol, .count = 1});
  const auto pool = static_cast<std::size_t>(std::ceil(static_cast<double>(kCandidates * count) / pieces));
  term.near = {.count = count, .density_text = kResidual, .density = expr::data_column(kResidual), .pool = pool};
  term.points.redraw_every = kEpochsOfDraw;
}

void follow_residual(Problem& problem) {
  for (TermSpec& term : problem.terms) {
    if (!term.automatic_points || !can_follow_residual(problem, term)) continue;
    term.points.count = (3 * term.points.count + 3) / 4;
    draw_near_residual(term, static_cast<std::size_t>(sampling::count_points(term.regions, term.points)));
  }
}

bool can_be_cut(const Problem& problem) {
  const auto has_region_at = [](const TermSpec& term, sampling::Times times) {
    return std::ranges::any_of(term.regions,
                               [&](const sampling::RegionPointer& region) { return region->times() == times; });
  };
  return problem.windows.count == 1 && problem.box.time >= 0 &&
         std::ranges::any_of(problem.terms,
                             [&](const TermSpec& term) { return has_region_at(term, sampling::Times::Start); }) &&
         std::ranges::none_of(problem.terms, [&](const TermSpec& term) {
           return !term.points_file.empty() || has_region_at(term, sampling::Times::Later);
         });
}

Problem cut_into_windows(Problem problem, int count) {
  problem.windows.count = count;
  problem.windows.normalise = Normalise::Window;
  problem.windows.usual.start = WindowStart::Previous;
  problem.windows.first = problem.windows.usual;
  problem.windows.first.start = WindowStart::Fresh;
  problem.windows.retry = default_retry(problem.windows.usual);
  return problem;
}

}  // namespace pecann::problem
