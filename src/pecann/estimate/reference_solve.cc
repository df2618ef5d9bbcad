#include "pecann/estimate/reference_solve.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <tuple>

#include "pecann/estimate/equation_rows.h"
#include "pecann/estimate/fresh_points.h"
#include "pecann/optim/solve.h"

namespace pecann::estimate {
namespace {

constexpr double kPointsInside = 1500;
constexpr double kConditionsCount = 3;  // β of conditions, as in the first draw of the error equation

/// Rows of a model at some parameters, and their units ω, in the order of terms, equations and points, which does not
/// depend on the model. `equation` is that of each row.
struct Measured {
  std::vector<double> rows, zero, units;
  std::vector<int> equation;
};
Measured measured(const evaluate::Model& model, const WindowPoints& window, const std::vector<std::string>& names,
                  std::span<const double> parameters, bool by_row) {
  evaluate::Evaluator evaluator(model, window.terms, window.points, names);
  train::ResidualRows rows(evaluator);
  std::vector<double> values(rows.num_rows()), at_zero(rows.num_rows());
  rows.values(parameters, values);
  rows.values(std::vector<double>(parameters.size(), 0.0), at_zero);
  const std::span<const optim::Residuals::Run> runs = rows.runs();
  std::vector<double> units;
  if (by_row) units = optim::weights_by_row(rows, parameters, 1);
  const std::vector<double> of_equations = by_row ? units : optim::equation_weights(rows, parameters, 1);
  std::vector<std::size_t> order(runs.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::sort(order, {}, [&](std::size_t r) {
    const evaluate::Evaluator::RowRun& run = evaluator.row_runs()[r];
    return std::tuple(run.term, run.equation, run.first_point);
  });
  Measured result;
  for (const std::size_t r : order)
    for (std::size_t j = runs[r].first_row; j < runs[r].first_row + runs[r].count; ++j) {
      result.rows.push_back(values[j]);
      result.zero.push_back(at_zero[j]);
      result.units.push_back(by_row ? units[j] : of_equations[static_cast<std::size_t>(runs[r].equation)]);
      result.equation.push_back(runs[r].equation);
    }
  return result;
}

}  // namespace

std::optional<train::FeatureChoice> features_of(const problem::Problem& problem) {
  train::FeatureChoice choice;
  choice.scale.assign(problem.box.names.size(), 4.0);
  for (const problem::NetworkSpec& network : problem.networks) {
    if (!network.features || network.hidden.size() != 1) return std::nullopt;
    choice.activation = network.activation;
    choice.graded = network.features->graded;
    choice.count = network.hidden.front();
    for (std::size_t i = 0; i < network.features->scale.size(); ++i)
      choice.scale[static_cast<std::size_t>(problem.box.index_of(network.inputs[i]))] = network.features->scale[i];
  }
  return choice;
}

problem::Problem for_reference(const problem::Problem& problem) {
  problem::Problem result = problem;
  result.windows.first.grow = 1;
  for (problem::TermSpec& term : result.terms) {
    term.near.reset();
    if (term.aggregate == problem::Aggregate::Pointwise) term.aggregate = problem::Aggregate::Mean;
  }
  return result;
}

std::shared_ptr<const Reference> solve_reference(const problem::Problem& problem, const train::FeatureChoice& choice,
                                                 int steps, std::uint64_t seed) {
  auto reference = std::make_shared<Reference>();
  reference->problem = train::with_features(problem, choice, steps);
  reference->seed = seed;
  std::optional<std::vector<double>> coefficients = train::solved_coefficients(reference->problem, seed, steps);
  if (!coefficients) return nullptr;
  reference->solution = std::make_unique<train::Solution>(reference->problem, seed);
  reference->solution->add_window(std::move(*coefficients));
  return reference;
}

ResidualRatio compare_residuals(const problem::Problem& problem, const train::Solution& solution, std::uint64_t seed,
                                const Reference& reference) {
  const WindowPoints window = window_points(problem, solution, seed, 0, nullptr, " compared", kPointsInside);
  const std::vector<std::string>& names = problem.box.names;
  const Measured trained =
      measured(solution.model(0), window, names, solution.parameters(0), train::measured_by_row(problem));
  const Measured other = measured(reference.solution->model(0), window, names, reference.solution->parameters(0),
                                  train::measured_by_row(reference.problem));
  std::vector<double> factors;
  for (const problem::TermSpec& term : problem.terms)
    factors.insert(factors.end(), term.residuals.size(), fills_domain(problem, term) ? 1.0 : kConditionsCount);
  ResidualRatio result{0, 0};
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  for (const std::vector<double>* units : {&trained.units, &other.units}) {
    double of_reference = 0, of_trained = 0, of_zero = 0;
    for (std::size_t j = 0; j < units->size(); ++j) {
      const double weight = (*units)[j] * factors[static_cast<std::size_t>(other.equation[j])];
      if (weight == 0 && other.rows[j] != 0) return {kInfinity, kInfinity};
      of_reference += (weight * other.rows[j]) * (weight * other.rows[j]);
      of_trained += (weight * trained.rows[j]) * (weight * trained.rows[j]);
      of_zero += (weight * other.zero[j]) * (weight * other.zero[j]);
    }
    const auto ratio = [](double above, double below) {
      return above == 0 ? 0 : below > 0 && std::isfinite(above) ? std::sqrt(above / below) : kInfinity;
    };
    result.of_trained = std::max(result.of_trained, ratio(of_reference, of_trained));
    result.of_zero = std::max(result.of_zero, ratio(of_trained, of_zero));
  }
  return result;
}

}  // namespace pecann::estimate
