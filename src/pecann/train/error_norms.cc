#include "pecann/train/error_norms.h"

#include <algorithm>
#include <cmath>

#include "pecann/base/require.h"
#include "pecann/expr/program.h"
#include "pecann/problem/scope.h"
#include "pecann/reference/registry.h"
#include "pecann/sampling/mesh_nodes.h"

namespace pecann::train {

sampling::PointSet evaluation_points(const problem::Problem& problem, const sampling::Box& box) {
  const problem::EvaluateSpec& evaluate = problem.evaluate;
  if (evaluate.mesh.empty()) return problem.domain->within(box)->evaluation_points(evaluate.grid, evaluate.final_only);
  const mesh::Mesh& mesh = *problem.domain->mesh(evaluate.mesh);
  const int times = box.time < 0 || evaluate.final_only ? 1 : evaluate.grid[static_cast<std::size_t>(box.time)];
  const sampling::PointSet all = sampling::points_of_nodes(mesh, sampling::nodes_of_cells(mesh), box, times);
  return sampling::points_within(*problem.domain, all);
}

double evaluation_cell(const problem::Problem& problem, const sampling::Box& box) {
  return problem.domain->within(box)->evaluation_cell(problem.evaluate.grid);
}

namespace {

/// The member of a measure that all fields have; null for those of a reference.
double FieldError::*common_measure(const std::string& measure) {
  if (measure == "relative_l2") return &FieldError::relative_l2;
  if (measure == "linf") return &FieldError::linf;
  if (measure == "l1") return &FieldError::l1;
  if (measure == "integral") return &FieldError::integral;
  return nullptr;
}

}  // namespace

double measure_of(const FieldError& error, const std::string& measure) {
  if (double FieldError::*const member = common_measure(measure)) return error.*member;
  const auto own = error.of_reference.find(measure);
  return own == error.of_reference.end() ? std::numeric_limits<double>::quiet_NaN() : own->second;
}

void set_measure(FieldError& error, const std::string& measure, double value) {
  if (double FieldError::*const member = common_measure(measure)) {
    error.*member = value;
  } else {
    error.of_reference[measure] = value;
  }
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

}  // namespace

reference::Subject reference_subject(const problem::Problem& problem, const sampling::Box& part,
                                     const std::vector<int>& grid) {
  return {.file = problem.source,
          .name = problem.reference,
          .fields = problem::field_names(problem),
          .constants = problem.constants,
          .domain = problem.box,
          .part = part,
          .grid = grid};
}

Comparison comparison_for(const problem::Problem& problem, const sampling::Box& box) {
  Comparison result;
  result.reference = reference::make_reference(reference_subject(problem, box, problem.evaluate.grid));
  const sampling::PointSet* const own = result.reference ? result.reference->points() : nullptr;
  result.points = own != nullptr ? *own : evaluation_points(problem, box);
  const std::size_t count = result.points.count;
  std::map<std::string, const double*> coordinates;
  for (std::size_t i = 0; i < box.names.size(); ++i) coordinates[box.names[i]] = result.points.coordinates[i].data();
  for (const std::string& field : sorted_quantities(problem)) {
    if (result.reference && result.reference->knows(field)) {
      result.values.push_back(result.reference->values(field));
    } else if (const auto exact = problem.exact.find(field); own == nullptr && exact != problem.exact.end()) {
      double* const values = result.values.emplace_back(count).data();
      expr::evaluate_columns(std::span(&exact->second, 1), coordinates, count, std::span(&values, 1));
    } else {
      continue;
    }
    const std::vector<std::string>& together = problem.evaluate.together;
    if (std::find(together.begin(), together.end(), field) != together.end())
      result.together.push_back(result.fields.size());
    result.fields.push_back(field);
  }
  if (result.together.size() != problem.evaluate.together.size()) result.together.clear();
  return result;
}

std::vector<FieldError> Comparison::errors(const std::vector<std::vector<double>>& predicted, double cell) const {
  std::vector<FieldError> all;
  for (std::size_t f = 0; f < fields.size(); ++f) {
    all.push_back(error_of(fields[f], predicted[f], values[f], cell));
    if (!reference || !reference->knows(fields[f])) continue;
    for (const auto& [measure, value] : reference->measures(predicted[f])) all.back().of_reference[measure] = value;
  }
  if (together.empty()) return all;
  FieldError joined{.field = problem::kTogether, .linf = 0, .l1 = 0, .integral = 0};
  double difference = 0, norm = 0;
  for (const std::size_t f : together) {
    for (std::size_t i = 0; i < values[f].size(); ++i) {
      difference += (predicted[f][i] - values[f][i]) * (predicted[f][i] - values[f][i]);
      norm += values[f][i] * values[f][i];
    }
    if (!(all[f].linf <= joined.linf) && !std::isnan(joined.linf)) joined.linf = all[f].linf;
    joined.l1 += all[f].l1;
    joined.integral += all[f].integral;
  }
  joined.relative_l2 = std::sqrt(difference / norm);
  all.push_back(std::move(joined));
  return all;
}

std::vector<FieldError> solution_errors(const problem::Problem& problem, const Solution& solution) {
  const Comparison comparison = comparison_for(problem, problem.box);
  if (comparison.fields.empty()) return {};
  std::vector<expr::Expr> read;
  for (const std::string& field : comparison.fields) read.push_back(evaluation_reading(problem, field));
  std::vector<std::vector<double>> predicted;
  solution.evaluate(read, comparison.points, predicted);
  return comparison.errors(predicted, evaluation_cell(problem, problem.box));
}

ErrorNorms::ErrorNorms(const problem::Problem& problem, const evaluate::Model& model, const sampling::Box& box)
    : cell_(evaluation_cell(problem, box)) {
  if (problem.evaluate.final_only && box.upper[box.time] != problem.box.upper[box.time]) return;
  comparison_ = comparison_for(problem, box);
  if (comparison_.fields.empty()) return;
  std::vector<expr::Expr> read;
  for (const std::string& field : comparison_.fields) read.push_back(evaluation_reading(problem, field));
  values_ = std::make_unique<evaluate::FieldValues>(model, read, comparison_.points, box.names);
}

std::vector<FieldError> ErrorNorms::measure(std::span<const double> parameters) {
  if (empty()) return {};
  values_->evaluate(parameters, predicted_);
  return comparison_.errors(predicted_, cell_);
}

}  // namespace pecann::train
