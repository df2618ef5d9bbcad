// Least squares over residuals whose rows depend on a few blocks of parameters each (Residuals::blocks): what solve.h
// asks for, by fronts instead of one dense triangle. Where δ is large enough for the normal equations, those are solved
// (frontal_cholesky.h) and once refined; else, and where they fail, the rows themselves (frontal_qr.h).
#pragma once

#include <cstddef>
#include <optional>
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
  /// The equations whose least squares are wanted: at x, with weights of rows and with columns of length one.
  struct System {
    std::span<const double> x, weights, residuals;
    std::vector<double> scale;  // by parameter
  };
  /// Rows of a panel: rows[i] is the number of the residual in row i, columns those of a layout.
  struct Panel {
    const ColumnLayout* layout;
    double* columns;
    std::span<const std::size_t> rows;
    std::size_t stride;
    double* column(std::size_t c) const { return columns + c * stride; }
  };

  /// Calls work(panel) for panels of the rows of some tiles, with room for one column more than the layout has.
  template <class Work>
  void for_panels(std::span<const double> x, std::span<const std::size_t> tiles, const ColumnLayout& layout,
                  const Work& work);
  /// The same for all rows, those that depend on the same blocks together.
  template <class Work>
  void for_all_panels(std::span<const double> x, const Work& work);
  /// Calls work(column of the layout, parameter, its place in the order of blocks) for every parameter of its blocks.
  template <class Work>
  void for_columns(const ColumnLayout& layout, const Work& work) const;

  std::vector<double> column_scale(std::span<const double> x, std::span<const double> weights);
  void weigh(const System& system, const Panel& panel) const;
  Solved by_rows(const System& system, double delta);
  std::optional<Solved> by_normal_equations(const System& system, double delta);
  std::vector<double> unscaled(const System& system, std::span<const double> by_block) const;

  Residuals* residuals_;
  std::vector<Residuals::Block> blocks_;
  std::vector<std::size_t> sizes_, first_;  // of every block: its columns, and how many the blocks before it have
  EliminationOrder order_;
};

}  // namespace pecann::optim
