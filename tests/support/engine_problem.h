// Problems made small, and an evaluator for them without the training around it.
#pragma once

#include <algorithm>
#include <cmath>
#include <memory>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "pecann/base/random_stream.h"
#include "pecann/evaluate/evaluator.h"
#include "pecann/expr/integral.h"
#include "pecann/problem/catalogue.h"
#include "pecann/problem/inequality_terms.h"
#include "pecann/problem/problem_file.h"
#include "pecann/sampling/sampler.h"
#include "support/reference_engine.h"

namespace pecann::test {

/// A catalogue problem with at most `points` points per face or interior, a few nodes per axis on grids,
/// and data without noise.
inline problem::Problem reduced(const std::string& name, int points) {
  problem::Problem problem = problem::load_problem(name);
  for (problem::TermSpec& term : problem.terms) {
    const auto axes = static_cast<double>(term.points.grid.size());
    for (int& nodes : term.points.grid)
      nodes = std::min(nodes, 2 + std::max(2, static_cast<int>(std::round(std::pow(points, 1 / axes)))));
    if (!term.points.is_product())
      term.points.count = std::min<std::size_t>(term.points.count, static_cast<std::size_t>(points));
    term.near.reset();
    if (term.data) term.data->noise = 0;
  }
  return problem;
}

/// The problem with one multiplier per point wherever the points stay the same; the objective is then a
/// sum (original PECANN).
inline problem::Problem pointwise(problem::Problem problem) {
  for (problem::TermSpec& term : problem.terms) {
    const bool redrawn = term.points.redraw_every > 0 || term.batch > 0;
    if (term.role == problem::Role::Objective) {
      term.aggregate = problem::Aggregate::Sum;
    } else if (!redrawn) {
      term.aggregate = problem::Aggregate::Pointwise;
    }
  }
  return problem;
}

/// A problem without windows and data, made ready to evaluate. Terms named in points.same_as share points.
struct SmallEngine {
  explicit SmallEngine(problem::Problem given) : problem(std::move(given)), model(problem, problem.box, problem.seed) {
    std::vector<evaluate::Term> terms;
    std::vector<sampling::PointSet> points;
    std::vector<std::string> owners;
    for (const problem::TermSpec& term : problem.terms) {
      const std::string& owner = term.points_of.empty() ? term.name : term.points_of;
      std::size_t set = std::find(owners.begin(), owners.end(), owner) - owners.begin();
      if (set == owners.size()) {
        RandomStream stream(problem.seed, "points." + owner);
        const bool integrals = std::ranges::any_of(problem.terms, [&](const problem::TermSpec& other) {
          return (other.name == owner || other.points_of == owner) && expr::has_integrals(other.residuals);
        });
        points.push_back(sampling::sample(term.regions, term.points, stream,
                                          {.weights = integrals, .slices = expr::integrates_space(term.residuals)}));
        owners.push_back(owner);
      }
      terms.push_back({term.name, term.role, term.aggregate, term.distance, term.weight, term.residuals, set});
      if (problem::has_inequality_multipliers(problem, term)) {
        terms.back().multiplied_inequality = true;
        terms.back().residuals = {expr::Expr(term.residuals[0]->arguments[0])};
      }
    }
    evaluator = std::make_unique<evaluate::Evaluator>(model, terms, points, problem.box.names);
  }
  explicit SmallEngine(const std::string& toml) : SmallEngine(problem::read_problem(toml, "test")) {}

  problem::Problem problem;
  evaluate::Model model;
  std::unique_ptr<evaluate::Evaluator> evaluator;
};

/// Parameters with Xavier weights, and with biases that are not zero.
inline std::vector<double> random_parameters(const evaluate::Model& model, std::uint64_t seed) {
  std::vector<double> parameters = model.initial_parameters(seed);
  RandomStream stream(seed, "test.parameters");
  for (double& parameter : parameters) parameter += 0.2 * stream.normal() / (1 + std::abs(parameter));
  return parameters;
}

struct RandomDuals {
  std::vector<double> multiplier, penalty;
  RandomDuals(std::size_t entries, std::uint64_t seed, double lowest_multiplier = -1)
      : multiplier(entries), penalty(entries) {
    RandomStream stream(seed, "test.duals");
    for (double& value : multiplier) value = lowest_multiplier + 3 * stream.uniform();
    for (double& value : penalty) value = 3 * stream.uniform();
  }
  evaluate::Multipliers view() const { return {multiplier, penalty}; }
};

inline double lagrangian(const evaluate::TermValues& values, const RandomDuals& duals) {
  double sum = values.objective;
  for (std::size_t i = 0; i < values.constraints.size(); ++i)
    sum += (duals.multiplier[i] + 0.5 * duals.penalty[i] * values.constraints[i]) * values.constraints[i];
  return sum;
}

/// The same with the multipliers of inequalities (penalty/dual_state.h).
inline double lagrangian(const evaluate::Evaluator& evaluator, evaluate::TermValues values, const RandomDuals& duals) {
  for (const evaluate::ConstraintEntries& entries : evaluator.constraints())
    for (std::size_t e = entries.first; entries.inequality && e < entries.first + entries.count; ++e)
      values.constraints[e] = std::max(values.constraints[e], -duals.multiplier[e] / duals.penalty[e]);
  return lagrangian(values, duals);
}

inline std::vector<double> residual_rows(evaluate::Evaluator& evaluator, std::span<const double> parameters) {
  std::vector<double> rows(evaluator.num_rows());
  evaluator.residuals(parameters, rows);
  return rows;
}

/// The residual of one row by the reference engine. `exact` gives the values of data.NAME columns.
inline double reference_row(const evaluate::Evaluator& evaluator, std::span<const double> parameters,
                            const std::vector<std::string>& coordinates, const evaluate::Evaluator::RowRun& run,
                            std::size_t i, const std::map<std::string, expr::Expr>& exact = {}) {
  const evaluate::Term& term = evaluator.terms()[run.term];
  const sampling::PointSet& points = evaluator.program(term.point_set).points();
  const auto place_of = [&](std::size_t point) {
    reference::Place place;
    for (std::size_t c = 0; c < coordinates.size(); ++c) place[coordinates[c]] = points.coordinates[c][point];
    for (const auto& [name, column] : points.columns)
      if (name.starts_with(sampling::kNormalColumn)) place[name] = column[point];
    return place;
  };
  reference::Engine engine(evaluator.model(), parameters);
  reference::Place place = place_of(run.first_point + i);
  if (expr::has_integrals(term.residuals)) {
    for (std::size_t point = 0; point < points.count; ++point)
      engine.quadrature.emplace_back(place_of(point), points.column(sampling::kWeightColumn)[point]);
    std::set<reference::Real> times;
    for (const auto& [point, weight] : engine.quadrature)
      if (point.contains("t")) times.insert(point.at("t"));
    if (expr::integrates_space(term.residuals)) place["t"] = *std::next(times.begin(), static_cast<std::ptrdiff_t>(i));
  }
  for (const auto& [name, expression] : exact) place["data." + name] = engine.value(expression, place);
  return static_cast<double>(engine.value(term.residuals[run.equation], place));
}

}  // namespace pecann::test
