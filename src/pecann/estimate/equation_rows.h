// The equations of a window on one set of fresh points, around the trained solution with what was found of its error.
#pragma once

#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "pecann/estimate/error_space.h"
#include "pecann/estimate/tangent_solve.h"
#include "pecann/evaluate/evaluator.h"
#include "pecann/optim/lower_blocks.h"
#include "pecann/train/residual_rows.h"

namespace pecann::estimate {

/// Points of a window and the terms on them, as training has them in its assembly: with normals, data, and the state
/// that the window before hands over, which is corrected by the error found there.
struct WindowPoints {
  std::vector<evaluate::Term> terms;
  std::vector<sampling::PointSet> points;
};
WindowPoints window_points(const problem::Problem& problem, const train::Solution& solution, std::uint64_t seed,
                           int window, const WindowError* before, const std::string& use, double inside);

/// Scales rows and columns of a Gram matrix so that its diagonal is 1; returns the factors, 0 for columns of zeros.
std::vector<double> scale_to_unit_diagonal(optim::LowerBlocks& gram);

class EquationRows {
 public:
  /// `linear`: nothing will be added to the fields, so that no columns are kept for it.
  EquationRows(const ErrorSpace& space, const WindowPoints& window, bool linear);

  std::size_t num_rows() const { return rows_->num_rows(); }
  /// The equation of every row, counted over all terms.
  std::vector<int> equations() const;
  std::vector<double> values();
  /// Calls work(columns, first row, rows, stride) for panels of the Jacobian: columns[p·stride + row].
  void for_panels(const std::function<void(double*, std::size_t, std::size_t, std::size_t)>& work);

  /// What a direction changes, to be added once or several times.
  struct Change {
    std::vector<std::vector<std::vector<double>>> by_set;  // [point set][leaf][point]
    std::vector<double> scalars;
  };
  Change change_along(std::span<const double> direction) const;
  void add(const Change& change, double share);

 private:
  struct Set {
    sampling::PointSet points;
    std::vector<expr::Expr> leaves;
    std::vector<std::vector<double>> changes;
  };

  const ErrorSpace* space_;
  std::vector<Set> sets_;
  std::vector<double> parameters_;
  std::unique_ptr<evaluate::Evaluator> evaluator_;
  std::unique_ptr<train::ResidualRows> rows_;
};

}  // namespace pecann::estimate
