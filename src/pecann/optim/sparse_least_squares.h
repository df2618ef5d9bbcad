// Least squares over residuals whose rows depend on a few blocks of parameters each (Residuals::blocks): what solve.h
// asks for, by fronts (frontal_qr.h) instead of one dense triangle.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "pecann/optim/elimination_order.h"
#include "pecann/optim/residuals.h"

namespace pecann::optim {

class SparseLeastSquares {
 public:
  explicit SparseLeastSquares(Residuals& residuals);

  /// ‖J_j‖² of every row j.
  std::vector<double> row_squares(std::span<const double> x);

  struct Solved {
    std::vector<double> y;
    double left;  // the least sum
  };
  /// y = argmin Σ_j (w_j (J_j y + r_j − J_j x))² + δ² Σ_c (y_c ‖column c‖)², the columns with their weights w.
  Solved solve(std::span<const double> x, std::span<const double> weights, std::span<const double> rows, double delta);

 private:
  /// Calls work(columns, rows, stride) for panels of the rows that begin with the block at a position: rows[i] is the
  /// number of the residual in row i. Columns are those of the layout, with room for one more.
  template <class Work>
  void for_panels(std::span<const double> x, std::size_t position, const FrontLayout& layout, const Work& work);
  template <class Work>
  void for_columns(const FrontLayout& layout, const Work& work) const;

  Residuals* residuals_;
  std::vector<Residuals::Block> blocks_;
  std::vector<std::size_t> sizes_;
  EliminationOrder order_;
};

}  // namespace pecann::optim
