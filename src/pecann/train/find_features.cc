#include "pecann/train/find_features.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <memory>
#include <vector>

#include "pecann/problem/recommended.h"

namespace pecann::train {
namespace {

constexpr int kProbeSteps = 5;   // Gauss–Newton steps of a nonlinear probe
constexpr int kSolveSteps = 12;  // of a nonlinear solve
constexpr double kGood = 0.05;   // a probe below this needs no further kinds of candidates
constexpr double kPoor = 0.2;    // a best probe above this deserves a second look
constexpr std::size_t kSecondLooks = 4;
constexpr double kLayer = 1e-11;  // residuals above this on a line may come from a layer at an end
constexpr double kUseless = 0.9;  // a probe that leaves this share of the residual has found nothing
constexpr double kGain = 0.5;     // a sweep over the coordinates that gains less is the last
constexpr int kMostSweeps = 3;

// Growth: more features while they pay.
constexpr double kLeastGrowth = 1.25;        // of the number of features, else more of them are not tried
constexpr double kWorthMore = 0.5;           // goes on while each step leaves at most this share
constexpr double kWorthMoreNonlinear = 0.1;  // the same where steps are dear and far more is asked
constexpr double kClearGain = 0.1;           // a step that leaves more than this may want steeper features
constexpr double kNonlinear = 0.1;           // of the products of a linear solve, for each step
constexpr double kFewProducts = 6e10;        // a solve of more is tried only where more than this is left:
constexpr double kFineEnough = 1e-5;

/// Features of the probe, of its second look and of the first solve. Gauss–Newton has several solves, and a system has
/// the coefficients of all its fields in one.
struct FeatureCounts {
  int probe, second, solve;
  double fine = 1e-7;  // a residual below this needs no more features
};
FeatureCounts feature_counts(const problem::Problem& problem, bool linear) {
  const int dimension = problem.box.dimension(), fields = number_of_fields(problem);
  FeatureCounts counts = dimension == 1   ? FeatureCounts{250, 500, 800, 1e-13}
                         : dimension == 2 ? FeatureCounts{250, 600, 800}
                         : dimension == 3 ? FeatureCounts{250, 600, 1200}
                                          : FeatureCounts{250, 600, 1000};
  if (!linear) counts = {150, 300, dimension <= 2 ? 600 : 800, counts.fine};
  if (fields > 1) counts = {150, 300, std::max(300, counts.solve / fields), counts.fine};
  return counts;
}

/// Twice the features, or as many as the limits of a step allow; nothing where that is hardly more.
std::optional<FeatureChoice> with_more(const problem::Problem& problem, const FeatureChoice& choice, double limit) {
  const double cost = feature_products(with_features(problem, choice, 1));
  const double factor = std::min(2.0, std::cbrt(limit / cost));  // rows grow with the features
  if (factor < kLeastGrowth) return std::nullopt;
  FeatureChoice more = choice;
  more.count = static_cast<int>(factor * choice.count);
  return more;
}

/// Features of both kinds that are twice as steep: few features do best when flat, more of them resolve steeper ones.
std::vector<FeatureChoice> steeper(FeatureChoice choice) {
  if (choice.graded > 0) return {};
  for (double& scale : choice.scale) scale *= 2;
  FeatureChoice other = choice;
  other.activation =
      choice.activation == problem::Activation::Sin ? problem::Activation::Tanh : problem::Activation::Sin;
  return {choice, other};
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

double feature_products(const problem::Problem& problem) {
  double columns = 0;
  for (const problem::NetworkSpec& network : problem.networks) columns += problem::count_parameters(network);
  return problem::count_residuals(problem) * columns * columns;
}

double affordable_products(const problem::Problem& problem) {
  constexpr double kPerSecond = 4e9, kMost = 2.4e12;  // about 9,000 columns, whose triangle takes 0.3 GB
  return problem.stop.seconds ? std::min(kPerSecond * *problem.stop.seconds, kMost) : GrowthLimits{}.products;
}

FeatureSearch find_features(const problem::Problem& problem, const GrowthLimits& limits, const Tell& tell) {
  const std::size_t axes = problem.box.names.size();
  const FeatureChoice usual{problem::Activation::Sin, std::vector<double>(axes, 4.0), 0, 250};
  const problem::Problem reference = with_features(problem, usual, 1);
  const EquationWeights weights = weights_of(reference, problem.seed);
  FeatureSearch found;
  found.weights = weights;
  found.linear = is_linear(reference, problem.seed);
  const FeatureCounts counts = feature_counts(problem, found.linear);
  found.steps = found.linear ? 1 : kSolveSteps;
  const auto solve = [&](std::optional<FeatureChoice> choice, int count) {
    if (!choice) return;
    choice->count = count;
    const problem::Problem with = with_features(problem, *choice, found.steps);
    const auto kept = std::make_shared<optim::KnownSteps>();
    const std::optional<std::vector<double>> x = solved_coefficients(with, problem.seed, found.steps, {}, kept.get());
    const double residual =
        x ? left_by(with, problem.seed, *x, weights).worse() : std::numeric_limits<double>::infinity();
    if (tell) tell(fmt::format("{} leave {:.1e} of the residual on fresh points", words(*choice), residual));
    if (residual >= found.left) return;
    found.left = residual;
    found.choice = choice;
    found.steps_made = kept;
  };
  solve(Probe(problem, counts.probe, found.linear, weights).best_plain(counts.second), counts.solve);
  if (axes == 1 && found.left > kLayer)
    solve(Probe(problem, counts.probe, found.linear, weights).best_graded(), counts.solve);
  const double hopeless = found.linear ? kUseless : kHopeless, worth = found.linear ? kWorthMore : kWorthMoreNonlinear;
  const double fine = std::max(counts.fine, limits.enough);
  const double products = found.linear ? limits.products : kNonlinear * limits.products;
  while (found.choice && found.left > fine && found.left < hopeless) {
    const double before = found.left;
    const std::optional<FeatureChoice> more = with_more(problem, *found.choice, products);
    if (!more) break;
    if (before < kFineEnough && feature_products(with_features(problem, *more, 1)) > kFewProducts) break;
    solve(more, more->count);
    if (found.linear && found.left > kAccepted && found.left > kClearGain * before)
      for (const FeatureChoice& other : steeper(*more)) solve(other, other.count);
    if (found.left > worth * before) break;
  }
  return found;
}

}  // namespace pecann::train
