// The trained fields: one model and parameter vector per time window, evaluated as one function of the coordinates.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "pecann/evaluate/model.h"
#include "pecann/problem/problem.h"
#include "pecann/train/window.h"

namespace pecann::train {

class Solution {
 public:
  Solution(const problem::Problem& problem, std::uint64_t seed) : problem_(&problem), seed_(seed) {}

  /// Adds the parameters of the next window in order.
  void add_window(std::vector<double> parameters);
  int num_windows() const { return static_cast<int>(pieces_.size()); }
  std::span<const double> parameters(int window) const { return pieces_[window].parameters; }
  const evaluate::Model& model(int window) const { return *pieces_[window].model; }

  /// The end of the last window that there is: what comes later was never trained. Infinite where no window is missing.
  double trained_until() const;

  /// Computes values[e][point] of all expressions. A point's time chooses the window: the earlier one where two meet.
  /// Beyond trained_until() nothing is known: values are NaN.
  void evaluate(std::span<const expr::Expr> expressions, const sampling::PointSet& points,
                std::vector<std::vector<double>>& values) const;

 private:
  struct Piece {
    std::unique_ptr<evaluate::Model> model;
    std::vector<double> parameters;
  };
  int window_of(double time) const;

  const problem::Problem* problem_;
  std::uint64_t seed_;
  std::vector<Piece> pieces_;
};

}  // namespace pecann::train
