#include "pecann/train/choose_training.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string>

#include "pecann/problem/automatic.h"
#include "pecann/problem/inequality_terms.h"
#include "pecann/problem/recommended.h"

namespace pecann::train {
namespace {

constexpr double kAcceptedNonlinear = 1e-6;  // Korteweg–de Vries: 2e-5 left an error of 2e-5, training one of 2e-9
constexpr double kSafeShare = 0.1;           // later windows may leave more than the first
constexpr int kUsualSteps = 5;               // that Gauss–Newton takes in a window
constexpr double kMostProductsOfWindows = 1e12;

}  // namespace

std::string obstacle_to_solve(const problem::Problem& problem) {
  if (problem.windows.count > 1 || problem.windows.first.grow > 1) return "time windows";
  if (!problem.parameters.empty()) return "trainable scalars";
  if (const std::string kink = problem::kink_of(problem); !kink.empty()) return kink;
  for (const problem::NetworkSpec& network : problem.networks)
    if (network.output != problem::Output::Linear) return "the output of '" + network.name + "'";
  for (const problem::TermSpec& term : problem.terms) {
    if (term.data) return "data in term '" + term.name + "'";
    if (problem::has_inequality(term)) return "the inequality of term '" + term.name + "'";
    if (term.near) return "the points near a density in term '" + term.name + "'";
    if (term.aggregate == problem::Aggregate::Pointwise) return "point-wise multipliers in term '" + term.name + "'";
  }
  return "";
}

problem::Problem with_trained_networks(problem::Problem problem) {
  if (problem.recommendation.empty()) return problem;
  problem::follow_residual(problem);
  if (!problem.training_open) return problem;
  problem.training_open = false;
  problem::Recommendation recommended = problem::recommended_training(problem);
  problem.phases = std::move(recommended.phases);
  problem.recommendation = std::move(recommended.reason);
  return problem;
}

namespace {

/// What may be left of the residual on fresh points.
double accepted_of(const FeatureSearch& found) { return found.linear ? kAccepted : kAcceptedNonlinear; }

std::string method_of(const FeatureSearch& found) { return found.linear ? "one solve of" : "Gauss–Newton on"; }

/// Solves in time windows, where the whole of time is too much for one; nothing where they are not accepted. Of their
/// residuals the sum counts: what one window leaves is handed over to the next.
std::optional<problem::Problem> in_windows(const problem::Problem& problem, const FeatureSearch& whole) {
  const bool hope = whole.linear || whole.left < kHopeless;
  if (!hope || !problem::can_be_cut(problem)) return std::nullopt;
  const double accepted = accepted_of(whole);
  for (const int count : {4, 16, 64}) {
    const problem::Problem cut = problem::cut_into_windows(problem, count);
    const double share = accepted / count;
    const FeatureSearch found = find_features(cut, kSafeShare * share);
    if (found.left > share) continue;
    problem::Problem solved = with_features(cut, *found.choice, found.steps);
    if (count * std::min(found.steps, kUsualSteps) * feature_products(solved) > kMostProductsOfWindows) continue;
    const ChainOfWindows chain = solved_chain(solved, problem.seed, found.steps, found.weights, accepted);
    if (!(chain.left <= accepted)) return std::nullopt;  // what fails later fails in shorter windows too: a front
    solved.recommendation = fmt::format(
        "{} {} in each of {} time windows instead of training the networks: together they leave {:.1e} of the zero "
        "solution's residual on fresh points, at most {:g} is accepted, while the whole of time at once leaves {:.1e} "
        "(optimizer = \"train\" trains the networks)",
        method_of(found), words(*found.choice), count, chain.left, accepted, whole.left);
    return solved;
  }
  return std::nullopt;
}

}  // namespace

problem::Problem choose_training(const problem::Problem& problem) {
  problem::Problem same = with_trained_networks(problem);
  if (!problem.training_open) return same;
  if (const std::string reason = obstacle_to_solve(problem); !reason.empty()) {
    same.recommendation += "; no solve of features, because of " + reason;
    return same;
  }
  const FeatureSearch found = find_features(problem);
  const double accepted = accepted_of(found);
  if (found.left <= accepted) {
    problem::Problem solved = with_features(problem, *found.choice, found.steps);
    solved.recommendation = fmt::format(
        "{} {} instead of training the networks: residual {:.1e} of the zero solution's on fresh points, at most {:g} "
        "is accepted (optimizer = \"train\" trains the networks)",
        method_of(found), words(*found.choice), found.left, accepted);
    return solved;
  }
  if (std::optional<problem::Problem> windows = in_windows(problem, found)) return std::move(*windows);
  const std::string failed =
      found.choice ? fmt::format("{} leave {:.1e} of the residual on fresh points", words(*found.choice), found.left)
                   : "no scale of them found";
  same.recommendation += "; no solve of features: " + failed;
  return same;
}

}  // namespace pecann::train
