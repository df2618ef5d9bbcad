#include "pecann/train/error_norms.h"

#include <algorithm>
#include <cmath>

#include "pecann/base/input_error.h"
#include "pecann/base/require.h"
#include "pecann/evaluate/helmholtz_reference.h"
#include "pecann/expr/program.h"
#include "pecann/problem/scope.h"
#include "pecann/sampling/subset.h"
#include "pecann/sampling/table.h"

namespace pecann::train {

sampling::PointSet evaluation_points(const problem::Problem& problem, const sampling::Box& box) {
  const std::vector<int>& grid = problem.evaluate.grid;
  require(grid.size() == box.names.size(), "the evaluation grid has one number per coordinate");
  sampling::PointSet points;
  points.count = 1;
  for (const int nodes : grid) points.count *= static_cast<std::size_t>(nodes);
  points.coordinates.assign(grid.size(), AlignedVector<double>(points.padded()));
  for (std::size_t i = 0; i < points.padded(); ++i) {
    std::size_t rest = std::min(i, points.count - 1);
    for (std::size_t c = 0; c < grid.size(); ++c) {
      const std::size_t node = rest % grid[c];
      rest /= grid[c];
      const bool last_time = problem.evaluate.final_only && static_cast<int>(c) == box.time;
      const double share = last_time ? 1.0 : (grid[c] == 1 ? 0.5 : static_cast<double>(node) / (grid[c] - 1));
      points.coordinates[c][i] = box.lower[c] + share * (box.upper[c] - box.lower[c]);
    }
  }
  return points;
}

double evaluation_cell(const problem::Problem& problem, const sampling::Box& box) {
  double cell = 1;
  for (std::size_t c = 0; c < box.names.size(); ++c)
    if (problem.evaluate.grid[c] > 1) cell *= (box.upper[c] - box.lower[c]) / (problem.evaluate.grid[c] - 1);
  return cell;
}

double measure_of(const FieldError& error, problem::Measure measure) {
  switch (measure) {
    case problem::Measure::RelativeL2:
      return error.relative_l2;
    case problem::Measure::Linf:
      return error.linf;
    case problem::Measure::L1:
      return error.l1;
    case problem::Measure::Integral:
      return error.integral;
    case problem::Measure::FiniteDifferences:
      return error.finite_differences;
    case problem::Measure::Projected:
      return error.projected;
  }
  contract_broken("no such measure", std::source_location::current());
}

expr::Expr evaluation_reading(const problem::Problem& problem, const std::string& field) {
  if (problem.functions.contains(field)) return expr::parse(field, problem::scope_of(problem));
  const auto frozen = problem.evaluate.at.find(field);
  if (frozen == problem.evaluate.at.end()) return expr::field(field);
  std::map<std::string, expr::Expr> site;
  for (const auto& [coordinate, value] : frozen->second) site.emplace(coordinate, value);
  return expr::at(expr::field(field), site);
}

FieldError error_of(const std::string& field, std::span<const double> predicted, std::span<const double> exact,
                    double cell) {
  double difference = 0, norm = 0, largest = 0, absolute = 0, excess = 0;
  for (std::size_t i = 0; i < exact.size(); ++i) {
    const double d = predicted[i] - exact[i];
    difference += d * d;
    norm += exact[i] * exact[i];
    absolute += std::abs(d);
    excess += d;
    if (!(std::abs(d) <= largest) && !std::isnan(largest)) largest = std::abs(d);  // keeps a NaN
  }
  return {field, std::sqrt(difference / norm), largest, absolute * cell, std::abs(excess) * cell};
}

namespace {

/// Fields and functions of fields, by name.
std::vector<std::string> sorted_quantities(const problem::Problem& problem) {
  std::vector<std::string> names = problem::quantity_names(problem);
  std::sort(names.begin(), names.end());
  return names;
}

/// The source of the problem, which must be the one that the reference is for.
evaluate::HelmholtzSource helmholtz_source(const problem::Problem& problem, const std::string& field) {
  const auto number = [&](const char* name) {
    const auto found = problem.constants.find(name);
    if (found == problem.constants.end())
      throw InputError({.place = {.file = problem.source},
                        .key = "reference",
                        .value = problem.reference,
                        .rule = std::string("needs the constant '") + name + "'"});
    return found->second;
  };
  const std::vector<int>& grid = problem.evaluate.grid;
  const bool unit_square =
      problem.box.lower == std::vector<double>{0, 0} && problem.box.upper == std::vector<double>{1, 1};
  if (!unit_square || grid.size() != 2 || grid[0] != grid[1] || grid[0] < 3)
    throw InputError({.place = {.file = problem.source},
                      .key = "reference",
                      .value = problem.reference,
                      .rule = "is for the unit square and an evaluation grid [n, n] (field '" + field + "')"});
  return {number("k"), number("width")};
}

/// The rows of a table that lie in the times of a box: a window's share of a reference.
std::vector<std::size_t> rows_in(const sampling::PointSet& points, const sampling::Box& box) {
  std::vector<std::size_t> rows;
  const double slack = box.time < 0 ? 0 : 1e-9 * (box.upper[box.time] - box.lower[box.time]);
  for (std::size_t i = 0; i < points.count; ++i) {
    const double t = box.time < 0 ? 0 : points.coordinates[box.time][i];
    if (box.time < 0 || (t >= box.lower[box.time] - slack && t <= box.upper[box.time] + slack)) rows.push_back(i);
  }
  return rows;
}

Reference from_table(const problem::Problem& problem, const sampling::Box& box) {
  const sampling::Table table = sampling::read_table(problem.reference);
  const sampling::PointSet all = sampling::points_of(table, problem.box);
  const std::vector<std::size_t> rows = rows_in(all, box);
  Reference reference{sampling::subset(all, rows), {}, {}};
  for (const std::string& field : sorted_quantities(problem)) {
    if (rows.empty() || std::find(table.names.begin(), table.names.end(), field) == table.names.end()) continue;
    reference.fields.push_back(field);
    for (std::vector<double>& values = reference.values.emplace_back(); const std::size_t row : rows)
      values.push_back(table.column(field)[row]);
  }
  return reference;
}

}  // namespace

Reference reference_solution(const problem::Problem& problem, const sampling::Box& box) {
  if (problem.reference.ends_with(".csv") || problem.reference.ends_with(".npy")) return from_table(problem, box);
  Reference reference{evaluation_points(problem, box), {}, {}};
  const sampling::PointSet& points = reference.points;
  std::map<std::string, const double*> coordinates;
  for (std::size_t i = 0; i < box.names.size(); ++i) coordinates[box.names[i]] = points.coordinates[i].data();
  for (const std::string& field : sorted_quantities(problem)) {
    if (problem.reference == "helmholtz-source" && !problem.functions.contains(field)) {
      const evaluate::HelmholtzSource source = helmholtz_source(problem, field);
      reference.values.push_back(evaluate::helmholtz_series(source, problem.evaluate.grid[0]));
    } else if (const auto exact = problem.exact.find(field); exact != problem.exact.end()) {
      double* const values = reference.values.emplace_back(points.count).data();
      expr::evaluate_columns(std::span(&exact->second, 1), coordinates, points.count, std::span(&values, 1));
    } else {
      continue;
    }
    reference.fields.push_back(field);
  }
  return reference;
}

std::vector<FieldError> solution_errors(const problem::Problem& problem, const Solution& solution) {
  const Reference reference = reference_solution(problem, problem.box);
  std::vector<FieldError> errors;
  if (reference.fields.empty()) return errors;
  std::vector<expr::Expr> read;
  for (const std::string& field : reference.fields) read.push_back(evaluation_reading(problem, field));
  std::vector<std::vector<double>> predicted;
  solution.evaluate(read, reference.points, predicted);
  for (std::size_t f = 0; f < read.size(); ++f)
    errors.push_back(
        error_of(reference.fields[f], predicted[f], reference.values[f], evaluation_cell(problem, problem.box)));
  return errors;
}

ErrorNorms::ErrorNorms(const problem::Problem& problem, const evaluate::Model& model, const sampling::Box& box)
    : cell_(evaluation_cell(problem, box)) {
  if (problem.evaluate.final_only && box.upper[box.time] != problem.box.upper[box.time]) return;
  Reference reference = reference_solution(problem, box);
  if (reference.fields.empty()) return;
  if (problem.reference == "helmholtz-source") {
    const int nodes = problem.evaluate.grid[0];
    const evaluate::HelmholtzSource source = helmholtz_source(problem, reference.fields[0]);
    resonance_ =
        Resonance{nodes, evaluate::helmholtz_differences(source.k, evaluate::source_values(source, nodes), nodes),
                  evaluate::free_modes(source.k)};
  }
  std::vector<expr::Expr> read;
  for (const std::string& field : reference.fields) read.push_back(evaluation_reading(problem, field));
  values_ = std::make_unique<evaluate::FieldValues>(model, read, reference.points, box.names);
  fields_ = std::move(reference.fields);
  exact_ = std::move(reference.values);
}

std::vector<FieldError> ErrorNorms::measure(std::span<const double> parameters) {
  std::vector<FieldError> errors;
  if (fields_.empty()) return errors;
  values_->evaluate(parameters, predicted_);
  for (std::size_t f = 0; f < fields_.size(); ++f) {
    errors.push_back(error_of(fields_[f], predicted_[f], exact_[f], cell_));
    if (!resonance_) continue;
    errors.back().finite_differences = error_of(fields_[f], predicted_[f], resonance_->differences, cell_).relative_l2;
    const auto rest = evaluate::without_modes(predicted_[f], resonance_->nodes, resonance_->free_modes);
    errors.back().projected = error_of(fields_[f], rest, exact_[f], cell_).relative_l2;
  }
  return errors;
}

}  // namespace pecann::train
