// Errors against the exact solution on the evaluation grid.
#pragma once

#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "pecann/evaluate/field_values.h"
#include "pecann/problem/problem.h"
#include "pecann/train/solution.h"

namespace pecann::train {

struct FieldError {
  std::string field;
  double relative_l2;  // ‖û − u‖₂ / ‖u‖₂ over the nodes
  double linf;         // max |û − u|
  double l1;           // Σ |û − u| · cell
  double integral;     // |Σ û · cell − Σ u · cell|
  // Of the reference "helmholtz-source" only (relative_l2 and the others are against its sine series):
  double finite_differences = std::numeric_limits<double>::quiet_NaN();  // relative l2 against the paper's reference
  double projected = std::numeric_limits<double>::quiet_NaN();           // … against the series, free modes taken out
};

double measure_of(const FieldError& error, problem::Measure measure);

/// The nodes that errors are measured on: problem.evaluate.grid over the box, ends included
/// (evaluate.final_only: at the last time).
sampling::PointSet evaluation_points(const problem::Problem& problem, const sampling::Box& box);

/// The volume that a node of these points stands for.
double evaluation_cell(const problem::Problem& problem, const sampling::Box& box);

FieldError error_of(const std::string& field, std::span<const double> predicted, std::span<const double> exact,
                    double cell);

/// How a field is read for its error: itself, or at the coordinates frozen by evaluate.at; a function by what
/// it stands for.
expr::Expr evaluation_reading(const problem::Problem& problem, const std::string& field);

/// What fields are compared with and where: [exact] on the evaluation grid, or the reference of the problem.
struct Reference {
  sampling::PointSet points;
  std::vector<std::string> fields;
  std::vector<std::vector<double>> values;  // [field][point]
};
/// The part of it at the times of this box; fields with neither an exact nor a reference solution are left
/// out.
Reference reference_solution(const problem::Problem& problem, const sampling::Box& box);

/// Errors over the whole domain, of all windows together.
std::vector<FieldError> solution_errors(const problem::Problem& problem, const Solution& solution);

class ErrorNorms {
 public:
  /// Fields with neither an exact nor a reference solution are left out; empty() when none has one, or none
  /// at the times of this box.
  ErrorNorms(const problem::Problem& problem, const evaluate::Model& model, const sampling::Box& box);
  bool empty() const { return fields_.empty(); }
  std::vector<FieldError> measure(std::span<const double> parameters);

 private:
  struct Resonance {                  // of the reference "helmholtz-source"
    int nodes;                        // per side
    std::vector<double> differences;  // the finite-difference solution
    std::vector<std::pair<int, int>> free_modes;
  };

  std::vector<std::string> fields_;
  double cell_;
  std::optional<Resonance> resonance_;
  std::vector<std::vector<double>> exact_, predicted_;
  std::unique_ptr<evaluate::FieldValues> values_;
};

}  // namespace pecann::train
