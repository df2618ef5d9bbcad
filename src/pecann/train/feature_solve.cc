#include "pecann/train/feature_solve.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "pecann/expr/integral.h"
#include "pecann/optim/registry.h"
#include "pecann/optim/solve.h"
#include "pecann/problem/automatic.h"
#include "pecann/problem/joints.h"
#include "pecann/train/assembly.h"
#include "pecann/train/held_out.h"
#include "pecann/train/residual_rows.h"

namespace pecann::train {
namespace {

constexpr double kPointsPerFeature = 3;
constexpr double kLeastFresh = 200, kMostFresh = 2000;  // held-out points of a term

constexpr double kDeepest = 1e-7;  // held-out points are graded to this: layers thinner than the features must be seen

/// An assembly of a problem in the time window after those whose coefficients are known.
struct Assembled {
  using Windows = std::span<const std::vector<double>>;
  Assembled(const problem::Problem& of, std::uint64_t seed, Windows before = {})
      : finished(solved(of, seed, before)),
        assembly(of, seed, {.index = static_cast<int>(before.size()), .count = of.windows.count}, finished),
        rows(assembly.evaluator()) {}
  static Solution solved(const problem::Problem& of, std::uint64_t seed, Windows before) {
    Solution solution(of, seed);
    for (const std::vector<double>& window : before) solution.add_window(window);
    return solution;
  }
  std::vector<double> zero() const { return std::vector<double>(rows.size(), 0.0); }
  std::vector<double> start(std::uint64_t seed) const { return assembly.model().initial_parameters(seed); }
  std::vector<double> residuals(std::span<const double> x) {
    std::vector<double> values(rows.num_rows());
    rows.values(x, values);
    return values;
  }

