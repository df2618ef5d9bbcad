#include "pecann/optim/lower_blocks.h"

#include <algorithm>
#include <cmath>

#include "pecann/base/require.h"

namespace pecann::optim {

using kernel::kBlockRows;

LowerBlocks::LowerBlocks(std::size_t size) : size_(size), data_(offset(blocks_for(size)), 0.0) {}

std::size_t LowerBlocks::block_rows(std::size_t i) const { return std::min(kBlockRows, size_ - i * kBlockRows); }

double LowerBlocks::at(std::size_t row, std::size_t column) const {
  require(column <= row && row < size_, "only the lower triangle is stored");
  return block(row / kBlockRows, 0)[column * kBlockRows + row % kBlockRows];
}

double& LowerBlocks::at(std::size_t row, std::size_t column) {
  require(column <= row && row < size_, "only the lower triangle is stored");
  return block(row / kBlockRows, 0)[column * kBlockRows + row % kBlockRows];
}

void LowerBlocks::set_zero() { std::fill(data_.begin(), data_.end(), 0.0); }

double LowerBlocks::trace() const {
  double sum = 0;
  for (std::size_t i = 0; i < size_; ++i) sum += at(i, i);
  return sum;
}

double LowerBlocks::bytes(std::size_t size) {
  const double edge = std::ceil(static_cast<double>(size) / kBlockRows);
  return edge * (edge + 1) / 2 * kernel::kBlockSize * sizeof(double);
}

}  // namespace pecann::optim
