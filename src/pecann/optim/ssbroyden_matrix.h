// A symmetric matrix as its packed lower triangle (row i: i + 1 entries), with one operation: apply a rank-two update
// and multiply by a vector in a single sweep. The sweep is bound by memory traffic (8 bytes read and written per
// entry), so the update of one iteration waits for the product of the next and both cost one pass.
//
// Rows are cut into blocks of about equal area that depend on the size alone. A block adds the products of its part of
// the upper triangle into a vector of its own; the blocks' vectors are summed in order, so that the result has the same
// bits on any number of threads.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "pecann/base/aligned_vector.h"
#include "pecann/optim/ssbroyden_update.h"

namespace pecann::optim {

class PackedMatrix {
 public:
  PackedMatrix() = default;

  static double bytes(std::size_t size);  // a double: sizes out of reach must not overflow

  /// diagonal·I of that size.
  void set_diagonal(std::size_t size, double diagonal);
  std::size_t size() const { return size_; }

  /// H ← update(H) with the vectors s and hy, then result = H v.
  void update_and_multiply(const SpanUpdate& update, std::span<const double> s, std::span<const double> hy,
                           std::span<const double> v, std::span<double> result);

  double at(std::size_t row, std::size_t column) const;  // column ≤ row
  std::span<const double> entries() const { return entries_; }
  std::span<double> entries() { return entries_; }

 private:
  void set_size(std::size_t size);

  std::size_t size_ = 0;
  AlignedVector<double> entries_;
  std::vector<std::size_t> block_rows_;  // block k: rows [block_rows_[k], block_rows_[k+1])
  AlignedVector<double> block_sums_;     // one vector of size_ per block
};

}  // namespace pecann::optim