  Solution finished;
  Assembly assembly;
  ResidualRows rows;
};

double norm(std::span<const double> values) {
  double sum = 0;
  for (const double value : values) sum += value * value;
  return std::sqrt(sum);
}

/// True where a term holds inside the domain, not on its faces.
bool fills_box(const problem::Problem& problem, const problem::TermSpec& term) {
  return !term.regions.empty() && std::ranges::all_of(term.regions, [&](const sampling::RegionPointer& region) {
    return region->dimension() == problem.box.dimension();
  });
}

/// Points on a face of a part: twice as many as lie at the distances of so many inside.
int joint_points(const problem::Problem& problem, double inside) {
  constexpr double kCloser = 2;
  const double dimension = problem.box.dimension();
  return static_cast<int>(std::ceil(kCloser * std::pow(inside, (dimension - 1) / dimension)));
}

/// Sobol points of a term for each piece of its regions, where each part has `inside`.
std::size_t points_in_parts(const problem::Problem& problem, const problem::TermSpec& term, double inside) {
  if (problem::count_parts(problem) == 1) return problem::points_for_piece(problem, term, inside);
  if (fills_box(problem, term)) return static_cast<std::size_t>(inside * problem::count_parts(problem));
  double across = 1;
  for (const sampling::RegionPointer& region : term.regions)
    across = std::max(across, problem::parts_across(problem, *region));
  return static_cast<std::size_t>(problem.decompose.points * across);
}

}  // namespace

problem::Problem with_features(const problem::Problem& problem, const FeatureChoice& choice, int epochs) {
  problem::Problem result = problem;
  for (problem::NetworkSpec& network : result.networks) {
    network.hidden = {choice.count};
    network.activation = choice.activation;
    network.fourier_sigma.reset();
    network.first_scale = 1;
    network.spread_biases = false;
    network.features.emplace();
    network.features->graded = choice.graded;
    for (const std::string& input : network.inputs)
      network.features->scale.push_back(choice.scale[problem.box.index_of(input)]);
  }
  result.decompose.planes = choice.planes;
  if (problem::count_parts(result) > 1)
    result.decompose.points = joint_points(result, kPointsPerFeature * choice.count);
  problem::join_parts(result);
  for (problem::TermSpec& term : result.terms) {
    if (term.joint) continue;
    term.batch = 0;
    term.points.redraw_every = 0;
    if (expr::has_integrals(term.residuals) || !term.points_of.empty() || !can_be_drawn_anew(problem, term)) continue;
    term.points = {.kind = sampling::PointRule::Kind::Sobol,
                   .count = points_in_parts(result, term, kPointsPerFeature * choice.count),
                   .graded = choice.graded};
  }
  problem::PhaseSpec phase;
  phase.optimizer = "solve";
  phase.epochs = epochs;
  phase.learning_rate = optim::optimizer_row(phase.optimizer).learning_rate;
  if (choice.graded > 0) phase.options["each_row"] = 1;
  result.phases = {phase};
  result.training_open = false;
  return result;
}

int number_of_fields(const problem::Problem& problem) {
  int fields = 0;
  for (const problem::NetworkSpec& network : problem.networks) fields += static_cast<int>(network.fields.size());
  return fields;
}

bool measured_by_row(const problem::Problem& problem) {
  return std::ranges::any_of(problem.phases, [](const problem::PhaseSpec& phase) {
    const auto option = phase.options.find("each_row");
    return phase.optimizer == "solve" && option != phase.options.end() && option->second != 0;
  });
}

EquationWeights weights_of(const problem::Problem& problem, std::uint64_t seed) {
  const problem::Problem fresh = held_out_problem(problem, kLeastFresh, kMostFresh);
  Assembled assembled(fresh, seed);
  return optim::equation_weights(assembled.rows, assembled.zero(), 1);
}

bool is_linear(const problem::Problem& problem, std::uint64_t seed) {
  Assembled assembled(problem, seed);
  std::vector<double> x = assembled.start(seed);
  RandomStream stream(seed, "linearity");
  for (double& entry : x) entry += stream.normal();
  const std::vector<double> zero = assembled.residuals(assembled.zero()), once = assembled.residuals(x);
  for (double& entry : x) entry *= 2;
  std::vector<double> twice = assembled.residuals(x);
  const double size = norm(zero) + norm(twice);
  for (std::size_t j = 0; j < twice.size(); ++j) twice[j] += zero[j] - 2 * once[j];
  constexpr double kRounding = 1e-9;
  return norm(twice) <= kRounding * size;
}

std::optional<std::vector<double>> solved_coefficients(const problem::Problem& problem, std::uint64_t seed, int steps,
                                                       std::span<const std::vector<double>> before,
                                                       optim::KnownSteps* kept) {
  Assembled trained(problem, seed, before);
  std::vector<double> x = before.empty() ? trained.start(seed) : before.back();
  optim::Solve solve({.each_row = measured_by_row(problem)});
  optim::StepOutcome outcome = optim::StepOutcome::Moved;
  for (int step = 0; step < steps && outcome == optim::StepOutcome::Moved; ++step)
    outcome = (kept ? solve.step_and_keep(trained.rows, x, *kept) : solve.step(trained.rows, x)).outcome;
  if (outcome == optim::StepOutcome::NotFinite) return std::nullopt;
  return x;
}

namespace {

/// The largest weight of a row by equation: that of the flattest ones.
EquationWeights largest_by_equation(const optim::Residuals& residuals, std::span<const double> weights) {
  EquationWeights largest;
  for (const optim::Residuals::Run& run : residuals.runs()) {
    largest.resize(std::max(largest.size(), static_cast<std::size_t>(run.equation) + 1), 0.0);
    for (std::size_t j = run.first_row; j < run.first_row + run.count; ++j)
      largest[run.equation] = std::max(largest[run.equation], weights[j]);
  }
  return largest;
}

/// What a row counts beside the flattest ones of its equation, which count 1.
std::vector<double> shape_of(const optim::Residuals& residuals, std::span<const double> weights) {
  const EquationWeights largest = largest_by_equation(residuals, weights);
  std::vector<double> shape(weights.begin(), weights.end());
  for (const optim::Residuals::Run& run : residuals.runs())
    for (std::size_t j = run.first_row; j < run.first_row + run.count; ++j)
      if (largest[run.equation] > 0) shape[j] /= largest[run.equation];
  return shape;
}

}  // namespace

HeldOutRatio left_by(const problem::Problem& problem, std::uint64_t seed, std::span<const double> x,
                     const EquationWeights& weights, std::span<const std::vector<double>> before) {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  problem::Problem fresh = held_out_problem(problem, kLeastFresh, kMostFresh);
  for (problem::TermSpec& term : fresh.terms)
    if (term.points.graded > 0) term.points.graded = kDeepest;
  Assembled unseen(fresh, seed, before);
  const bool by_row = measured_by_row(problem);
  const std::vector<double> lengths = by_row ? optim::weights_by_row(unseen.rows, x, 1) : std::vector<double>();
  const std::vector<double> shape = by_row ? shape_of(unseen.rows, lengths) : std::vector<double>();
  const auto squares = [&](std::vector<double> values) {
    if (by_row)
      for (std::size_t j = 0; j < values.size(); ++j) values[j] *= shape[j];
    return optim::equation_squares(unseen.rows, values);
  };
  const std::vector<double> left = squares(unseen.residuals(x)), zero = squares(unseen.residuals(unseen.zero()));
  const auto ratio = [&](const EquationWeights& used) {
    double above = 0, below = 0;
    if (used.size() != left.size()) return kInfinity;
    for (std::size_t e = 0; e < used.size(); ++e) {
      if (used[e] == 0 && left[e] > 0) return kInfinity;
      above += used[e] * used[e] * left[e];
      below += used[e] * used[e] * zero[e];
    }
    return above == 0 ? 0 : std::isfinite(above) && below > 0 ? std::sqrt(above / below) : kInfinity;
  };
  const EquationWeights own =
      by_row ? largest_by_equation(unseen.rows, lengths) : optim::equation_weights(unseen.rows, x, 1);
  return {ratio(weights), ratio(own)};
}

std::vector<std::vector<double>> left_by_layers(const problem::Problem& problem, std::uint64_t seed,
                                                std::span<const double> x,
                                                std::span<const std::vector<double>> before) {
  const problem::Problem fresh = held_out_problem(problem, kLeastFresh, kMostFresh);
  Assembled unseen(fresh, seed, before);
  const std::vector<double> rows = unseen.residuals(x);
  const std::vector<double> weights = optim::weights_by_run(unseen.rows, x, 1);
  const int dimension = problem.box.dimension();
  std::vector<std::vector<double>> layers;
  std::vector<std::vector<int>> counts;
  for (int c = 0; c < dimension; ++c) {
    layers.emplace_back(problem.decompose.along(c), 0.0);
    counts.emplace_back(problem.decompose.along(c), 0);
  }
  const evaluate::Evaluator& evaluator = unseen.assembly.evaluator();
  for (const evaluate::Evaluator::RowRun& run : evaluator.row_runs()) {
    if (!fills_box(fresh, fresh.terms[run.term])) continue;
    const sampling::PointSet& points = unseen.assembly.points_of(evaluator.terms()[run.term].point_set);
    for (int c = 0; c < dimension; ++c) {
      const std::vector<double>& planes = problem.decompose.planes[static_cast<std::size_t>(c)];
      for (std::size_t i = 0; i < run.count; ++i) {
        const double place = points.coordinates[static_cast<std::size_t>(c)][run.first_point + i];
        const auto layer = std::ranges::lower_bound(planes, place) - planes.begin();
        const double value = weights[run.first_row + i] * rows[run.first_row + i];
        layers[c][layer] += value * value;
        ++counts[c][layer];
      }
    }
  }
  for (int c = 0; c < dimension; ++c)
    for (std::size_t l = 0; l < layers[c].size(); ++l)
      layers[c][l] = counts[c][l] > 0 ? std::sqrt(layers[c][l] / counts[c][l]) : 0;
  return layers;
}

HeldOutRatio held_out_ratio(const problem::Problem& problem, std::uint64_t seed, int steps,
                            const EquationWeights& weights) {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  const std::optional<std::vector<double>> solved = solved_coefficients(problem, seed, steps);
  return solved ? left_by(problem, seed, *solved, weights) : HeldOutRatio{kInfinity, kInfinity};
}

}  // namespace pecann::train
