#include "pecann/train/choose_training.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <map>
#include <optional>
#include <string>

#include "pecann/problem/recommended.h"
#include "pecann/train/feature_solve.h"

namespace pecann::train {
namespace {

constexpr int kProbeSteps = 3;    // Gauss–Newton steps of a nonlinear probe
constexpr int kSolveSteps = 12;   // of a nonlinear solve
constexpr double kUseless = 0.9;  // a probe that leaves this share of the residual has found nothing
constexpr double kLayer = 1e-7;   // least distance of graded features
constexpr double kGain = 0.5;     // a sweep over the coordinates that gains less is the last
constexpr int kMostSweeps = 3;

int number_of_fields(const problem::Problem& problem) {
  int fields = 0;
  for (const problem::NetworkSpec& network : problem.networks) fields += static_cast<int>(network.fields.size());
  return fields;
}

/// Features of the probe, and of the solve; fewer for each field where there are several.
int probe_features(const problem::Problem& problem) { return number_of_fields(problem) > 1 ? 150 : 250; }
int solve_features(const problem::Problem& problem) {
  const int dimension = problem.box.dimension(), all = dimension == 1 ? 800 : dimension == 2 ? 1000 : 2000;
  return all / number_of_fields(problem) + (number_of_fields(problem) > 1 ? 150 : 0);
}

/// Why no solve is tried; "" where it is.
std::string obstacle(const problem::Problem& problem) {
  if (problem.windows.count > 1 || problem.windows.first.grow > 1) return "time windows";
  if (!problem.parameters.empty()) return "trainable scalars";
  if (const std::string kink = problem::kink_of(problem); !kink.empty()) return kink;
  for (const problem::NetworkSpec& network : problem.networks)
    if (network.output != problem::Output::Linear) return "the output of '" + network.name + "'";
  for (const problem::TermSpec& term : problem.terms) {
    if (term.data) return "data in term '" + term.name + "'";
    if (term.near) return "the points near a density in term '" + term.name + "'";
    if (term.aggregate == problem::Aggregate::Pointwise) return "point-wise multipliers in term '" + term.name + "'";
  }
  return "";
}

class Probe {
 public:
  Probe(const problem::Problem& problem, double graded)
      : problem_(problem), graded_(graded), features_(probe_features(problem)) {
    const problem::Problem reference = with(candidate(problem::Activation::Sin, std::vector<double>(axes(), 4.0)));
    weights_ = weights_of(reference, problem.seed);
    linear_ = is_linear(reference, problem.seed);
  }

  bool linear() const { return linear_; }

  /// The best candidate; nothing where all leave most of the residual.
  std::optional<FeatureChoice> best() {
    const std::vector<double> usual = {2, 4, 8, 16, 32, 64}, line = {2, 4, 8, 16, 32, 64, 128, 256}, layers = {1, 2, 4};
    const std::vector<double>& scales = graded_ > 0 ? layers : axes() == 1 ? line : usual;
    FeatureChoice best = candidate(problem::Activation::Tanh, std::vector<double>(axes(), scales[0]));
    const auto consider = [&](const FeatureChoice& other) {
      if (ratio(other) < ratio(best)) best = other;
    };
    for (const problem::Activation kind : {problem::Activation::Tanh, problem::Activation::Sin}) {
      if (graded_ > 0 && kind == problem::Activation::Sin) continue;
      for (const double scale : scales) {
        consider(candidate(kind, std::vector<double>(axes(), scale)));
        for (std::size_t axis = 0; axes() > 1 && graded_ == 0 && axis < axes(); ++axis) {
          std::vector<double> along(axes(), scales[0]);
          along[axis] = scale;
          consider(candidate(kind, along));
        }
      }
    }
    for (int sweep = 0; axes() > 1 && sweep < kMostSweeps; ++sweep) {
      const double before = ratio(best);
      for (std::size_t axis = 0; axis < axes(); ++axis) {
        const FeatureChoice centre = best;
        for (const double factor : {0.25, 0.5, 2.0, 4.0}) {
          FeatureChoice other = centre;
          other.scale[axis] *= factor;
          consider(other);
        }
      }
      if (ratio(best) > kGain * before) break;
    }
    if (!(ratio(best) < kUseless)) return std::nullopt;
    return best;
  }

 private:
  std::size_t axes() const { return problem_.box.names.size(); }
  FeatureChoice candidate(problem::Activation kind, std::vector<double> scale) const {
    return {kind, std::move(scale), graded_, features_};
  }
  problem::Problem with(const FeatureChoice& choice) const { return with_features(problem_, choice, 1); }
  double ratio(const FeatureChoice& choice) {
    const auto [at, fresh] = ratios_.try_emplace(choice, 0.0);
    if (fresh) at->second = held_out_ratio(with(choice), problem_.seed, linear_ ? 1 : kProbeSteps, &weights_);
    return at->second;
  }

  const problem::Problem& problem_;
  double graded_;
  int features_;
  bool linear_ = true;
  EquationWeights weights_;
  std::map<FeatureChoice, double> ratios_;
};

std::string words(const FeatureChoice& choice) {
  std::string scales;
  for (const double scale : choice.scale) scales += fmt::format("{}{:g}", scales.empty() ? "" : ", ", scale);
  return fmt::format("{} {} features of scale {}{}", choice.count, word_of(choice.activation), scales,
                     choice.graded > 0 ? fmt::format(" graded to {:g}", choice.graded) : "");
}

}  // namespace

problem::Problem choose_training(const problem::Problem& problem) {
  if (!problem.training_open) return problem;
  problem::Problem same = problem;
  same.training_open = false;
  if (const std::string reason = obstacle(problem); !reason.empty()) {
    same.recommendation += "; no solve of features, because of " + reason;
    return same;
  }
  std::string failed;
  for (const double graded : {0.0, kLayer}) {
    Probe probe(problem, graded);
    std::optional<FeatureChoice> choice = probe.best();
    if (!choice) {
      failed += fmt::format("{}no scale of {}features found", failed.empty() ? "" : ", ", graded > 0 ? "graded " : "");
      continue;
    }
    choice->count = solve_features(problem);
    problem::Problem solved = with_features(problem, *choice, probe.linear() ? 1 : kSolveSteps);
    const double ratio = held_out_ratio(solved, problem.seed, probe.linear() ? 1 : kSolveSteps);
    if (ratio <= kAccepted) {
      solved.recommendation = fmt::format(
          "{} {} instead of training the networks: residual {:.1e} of the zero solution's on fresh points, at most "
          "{:g} is accepted (optimizer = \"train\" trains the networks)",
          probe.linear() ? "one solve of" : "Gauss–Newton on", words(*choice), ratio, kAccepted);
      return solved;
    }
    failed += fmt::format("{}{} leave {:.1e} of the residual on fresh points", failed.empty() ? "" : ", ",
                          words(*choice), ratio);
  }
  same.recommendation += "; no solve of features: " + failed;
  return same;
}

}  // namespace pecann::train
