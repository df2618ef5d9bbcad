#include "pecann/train/error_norms.h"

#include <algorithm>
#include <cmath>

#include "pecann/base/check.h"
#include "pecann/expr/program.h"

namespace pecann::train {

sampling::PointSet evaluation_points(const problem::Problem& problem, const sampling::Box& box) {
  const std::vector<int>& grid = problem.evaluate.grid;
  check(grid.size() == box.names.size(), "the evaluation grid has one number per coordinate");
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

double measure_of(const FieldError& error, const std::string& measure) {
  if (measure == "relative_l2") return error.relative_l2;
  if (measure == "linf") return error.linf;
  if (measure == "l1") return error.l1;
  check(measure == "integral", "measures are checked when the problem is read");
  return error.integral;
}

expr::Expr evaluation_reading(const problem::Problem& problem, const std::string& field) {
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
    if (!(std::abs(d) <= largest)) largest = std::abs(d);  // keeps a NaN
  }
  return {field, std::sqrt(difference / norm), largest, absolute * cell, std::abs(excess) * cell};
}

ErrorNorms::ErrorNorms(const problem::Problem& problem, const evaluate::Model& model, const sampling::Box& box)
    : cell_(evaluation_cell(problem, box)) {
  if (problem.evaluate.final_only && box.upper[box.time] != problem.box.upper[box.time]) return;
  std::vector<expr::Expr> read;
  const sampling::PointSet points = evaluation_points(problem, box);
  std::map<std::string, const double*> coordinates;
  for (std::size_t i = 0; i < box.names.size(); ++i) coordinates[box.names[i]] = points.coordinates[i].data();
  for (const auto& [field, place] : model.fields()) {
    const auto exact = problem.exact.find(field);
    if (exact == problem.exact.end()) continue;
    fields_.push_back(field);
    read.push_back(evaluation_reading(problem, field));
    double* const values = exact_.emplace_back(points.count).data();
    expr::evaluate_columns(std::span(&exact->second, 1), coordinates, points.count, std::span(&values, 1));
  }
  if (!fields_.empty()) values_ = std::make_unique<evaluate::FieldValues>(model, read, points, box.names);
}

std::vector<FieldError> ErrorNorms::measure(std::span<const double> parameters) {
  std::vector<FieldError> errors;
  if (fields_.empty()) return errors;
  values_->evaluate(parameters, predicted_);
  for (std::size_t f = 0; f < fields_.size(); ++f) errors.push_back(error_of(fields_[f], predicted_[f], exact_[f], cell_));
  return errors;
}

}  // namespace pecann::train
