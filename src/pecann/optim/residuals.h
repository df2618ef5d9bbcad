// The residuals of all equations at all points, for methods that weigh the equations themselves: without multipliers
// and penalties, which least_squares.h has.
//
// Rows come in tiles, as in least_squares.h; a run of rows belongs to one equation. Where every row depends on a few
// blocks of parameters only (the networks of a part of the domain and of its neighbours), blocks() names them.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace pecann::optim {

class Residuals {
 public:
  struct Run {
    std::size_t first_row, count;
    int equation;     // counted from 0 over all terms
    bool constraint;  // of a constraint, not of the objective
    double weight;    // of the term in the objective; 1 for constraints
  };

  virtual ~Residuals() = default;
  virtual std::size_t size() const = 0;  // number of parameters
  virtual std::span<const std::size_t> row_offsets() const = 0;
  std::size_t num_rows() const { return row_offsets().back(); }
  /// In the order of rows; every row is in one run.
  virtual std::span<const Run> runs() const = 0;
  virtual void values(std::span<const double> x, std::span<double> rows) = 0;
  /// The Jacobian rows of the tiles [first_tile, first_tile + num_tiles) at x: columns[p·stride + row].
  virtual void jacobian(std::span<const double> x, std::size_t first_tile, std::size_t num_tiles, double* columns,
                        std::size_t stride) = 0;

  struct Block {
    std::size_t first, count;
  };
  /// Blocks of parameters, which together are all of them; none: rows depend on all parameters.
  virtual std::span<const Block> blocks() const { return {}; }
  /// The blocks that the rows of a tile depend on.
  virtual std::vector<int> blocks_of(std::size_t) const { return {}; }
  /// The Jacobian rows of some tiles, one after another: columns[(first_column[block] + q)·stride + row] for the blocks
  /// that these tiles depend on; all other numbers stay as they are.
  virtual void jacobian(std::span<const double>, std::span<const std::size_t>, std::span<const std::ptrdiff_t>, double*,
                        std::size_t) {}
};

}  // namespace pecann::optim
