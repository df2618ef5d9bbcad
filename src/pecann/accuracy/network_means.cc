// Means that train networks.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "pecann/accuracy/continuation.h"
#include "pecann/accuracy/grown_network.h"
#include "pecann/accuracy/means.h"
#include "pecann/problem/automatic.h"
#include "pecann/problem/recommended.h"
#include "pecann/sampling/sampler.h"
#include "pecann/train/held_out.h"

namespace pecann::accuracy {
namespace {

constexpr int kMostWidth = 80;
constexpr double kPoorError = 1e-2, kPoorResidual = 1e-3;  // a trusted estimate; the residual where none is trusted

bool poor(const Outcome& outcome) {
  if (outcome.failed || !outcome.of_another.empty()) return true;
  return outcome.trusted ? outcome.error > kPoorError : !(outcome.evidence.residual <= kPoorResidual);
}

/// Gives a problem the training that is recommended for its networks and points.
void recommend(problem::Problem& problem) {
  problem::Recommendation recommended = problem::recommended_training(problem);
  problem.phases = std::move(recommended.phases);
  problem.recommendation = std::move(recommended.reason);
}

/// Twice the points, where they fill the domain half of them drawn where the residual is large; grids become Sobol
/// points.
void refresh_points(problem::Problem& problem) {
  for (problem::TermSpec& term : problem.terms) {
    if (!term.points_of.empty() || !train::can_be_drawn_anew(problem, term)) continue;
    const double count = sampling::count_points(term.regions, term.points),
                 near = term.near ? static_cast<double>(term.near->count) : 0;
    const double pieces = sampling::count_points(term.regions, {.kind = sampling::PointRule::Kind::Sobol, .count = 1});
    const bool follows = problem::can_follow_residual(problem, term);
    const double even = follows ? count + near : 2 * count;
    term.points = {.kind = sampling::PointRule::Kind::Sobol,
                   .count = static_cast<std::size_t>(std::ceil(even / pieces)),
                   .graded = term.points.graded,
                   .redraw_every = term.points.redraw_every};
    if (follows) problem::draw_near_residual(term, static_cast<std::size_t>(even));
  }
  problem.seed += 1000;  // other points; the parameters are given
}

}  // namespace

/// The training that stands in the file, or the recommended one.
std::optional<Attempt> network(Planner& planner, TriedSpan tried) {
  const problem::Problem& problem = planner.problem();
  if (!of_means(tried, Means::Network).empty()) return std::nullopt;
  Attempt attempt;
  attempt.means = Means::Network;
  attempt.problem = train::with_trained_networks(problem);
  attempt.what = problem.training_open ? "training of networks" : "the training of the file";
  attempt.why = attempt.problem.recommendation;
  if (const std::optional<Continuation> way = named_continuation(problem)) {
    recommend(attempt.problem);
    attempt.problem = continued(std::move(attempt.problem), *way);
    attempt.what = "training of networks by continuation, " + words(*way, problem);
    attempt.why = way->why;
  }
  return attempt;
}

/// Where the best network is poor: an easier problem first. A second time from an easier one still, where it helped.
std::optional<Attempt> continuation(Planner& planner, TriedSpan tried) {
  const problem::Problem& problem = planner.problem();
  if (!problem.training_open) return std::nullopt;
  const std::vector<Own> own = of_means(tried, Means::Continuation), networks = trained_whole(tried);
  if (networks.empty() || own.size() >= 2 || (!own.empty() && !helped(tried, own))) return std::nullopt;
  const Own* const best = best_network(networks);
  if (best != nullptr && !poor(best->tried->outcome)) return std::nullopt;
  const std::optional<Continuation> way = found_continuation(problem, own.empty() ? 10 : 100);
  if (!way) return std::nullopt;
  Attempt attempt;
  attempt.means = Means::Continuation;
  attempt.problem = continued(train::with_trained_networks(problem), *way);
  attempt.what = "continuation, " + words(*way, problem);
  attempt.why = way->why;
  return attempt;
}

std::optional<Attempt> fresh_points(Planner& planner, TriedSpan tried) {
  const problem::Problem& problem = planner.problem();
  constexpr std::size_t kMostTimes = 2;
  const std::vector<Own> own = of_means(tried, Means::FreshPoints), networks = trained_whole(tried);
  if (own.size() >= kMostTimes || (!own.empty() && !helped(tried, own))) return std::nullopt;
  const Own* const best = best_network(networks);
  if (best == nullptr || !networks_open(problem)) return std::nullopt;
  Attempt attempt;
  attempt.means = Means::FreshPoints;
  attempt.problem = best->tried->attempt.problem;
  refresh_points(attempt.problem);
  recommend(attempt.problem);
  attempt.begins_with = best->place;
  attempt.what = "the same network on twice the points, half of them where the residual is large";
  const Evidence& evidence = best->tried->outcome.evidence;
  attempt.why = hides_between_points(evidence)
                    ? fmt::format("the residual on fresh points is {:.2g} times as large", evidence.fresh_over_trained)
                    : "points that it has not seen show what it has missed";
  return attempt;
}

std::optional<Attempt> larger_network(Planner& planner, TriedSpan tried) {
  const problem::Problem& problem = planner.problem();
  const std::vector<Own> own = of_means(tried, Means::LargerNetwork), networks = trained_whole(tried);
  if (!networks_open(problem) || networks.empty() || (!own.empty() && !helped(tried, own))) return std::nullopt;
  const Own* const best = best_network(networks);
  if (best == nullptr) return std::nullopt;
  Attempt attempt;
  attempt.means = Means::LargerNetwork;
  attempt.problem = best->tried->attempt.problem;
  int widest = 0;
  for (problem::NetworkSpec& spec : attempt.problem.networks)
    for (int& width : spec.hidden) widest = std::max(widest, width = static_cast<int>(1.5 * width));
  if (widest > kMostWidth) return std::nullopt;
  recommend(attempt.problem);
  attempt.what = fmt::format("networks of width {}", widest);
  attempt.why = attempt.problem.recommendation;
  if (can_grow(best->tried->attempt.problem, attempt.problem)) {
    attempt.begins_with = best->place;
    attempt.what += ", which begin as the best ones so far";
  }
  return attempt;
}

std::optional<Attempt> windows_network(Planner& planner, TriedSpan tried) {
  const problem::Problem& problem = planner.problem();
  if (!networks_open(problem) || !problem::can_be_cut(problem) || !of_means(tried, Means::WindowsNetwork).empty())
    return std::nullopt;
  Attempt attempt;
  attempt.means = Means::WindowsNetwork;
  attempt.problem = train::with_trained_networks(problem::cut_into_windows(problem, 5));
  recommend(attempt.problem);
  attempt.what = "training of networks in each of 5 time windows";
  const std::vector<Own> networks = trained_whole(tried);
  const Own* const best = best_network(networks);
  const double late = best != nullptr ? best->tried->outcome.evidence.late_share : 0;
  attempt.why = late > kLate
                    ? fmt::format("{:.0f} % of the squared residual is in the last quarter of time", 100 * late)
                    : "each has to resolve less";
  return attempt;
}

/// The best network's training once more, from other random numbers.
std::optional<Attempt> other_start(Planner& planner, TriedSpan tried) {
  const problem::Problem& problem = planner.problem();
  const std::vector<Own> networks = trained_whole(tried);
  const Own* const best = best_network(networks);
  if (!networks_open(problem) || best == nullptr || !of_means(tried, Means::OtherStart).empty()) return std::nullopt;
  Attempt attempt;
  attempt.means = Means::OtherStart;
  attempt.problem = best->tried->attempt.problem;
  attempt.problem.seed += 1;
  attempt.what = "another start of these networks";
  attempt.why = "a start may have been unlucky";
  return attempt;
}

}  // namespace pecann::accuracy
