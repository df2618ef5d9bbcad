// Errors against the exact solution or the reference of the problem.
#pragma once

#include <limits>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "pecann/evaluate/field_values.h"
#include "pecann/problem/problem.h"
#include "pecann/reference/reference_solution.h"
#include "pecann/train/solution.h"

namespace pecann::train {

struct FieldError {
  std::string field;
  double relative_l2 = std::numeric_limits<double>::quiet_NaN();  // ‖û − u‖₂ / ‖u‖₂ over the nodes
  double linf = std::numeric_limits<double>::quiet_NaN();         // max |û − u|
  double l1 = std::numeric_limits<double>::quiet_NaN();           // Σ |û − u| · cell
  double integral = std::numeric_limits<double>::quiet_NaN();     // |Σ û · cell − Σ u · cell|
  std::map<std::string, double> of_reference = {};  // further measures of the problem's reference, by name
};

/// A measure is read and set by the name that problem files and histories use. Its value is NaN where it was not taken.
double measure_of(const FieldError& error, const std::string& measure);
void set_measure(FieldError& error, const std::string& measure, double value);

/// The points of the domain that errors are measured on: the nodes of problem.evaluate.grid over the box, ends included
/// (evaluate.final_only: at the last time), or of the mesh that problem.evaluate.mesh names, at as many times.
sampling::PointSet evaluation_points(const problem::Problem& problem, const sampling::Box& box);

/// The volume of the domain that one of these points stands for.
double evaluation_cell(const problem::Problem& problem, const sampling::Box& box);

FieldError error_of(const std::string& field, std::span<const double> predicted, std::span<const double> exact,
                    double cell);

/// The expression that is compared with the exact solution: the field itself, the field at the coordinates that
/// evaluate.at freezes, or for a function of fields its definition.
expr::Expr evaluation_reading(const problem::Problem& problem, const std::string& field);

/// The problem as its reference sees it, with a grid over a part of the domain.
reference::Subject reference_subject(const problem::Problem& problem, const sampling::Box& part,
                                     const std::vector<int>& grid);

/// What fields are compared with and where: the reference of the problem at its points, or [exact] and a reference that
/// is known on grids at the nodes of the evaluation grid.
struct Comparison {
  sampling::PointSet points;
  std::vector<std::string> fields;
  std::vector<std::vector<double>> values;                  // [field][point]
  std::vector<std::size_t> together;                        // numbers of fields with one error over all of them
  std::unique_ptr<reference::ReferenceSolution> reference;  // null: the problem has none

  /// The errors of predictions [field][point], with the reference's own measures; behind them that over several fields:
  /// ‖û − u‖₂ / ‖u‖₂ of all their values in one vector, the largest linf, and the sums of the others.
  std::vector<FieldError> errors(const std::vector<std::vector<double>>& predicted, double cell) const;
};
/// The comparison at the times of this box; fields with neither an exact nor a reference solution are left out.
Comparison comparison_for(const problem::Problem& problem, const sampling::Box& box);

/// The errors over the whole domain, of all windows together.
std::vector<FieldError> solution_errors(const problem::Problem& problem, const Solution& solution);

class ErrorNorms {
 public:
  /// Fields with neither an exact nor a reference solution are left out. The norms are empty() when no field has one at
  /// the times of this box.
  ErrorNorms(const problem::Problem& problem, const evaluate::Model& model, const sampling::Box& box);
  bool empty() const { return values_ == nullptr; }
  std::vector<FieldError> measure(std::span<const double> parameters);

 private:
  double cell_;
  Comparison comparison_;
  std::vector<std::vector<double>> predicted_;
  std::unique_ptr<evaluate::FieldValues> values_;
};

}  // namespace pecann::train
