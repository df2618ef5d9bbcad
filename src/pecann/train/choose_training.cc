#include "pecann/train/choose_training.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <map>
#include <optional>
#include <string>

#include "pecann/problem/automatic.h"
#include "pecann/problem/inequality_terms.h"
#include "pecann/problem/recommended.h"
#include "pecann/train/feature_solve.h"

namespace pecann::train {
namespace {

constexpr int kProbeSteps = 5;   // Gauss–Newton steps of a nonlinear probe
constexpr int kSolveSteps = 12;  // of a nonlinear solve
constexpr double kGood = 0.05;   // a probe below this needs no further kinds of candidates
constexpr double kPoor = 0.2;    // a best probe above this deserves a second look
constexpr std::size_t kSecondLooks = 4;
constexpr double kLayer = 1e-7;              // residuals above this on a line may come from a layer at an end
constexpr double kHopeless = 0.3;            // residuals that more features would not cure
constexpr double kUseless = 0.9;             // a probe that leaves this share of the residual has found nothing
constexpr double kGain = 0.5;                // a sweep over the coordinates that gains less is the last
constexpr double kAcceptedNonlinear = 1e-6;  // Korteweg–de Vries: 2e-5 left an error of 2e-5, training one of 2e-9
constexpr int kMostSweeps = 3;

int number_of_fields(const problem::Problem& problem) {
  int fields = 0;
  for (const problem::NetworkSpec& network : problem.networks) fields += static_cast<int>(network.fields.size());
  return fields;
}

/// Features of the probe, of its second look, of the solve, and of one that is to be better. Gauss–Newton has several
/// solves, and a system has the coefficients of all its fields in one.
struct FeatureCounts {
  int probe, second, solve, more;
  double fine = 1e-7;  // a residual below this needs no more features
};
FeatureCounts feature_counts(const problem::Problem& problem, bool linear) {
  const int dimension = problem.box.dimension(), fields = number_of_fields(problem);
  FeatureCounts counts = dimension == 1   ? FeatureCounts{250, 500, 800, 1200, 1e-13}
                         : dimension == 2 ? FeatureCounts{250, 600, 800, 1600}
                         : dimension == 3 ? FeatureCounts{250, 600, 1200, 2000}
                                          : FeatureCounts{250, 600, 1000, 1400};
  if (!linear) counts = {150, 300, dimension <= 2 ? 600 : 800, 1000, counts.fine};
  if (fields > 1)
    counts = {150, 300, std::max(300, counts.solve / fields), std::max(300, counts.more / fields), counts.fine};
  return counts;
}

/// Looks for the kind and the scales of features with the least residual on fresh points.
class Probe {
 public:
  Probe(const problem::Problem& problem, int features, bool linear, const EquationWeights& weights)
      : problem_(problem), features_(features), linear_(linear), weights_(weights) {}

  /// The best candidate of those graded towards the ends; nothing where all leave most of the residual.
  std::optional<FeatureChoice> best_graded() {
    for (const double graded : {1e-3, 1e-4, 1e-5, 1e-6, 1e-7})
      for (const double scale : {0.25, 0.5, 1.0})
        try_one({problem::Activation::Tanh, std::vector<double>(axes(), scale), graded, features_});
    if (!(least() < kUseless)) return std::nullopt;
    return best_;
  }

  /// The best candidate of plain ones.
  std::optional<FeatureChoice> best_plain(int features_of_second_look) {
    const std::vector<double> usual = {2, 4, 8, 16, 32, 64}, line = {2, 4, 8, 16, 32, 64, 128, 256};
    const std::vector<double>& scales = axes() == 1 ? line : usual;
    const problem::Activation kinds[] = {problem::Activation::Tanh, problem::Activation::Sin};
    for (const problem::Activation kind : kinds)
      for (const double scale : scales) try_one({kind, std::vector<double>(axes(), scale), 0, features_});
    if (axes() > 1 && least() > kGood && !is_system()) {  // a solution that is steep along one coordinate only
      for (const problem::Activation kind : kinds)
        for (const double scale : scales)
          for (std::size_t axis = 0; axis < axes(); ++axis) {
            FeatureChoice other{kind, std::vector<double>(axes(), scales[0]), 0, features_};
            other.scale[axis] = scale;
            try_one(other);
          }
    }
    if (axes() > 1) sweep_coordinates();
    if (!(least() < kUseless)) return std::nullopt;
    return least() < kPoor ? best_ : second_look(features_of_second_look);
  }

 private:
  std::size_t axes() const { return problem_.box.names.size(); }
  double least() const { return ratios_.at(best_); }
  /// A system has large matrices: fewer candidates are tried.
  bool is_system() const { return number_of_fields(problem_) > 1; }

