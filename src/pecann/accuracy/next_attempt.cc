#include "pecann/accuracy/next_attempt.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "pecann/problem/automatic.h"
#include "pecann/problem/recommended.h"
#include "pecann/sampling/sampler.h"
#include "pecann/train/held_out.h"

namespace pecann::accuracy {
namespace {

constexpr double kHelps = 0.5;         // an attempt helps when its estimate is at most this share of the one before
constexpr double kWorthTrying = 0.05;  // residual of features on fresh points, over that of the zero solution
constexpr int kMostFeatures = 3200;    // of all fields together
constexpr int kMostWindows = 64;
constexpr int kMostWidth = 80;

using TriedSpan = std::span<const Tried>;

/// The attempts of a kind, in their order, with their places among all.
struct Own {
  int place;
  const Tried* tried;
};
std::vector<Own> of_means(TriedSpan all, Means means) {
  std::vector<Own> own;
  for (std::size_t i = 0; i < all.size(); ++i)
    if (all[i].attempt.means == means) own.push_back({static_cast<int>(i), &all[i]});
  return own;
}

/// True when the last attempt of a kind is better than all before it by kHelps, or made an estimate trusted.
bool helped(TriedSpan all, const std::vector<Own>& own) {
  if (own.empty() || own.back().tried->outcome.failed) return false;
  const Outcome& last = own.back().tried->outcome;
  const Outcome* best = nullptr;
  for (const Tried& tried : all.first(static_cast<std::size_t>(own.back().place)))
    if (!tried.outcome.failed && (best == nullptr || better(tried.outcome, *best))) best = &tried.outcome;
  if (best == nullptr) return true;
  if (last.trusted != best->trusted) return last.trusted;
  return last.error <= kHelps * best->error;
}

int number_of_fields(const problem::Problem& problem) {
  int fields = 0;
  for (const problem::NetworkSpec& network : problem.networks) fields += static_cast<int>(network.fields.size());
  return fields;
}

Attempt solve_attempt(const problem::Problem& problem, Means means, const train::FeatureChoice& choice, int steps,
                      std::string why) {
  Attempt attempt;
  attempt.means = means;
  attempt.problem = train::with_features(problem, choice, steps);
  attempt.features = choice;
  attempt.what = train::words(choice);
  if (problem.windows.count > 1) attempt.what += fmt::format(" in each of {} time windows", problem.windows.count);
  attempt.problem.recommendation = attempt.what + ": " + why;
  attempt.why = std::move(why);
  return attempt;
}

std::string left_text(const train::FeatureSearch& found) {
  return fmt::format("a probe leaves {:.0e} of the residual", found.left);
}

/// More of the same features: what is solved at most once more for every doubling.
std::optional<train::FeatureChoice> with_more(const problem::Problem& problem, train::FeatureChoice choice) {
  choice.count = static_cast<int>(1.6 * choice.count);
  if (choice.count * number_of_fields(problem) > kMostFeatures) return std::nullopt;
  return choice;
}

std::optional<Attempt> features(Planner& planner, TriedSpan tried) {
  const problem::Problem& problem = planner.problem();
  if (!problem.training_open || !train::obstacle_to_solve(problem).empty()) return std::nullopt;
  const std::vector<Own> own = of_means(tried, Means::Features);
  if (own.empty()) {
    const train::FeatureSearch& found = planner.probed(problem);
    if (!found.choice || found.left > kWorthTrying) return std::nullopt;
    return solve_attempt(problem, Means::Features, *found.choice, found.steps, left_text(found));
  }
  if (!helped(tried, own)) return std::nullopt;
  const Attempt& last = own.back().tried->attempt;
  const auto more = with_more(problem, last.features);
  if (!more) return std::nullopt;
  return solve_attempt(problem, Means::Features, *more, last.problem.phases.front().epochs, "more features");
}

std::optional<Attempt> windows_features(Planner& planner, TriedSpan tried) {
  const problem::Problem& problem = planner.problem();
  if (!problem.training_open || !train::obstacle_to_solve(problem).empty() || !problem::can_be_cut(problem))
    return std::nullopt;
  const std::vector<Own> own = of_means(tried, Means::WindowsFeatures);
  if (!own.empty() && !helped(tried, own)) return std::nullopt;
  int count = own.empty() ? 4 : 4 * own.back().tried->attempt.problem.windows.count;
  for (; count <= kMostWindows; count *= 4) {
    const problem::Problem cut = problem::cut_into_windows(problem, count);
    const train::FeatureSearch& found = planner.probed(cut);
    if (!found.choice || found.left > kWorthTrying) continue;
    return solve_attempt(cut, Means::WindowsFeatures, *found.choice, found.steps,
                         left_text(found) + " in the first window");
  }
  return std::nullopt;
}

/// The training that stands in the file, or the recommended one.
std::optional<Attempt> network(Planner& planner, TriedSpan tried) {
  const problem::Problem& problem = planner.problem();
  if (!of_means(tried, Means::Network).empty()) return std::nullopt;
  Attempt attempt;
  attempt.means = Means::Network;
  attempt.problem = train::with_trained_networks(problem);
  attempt.what = problem.training_open ? "training of networks" : "the training of the file";
  attempt.why = attempt.problem.recommendation;
  return attempt;
}

/// The best attempt with networks that others can go on from: one time window.
const Own* best_network(const std::vector<Own>& own) {
  const Own* best = nullptr;
  for (const Own& one : own)
    if (!one.tried->outcome.failed && (best == nullptr || better(one.tried->outcome, best->tried->outcome)))
      best = &one;
  return best;
}

std::vector<Own> trained_whole(TriedSpan tried) {
  std::vector<Own> all;
  for (std::size_t i = 0; i < tried.size(); ++i) {
    const Means means = tried[i].attempt.means;
    const bool of_networks = means == Means::Network || means == Means::FreshPoints || means == Means::LargerNetwork;
    if (of_networks && tried[i].attempt.problem.windows.count == 1) all.push_back({static_cast<int>(i), &tried[i]});
  }
  return all;
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

std::optional<Attempt> fresh_points(Planner& planner, TriedSpan tried) {
  const problem::Problem& problem = planner.problem();
  constexpr std::size_t kMostTimes = 2;
  const std::vector<Own> own = of_means(tried, Means::FreshPoints), networks = trained_whole(tried);
  if (own.size() >= kMostTimes || (!own.empty() && !helped(tried, own))) return std::nullopt;
  const Own* const best = best_network(networks);
  if (best == nullptr || !problem.training_open) return std::nullopt;
  Attempt attempt;
  attempt.means = Means::FreshPoints;
  attempt.problem = best->tried->attempt.problem;
  refresh_points(attempt.problem);
  const problem::Recommendation recommended = problem::recommended_training(attempt.problem);
  attempt.problem.phases = recommended.phases;
  attempt.problem.recommendation = recommended.reason;
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
  if (!problem.training_open || networks.empty() || (!own.empty() && !helped(tried, own))) return std::nullopt;
  const Own* const best = best_network(networks);
  if (best == nullptr) return std::nullopt;
  Attempt attempt;
  attempt.means = Means::LargerNetwork;
  attempt.problem = best->tried->attempt.problem;
  int widest = 0;
  for (problem::NetworkSpec& spec : attempt.problem.networks)
    for (int& width : spec.hidden) widest = std::max(widest, width = static_cast<int>(1.5 * width));
  if (widest > kMostWidth) return std::nullopt;
  const problem::Recommendation recommended = problem::recommended_training(attempt.problem);
  attempt.problem.phases = recommended.phases;
  attempt.problem.recommendation = recommended.reason;
  attempt.what = fmt::format("networks of width {}", widest);
  attempt.why = recommended.reason;
  return attempt;
}

std::optional<Attempt> windows_network(Planner& planner, TriedSpan tried) {
  const problem::Problem& problem = planner.problem();
  if (!problem.training_open || !problem::can_be_cut(problem) || !of_means(tried, Means::WindowsNetwork).empty())
    return std::nullopt;
  Attempt attempt;
  attempt.means = Means::WindowsNetwork;
  attempt.problem = train::with_trained_networks(problem::cut_into_windows(problem, 5));
  attempt.what = "training of networks in each of 5 time windows";
  const std::vector<Own> networks = trained_whole(tried);
  const Own* const best = best_network(networks);
  const double late = best != nullptr ? best->tried->outcome.evidence.late_share : 0;
  attempt.why = late > kLate
                    ? fmt::format("{:.0f} % of the squared residual is in the last quarter of time", 100 * late)
                    : "each has to resolve less";
  return attempt;
}

using Proposal = std::optional<Attempt> (*)(Planner&, TriedSpan);

/// Cheap means first; windows before other means where the best network fails at late times.
std::vector<Proposal> means_in_order(TriedSpan tried) {
  const std::vector<Own> networks = trained_whole(tried);
  const Own* const best = best_network(networks);
  if (best != nullptr && fails_late(best->tried->outcome.evidence))
    return {features, windows_features, network, windows_network, fresh_points, larger_network};
  return {features, windows_features, network, fresh_points, larger_network, windows_network};
}

}  // namespace

const char* name_of(Means means) {
  switch (means) {
    case Means::Features:
      return "features";
    case Means::WindowsFeatures:
      return "windows of features";
    case Means::Network:
      return "network";
    case Means::FreshPoints:
      return "fresh points";
    case Means::LargerNetwork:
      return "larger network";
    case Means::WindowsNetwork:
      return "windows of networks";
  }
  return "";
}

bool better(const Outcome& a, const Outcome& b) {
  if (a.failed != b.failed) return b.failed;
  if (a.trusted != b.trusted) return a.trusted;
  const double of_a = a.evidence.residual, of_b = b.evidence.residual;
  if (!a.trusted && std::isfinite(of_a) && std::isfinite(of_b)) return of_a < of_b;
  return a.error < b.error;
}

const train::FeatureSearch& Planner::probed(const problem::Problem& cut) {
  const auto known = probes_.find(cut.windows.count);
  return known != probes_.end() ? known->second : probes_[cut.windows.count] = train::find_features(cut);
}

std::optional<Attempt> Planner::next(TriedSpan tried) {
  for (const Proposal means : means_in_order(tried))
    if (std::optional<Attempt> attempt = means(*this, tried)) return attempt;
  return std::nullopt;
}

}  // namespace pecann::accuracy
