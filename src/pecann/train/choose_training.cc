#include "pecann/train/choose_training.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <optional>
#include <string>
#include <utility>

#include "pecann/problem/automatic.h"
#include "pecann/problem/inequality_terms.h"
#include "pecann/problem/recommended.h"
#include "pecann/train/find_parts.h"

namespace pecann::train {
namespace {

constexpr double kMostOfTime = 0.5;  // of stop.seconds that the search counts
constexpr double kNoParts = 1e-6;    // features of the whole domain that leave no more need no parts
constexpr double kPartsShare = 4;    // products of a level of parts over those of one solve: steps and windows are many
constexpr double kAcceptedNonlinear = 1e-6;  // Korteweg–de Vries: 2e-5 left an error of 2e-5, training one of 2e-9

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

/// A problem to solve with the steps of its windows that are known.
ChosenTraining chosen(problem::Problem problem, std::vector<std::shared_ptr<const optim::KnownSteps>> windows) {
  auto head_start = std::make_shared<HeadStart>();
  head_start->seed = problem.seed;
  head_start->windows = std::move(windows);
  return {std::move(problem), std::move(head_start)};
}

std::string method_of(const FeatureSearch& found) { return found.linear ? "one solve of" : "Gauss–Newton on"; }

/// Solves in time windows, where the whole of time is too much for one; nothing where the first window is not solved
/// well enough. Its share counts: what a window leaves is handed over to the next and grows there. Where features see
/// something of the solution and a shorter window gains little, windows are no cure: a front or a corner is the reason.
std::optional<ChosenTraining> in_windows(const problem::Problem& problem, const FeatureSearch& whole,
                                         const Tell& tell) {
  constexpr double kPays = 0.3;   // of what was left before
  constexpr double kBlind = 0.3;  // features that leave more see nothing yet
  constexpr double kOfAll = 6;    // all windows together may take so many times the products of one solve
  if (!whole.linear || !problem::can_be_cut(problem)) return std::nullopt;
  const double products = affordable_products(problem);
  double before = whole.left;
  for (const int count : {4, 16, 64}) {
    const problem::Problem cut = problem::cut_into_windows(problem, count);
    const double accepted = accepted_of(whole) / count;
    const auto tell_of_windows = [&](const std::string& what) {
      if (tell) tell(fmt::format("the first of {} time windows: {}", count, what));
    };
    const FeatureSearch found =
        find_features(cut, {.enough = accepted, .products = kOfAll * products / count}, tell_of_windows);
    if (found.left <= accepted) {
      problem::Problem solved = with_features(cut, *found.choice, found.steps);
      solved.recommendation = fmt::format(
          "{} {} in each of {} time windows instead of training the networks: the first leaves {:.1e} of the zero "
          "solution's residual on fresh points, at most {:.1e} is accepted, while the whole of time at once leaves "
          "{:.1e} (optimizer = \"train\" trains the networks)",
          method_of(found), words(*found.choice), count, found.left, accepted, whole.left);
      return chosen(std::move(solved), {found.steps_made});
    }
    if (before < kBlind && found.left > kPays * before) return std::nullopt;
    before = found.left;
  }
  return std::nullopt;
}

ChosenTraining searched(const problem::Problem& problem, const Tell& tell) {
  const FeatureSearch found = find_features(problem, {.products = affordable_products(problem)}, tell);
  const double accepted = accepted_of(found);
  if (found.left > kNoParts) {
    const PartsSearch parts =
        find_parts(problem, found.linear, {.products = kPartsShare * affordable_products(problem)}, tell);
    if (parts.solved && parts.left < found.left) {
      problem::Problem solved = *parts.solved;
      solved.recommendation = fmt::format(
          "{} {} instead of training the networks: residual {:.1e} of the zero solution's on fresh points, and {:.1e} "
          "of the solution from that of coarser parts; over the whole domain features leave {:.1e} (optimizer = "
          "\"train\" trains the networks)",
          method_of(found), parts.what, parts.left, parts.change, found.left);
      return chosen(std::move(solved), parts.steps_made);
    }
  }
  if (found.left <= accepted) {
    problem::Problem solved = with_features(problem, *found.choice, found.steps);
    solved.recommendation = fmt::format(
        "{} {} instead of training the networks: residual {:.1e} of the zero solution's on fresh points, at most {:g} "
        "is accepted (optimizer = \"train\" trains the networks)",
        method_of(found), words(*found.choice), found.left, accepted);
    return chosen(std::move(solved), {found.steps_made});
  }
  if (std::optional<ChosenTraining> windows = in_windows(problem, found, tell)) return std::move(*windows);
  const std::string failed =
      found.choice ? fmt::format("{} leave {:.1e} of the residual on fresh points", words(*found.choice), found.left)
                   : "no scale of them found";
  problem::Problem same = with_trained_networks(problem);
  same.recommendation += "; no solve of features: " + failed;
  return chosen(std::move(same), {});
}

}  // namespace

ChosenTraining choose_training(const problem::Problem& problem, const Tell& tell) {
  if (!problem.training_open) return {with_trained_networks(problem), nullptr};
  if (const std::string reason = obstacle_to_solve(problem); !reason.empty()) {
    problem::Problem same = with_trained_networks(problem);
    same.recommendation += "; no solve of features, because of " + reason;
    return {std::move(same), nullptr};
  }
  const auto began = std::chrono::steady_clock::now();
  ChosenTraining found = searched(problem, tell);
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count();
  HeadStart head_start = *found.head_start;
  head_start.seconds = std::min(seconds, kMostOfTime * problem.stop.seconds.value_or(seconds / kMostOfTime));
  found.head_start = std::make_shared<const HeadStart>(std::move(head_start));
  return found;
}

}  // namespace pecann::train
