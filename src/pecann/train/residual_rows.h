// The evaluator's residuals as the solve sees them (optim/residuals.h): the points of an equation count by their
// importance, and no multiplier enters.
#pragma once

#include <span>
#include <vector>

#include "pecann/evaluate/evaluator.h"
#include "pecann/optim/residuals.h"

namespace pecann::train {

class ResidualRows final : public optim::Residuals {
 public:
  explicit ResidualRows(evaluate::Evaluator& evaluator) : evaluator_(&evaluator) {}

  std::size_t size() const override { return evaluator_->model().num_parameters(); }
  std::span<const std::size_t> row_offsets() const override { return evaluator_->row_offsets(); }
  std::span<const Run> runs() const override;
  void values(std::span<const double> x, std::span<double> rows) override;
  void jacobian(std::span<const double> x, std::size_t first_tile, std::size_t num_tiles, double* columns,
                std::size_t stride) override;
  std::span<const Block> blocks() const override;
  std::vector<int> blocks_of(std::size_t tile) const override { return evaluator_->networks_of(tile); }
  void jacobian(std::span<const double> x, std::span<const std::size_t> tiles,
                std::span<const std::ptrdiff_t> first_column, double* columns, std::size_t stride) override;
  double seconds() const { return seconds_; }  // spent in the evaluator so far

 private:
  evaluate::Evaluator* evaluator_;
  double seconds_ = 0;
  mutable std::vector<Run> runs_;
  mutable std::vector<Block> blocks_;
};

}  // namespace pecann::train