  void try_one(const FeatureChoice& choice) {
    if (ratios_.contains(choice)) return;
    const double ratio =
        held_out_ratio(with_features(problem_, choice, 1), problem_.seed, linear_ ? 1 : kProbeSteps, weights_).common;
    ratios_[choice] = ratio;
    if (!ratios_.contains(best_) || ratio < least()) best_ = choice;
  }

  void sweep_coordinates() {
    for (int sweep = 0; sweep < (is_system() ? 1 : kMostSweeps); ++sweep) {
      const double before = least();
      for (std::size_t axis = 0; axis < axes(); ++axis) {
        const FeatureChoice centre = best_;
        for (const double factor : {0.5, 2.0, 0.25, 4.0}) {
          if (is_system() && (factor == 0.25 || factor == 4.0)) continue;
          FeatureChoice other = centre;
          other.scale[axis] *= factor;
          try_one(other);
        }
      }
      if (least() > kGain * before) return;
    }
  }

  /// So few features cannot tell steep candidates apart: the best of them are tried with more.
  FeatureChoice second_look(int features) {
    std::vector<FeatureChoice> order;
    for (const auto& [choice, ratio] : ratios_) order.push_back(choice);
    std::ranges::sort(order, {}, [&](const FeatureChoice& choice) { return ratios_.at(choice); });
    order.resize(std::min<std::size_t>(order.size(), kSecondLooks));
    ratios_.clear();
    for (FeatureChoice& choice : order) {
      choice.count = features;
      try_one(choice);
    }
    if (axes() > 2) sweep_coordinates();
    return best_;
  }

  const problem::Problem& problem_;
  int features_;
  bool linear_;
  const EquationWeights& weights_;
  std::map<FeatureChoice, double> ratios_;
  FeatureChoice best_;  // of those tried
};

}  // namespace

std::string words(const FeatureChoice& choice) {
  std::string scales;
  for (const double scale : choice.scale) scales += fmt::format("{}{:g}", scales.empty() ? "" : ", ", scale);
  return fmt::format("{} {} features of scale {}{}", choice.count, word_of(choice.activation), scales,
                     choice.graded > 0 ? fmt::format(" graded to {:g}", choice.graded) : "");
}

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

FeatureSearch find_features(const problem::Problem& problem) {
  const std::size_t axes = problem.box.names.size();
  const FeatureChoice usual{problem::Activation::Sin, std::vector<double>(axes, 4.0), 0, 250};
  const problem::Problem reference = with_features(problem, usual, 1);
  const EquationWeights weights = weights_of(reference, problem.seed);
  FeatureSearch found;
  found.linear = is_linear(reference, problem.seed);
  const FeatureCounts counts = feature_counts(problem, found.linear);
  found.steps = found.linear ? 1 : kSolveSteps;
  const auto solve = [&](std::optional<FeatureChoice> choice, int count) {
    if (!choice) return;
    choice->count = count;
    const double residual =
        held_out_ratio(with_features(problem, *choice, found.steps), problem.seed, found.steps, weights).worse();
    if (residual >= found.left) return;
    found.left = residual;
    found.choice = choice;
  };
  solve(Probe(problem, counts.probe, found.linear, weights).best_plain(counts.second), counts.solve);
  if (axes == 1 && found.left > kLayer)
    solve(Probe(problem, counts.probe, found.linear, weights).best_graded(), counts.solve);
  if (found.left > counts.fine && found.left < kHopeless) solve(found.choice, counts.more);
  return found;
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

problem::Problem choose_training(const problem::Problem& problem) {
  problem::Problem same = with_trained_networks(problem);
  if (!problem.training_open) return same;
  if (const std::string reason = obstacle_to_solve(problem); !reason.empty()) {
    same.recommendation += "; no solve of features, because of " + reason;
    return same;
  }
  const FeatureSearch found = find_features(problem);
  const double accepted = found.linear ? kAccepted : kAcceptedNonlinear;
  if (found.left <= accepted) {
    problem::Problem solved = with_features(problem, *found.choice, found.steps);
    solved.recommendation = fmt::format(
        "{} {} instead of training the networks: residual {:.1e} of the zero solution's on fresh points, at most {:g} "
        "is accepted (optimizer = \"train\" trains the networks)",
        found.linear ? "one solve of" : "Gauss–Newton on", words(*found.choice), found.left, accepted);
    return solved;
  }
  const std::string failed =
      found.choice ? fmt::format("{} leave {:.1e} of the residual on fresh points", words(*found.choice), found.left)
                   : "no scale of them found";
  same.recommendation += "; no solve of features: " + failed;
  return same;
}

}  // namespace pecann::train
