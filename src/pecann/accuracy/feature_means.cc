// Means that solve random features, over the whole domain or in time windows.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <utility>
#include <vector>

#include "pecann/accuracy/means.h"
#include "pecann/problem/automatic.h"
#include "pecann/train/find_parts.h"

namespace pecann::accuracy {
namespace {

constexpr double kWorthTrying = 0.05;  // residual of features on fresh points, over that of the zero solution
constexpr double kPlenty = 1e-5;       // a residual below this times the accuracy lets half of the features be tried
constexpr int kLeastFeatures = 250;    // what the probe has
constexpr int kMostFeatures = 6400;    // of all fields together
constexpr int kMostWindows = 64;

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

/// The steps of a solve with `seed` that the search has made.
std::shared_ptr<const train::HeadStart> head_start_of(std::uint64_t seed,
                                                      std::vector<std::shared_ptr<const optim::KnownSteps>> windows) {
  auto head_start = std::make_shared<train::HeadStart>();
  head_start->seed = seed;
  head_start->windows = std::move(windows);
  return head_start;
}

std::string left_text(const train::FeatureSearch& found) {
  return fmt::format("a probe leaves {:.0e} of the residual", found.left);
}

/// More of the same features: what is solved at most once more for every doubling.
std::optional<train::FeatureChoice> with_more(const problem::Problem& problem, train::FeatureChoice choice) {
  choice.count = static_cast<int>(1.6 * choice.count);
  if (choice.count * train::number_of_fields(problem) > kMostFeatures) return std::nullopt;
  return choice;
}

}  // namespace

std::optional<Attempt> features(Planner& planner, TriedSpan tried) {
  const problem::Problem& problem = planner.problem();
  if (!problem.training_open || !train::obstacle_to_solve(problem).empty()) return std::nullopt;
  const std::vector<Own> own = of_means(tried, Means::Features);
  if (own.empty()) {
    const train::FeatureSearch& found = planner.probed(problem);
    if (!found.choice || found.left > kWorthTrying) return std::nullopt;
    train::FeatureChoice choice = *found.choice;
    if (problem.accuracy && found.left <= kPlenty * *problem.accuracy)
      choice.count = std::max(kLeastFeatures, choice.count / 2);
    Attempt attempt = solve_attempt(problem, Means::Features, choice, found.steps, left_text(found));
    if (choice == *found.choice) attempt.head_start = head_start_of(problem.seed, {found.steps_made});
    return attempt;
  }
  if (!helped(tried, own)) return std::nullopt;
  const Attempt& last = own.back().tried->attempt;
  const auto more = with_more(problem, last.features);
  if (!more) return std::nullopt;
  return solve_attempt(problem, Means::Features, *more, last.problem.phases.front().epochs, "more features");
}

std::optional<Attempt> parts_features(Planner& planner, TriedSpan tried) {
  constexpr double kShareOfAccuracy = 0.3;  // what two levels may differ by
  constexpr double kFirstWork = 0.5, kMoreWork = 4;
  const problem::Problem& problem = planner.problem();
  if (!problem.training_open || !train::obstacle_to_solve(problem).empty()) return std::nullopt;
  const std::vector<Own> own = of_means(tried, Means::PartsFeatures);
  if (!own.empty() && !helped(tried, own)) return std::nullopt;
  const double work = kFirstWork * std::pow(kMoreWork, static_cast<double>(own.size()));
  const train::PartsSearch found = train::find_parts(problem, planner.probed(problem).linear,
                                                     {.products = work * train::affordable_products(problem),
                                                      .enough = kShareOfAccuracy * problem.accuracy.value_or(0)});
  if (!found.solved) return std::nullopt;
  Attempt attempt;
  attempt.means = Means::PartsFeatures;
  attempt.problem = *found.solved;
  attempt.what = found.what;
  attempt.why =
      fmt::format("{:.0e} of the residual is left, and {:.0e} of the solution is the distance from coarser parts",
                  found.left, found.change);
  attempt.problem.recommendation = attempt.what + ": " + attempt.why;
  attempt.head_start = head_start_of(problem.seed, found.steps_made);
  return attempt;
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
    Attempt attempt = solve_attempt(cut, Means::WindowsFeatures, *found.choice, found.steps,
                                    left_text(found) + " in the first window");
    attempt.head_start = head_start_of(cut.seed, {found.steps_made});
    return attempt;
  }
  return std::nullopt;
}

}  // namespace pecann::accuracy
