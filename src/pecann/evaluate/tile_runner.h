// One thread's memory for one bound program, and the work on one tile: network jets forward, then the
// expressions, and back.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "pecann/base/aligned_vector.h"
#include "pecann/evaluate/bound_program.h"

namespace pecann::evaluate {

class TileRunner {
 public:
  explicit TileRunner(const BoundProgram& bound);
  /// About how many numbers a runner takes, for those who ask before there is one.
  static double numbers(const BoundProgram& bound);

  /// Computes the values of all expressions on the tile's points.
  void forward(const PackedModel& model, std::size_t tile);
  std::size_t first() const { return first_; }    // index of the tile's first point
  std::size_t points() const { return points_; }  // padded: a multiple of kLanes
  std::size_t count() const { return count_; }    // real points among them
  const double* output(int o) const;

  /// dL/d(output), which must be filled for all outputs before backward or jacobian, padding included.
  double* seed(int o) { return seeds_.data() + static_cast<std::size_t>(o) * bound_->tile(); }

  /// Adds dL/dθ of the last forward to the whole parameter vector's gradient.
  void backward(const PackedModel& model, std::span<double> gradient);

  /// Writes one row of the Jacobian per point: rows[parameter * stride + point], for all parameters.
  void jacobian(const PackedModel& model, double* rows, std::size_t stride);
  /// The same for the parameters of some networks: those of network n begin at rows[first_column[n] * stride]. Networks
  /// that the tile does not read, and those with a negative entry, are left alone; so are trainable scalars.
  void jacobian(const PackedModel& model, double* rows, std::size_t stride,
                std::span<const std::ptrdiff_t> first_column);

 private:
  void pull_back_expressions();  // seeds -> adjoints of network outputs and of scalars

  const BoundProgram* bound_;
  std::size_t tile_ = 0, first_ = 0, points_ = 0, count_ = 0;
  std::vector<network::Pass> passes_;
  std::vector<std::vector<const double*>> pass_inputs_, pass_columns_;
  std::vector<const double*> tape_inputs_;  // columns, jets, scalars
  std::vector<double*> tape_adjoints_;      // null for columns
  std::vector<const double*> seed_pointers_;
  AlignedVector<double> scratch_, adjoint_scratch_, seeds_;
  AlignedVector<double> combined_, combined_adjoints_;  // jets that are combinations of channels
  AlignedVector<double> scalars_, scalar_adjoints_;
  std::vector<char> written_;                // networks whose columns a Jacobian has
  std::vector<std::ptrdiff_t> all_columns_;  // where they begin in one of all parameters
  AlignedVector<double> jacobian_scratch_;   // a network used at two sites: rows to be added
};

}  // namespace pecann::evaluate
