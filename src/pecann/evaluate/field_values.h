// Expressions of the trained fields on points: predictions, error norms, the end state of a time window.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "pecann/evaluate/bound_program.h"
#include "pecann/evaluate/tile_runner.h"

namespace pecann::evaluate {

class FieldValues {
 public:
  /// The model must outlive this object. Expressions may read the points' columns by their names.
  FieldValues(const Model& model, std::span<const expr::Expr> expressions, const sampling::PointSet& points,
              const std::vector<std::string>& coordinates);

  /// values[e][point] of expression e at these parameters; resized as needed.
  void evaluate(std::span<const double> parameters, std::vector<std::vector<double>>& values);

 private:
  /// Where a point of the bound program stands among the points that were given.
  std::size_t place_of(std::size_t point) const { return order_.empty() ? point : order_[point]; }

  std::vector<std::size_t> order_;  // of the points part by part; empty where there is one part
  BoundProgram bound_;
  PackedModel packed_;
  std::vector<std::unique_ptr<TileRunner>> runners_;  // one per thread
};

}  // namespace pecann::evaluate
