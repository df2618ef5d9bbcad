// The plainest LeastSquares: residual blocks given as functions with their Jacobians, combined by the
// augmented Lagrangian as least_squares.h describes, everything dense and computed anew on each call. For
// tests, and as the specification of what an evaluator has to deliver.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <functional>
#include <span>
#include <utility>
#include <vector>

#include "pecann/optim/least_squares.h"

namespace pecann::optim {

struct TestBlock {
  std::size_t rows;
  /// residuals[rows]; jacobian[rows][P], row-major.
  std::function<void(std::span<const double> x, std::span<double> residuals, std::span<double> jacobian)> evaluate;
  double multiplier = 1;  // λ; the first block is the objective: λ = 1, μ = 0
  double penalty = 0;     // μ
};

class TestProblem final : public LeastSquares {
 public:
  TestProblem(std::size_t size, std::vector<TestBlock> blocks, std::size_t tile_rows = 3)
      : size_(size), blocks_(std::move(blocks)) {
    for (const TestBlock& block : blocks_) data_rows_ += block.rows;
    offsets_.push_back(0);
    while (offsets_.back() < data_rows_) offsets_.push_back(std::min(offsets_.back() + tile_rows, data_rows_));
    std::size_t penalised = 0;
    for (const TestBlock& block : blocks_) penalised += block.penalty > 0 ? 1 : 0;
    if (penalised > 0) offsets_.push_back(data_rows_ + penalised);
  }

  std::size_t size() const override { return size_; }
  std::span<const std::size_t> row_offsets() const override { return offsets_; }

  double value(std::span<const double> x) override {
    const std::vector<double> means = evaluate(x).means(blocks_);
    double sum = 0;
    for (std::size_t b = 0; b < blocks_.size(); ++b)
      sum += blocks_[b].multiplier * means[b] + 0.5 * blocks_[b].penalty * means[b] * means[b];
    return sum;
  }

  double linearise(std::span<const double> x, std::span<double> gradient, std::span<double> right_side) override {
    base_ = evaluate(x);
    const std::vector<double> means = base_.means(blocks_);
    scale_.clear();
    std::size_t row = 0;
    for (std::size_t b = 0; b < blocks_.size(); ++b) {
      const double weight = blocks_[b].multiplier + blocks_[b].penalty * means[b];
      for (std::size_t j = 0; j < blocks_[b].rows; ++j, ++row) {
        scale_.push_back(std::sqrt(2 * weight / static_cast<double>(blocks_[b].rows)));
        right_side[row] = scale_.back() * base_.residuals[row];
      }
    }
    std::fill(right_side.begin() + static_cast<std::ptrdiff_t>(data_rows_), right_side.end(), 0.0);
    pull_back(right_side, gradient);
    return value(x);
  }

  void rows(std::span<const double> x, std::span<double> values) override {
    const Evaluation here = evaluate(x);
    for (std::size_t j = 0; j < data_rows_; ++j) values[j] = scale_[j] * here.residuals[j];
    for_penalised([&](std::size_t extra, std::size_t first, const TestBlock& block) {
      double sum = 0;
      for (std::size_t j = first; j < first + block.rows; ++j) sum += base_.residuals[j] * here.residuals[j];
      values[data_rows_ + extra] = std::sqrt(block.penalty) * 2 / static_cast<double>(block.rows) * sum;
    });
  }

  void jacobian(std::size_t first_tile, std::size_t num_tiles, double* columns, std::size_t stride) override {
    const std::size_t first = offsets_[first_tile];
    for (std::size_t j = first; j < offsets_[first_tile + num_tiles]; ++j) {
      const std::vector<double> row = jacobian_row(j);
      for (std::size_t p = 0; p < size_; ++p) columns[p * stride + (j - first)] = row[p];
    }
  }

  void pull_back(std::span<const double> seeds, std::span<double> result) override {
    std::fill(result.begin(), result.end(), 0.0);
    for (std::size_t j = 0; j < num_rows(); ++j) {
      const std::vector<double> row = jacobian_row(j);
      for (std::size_t p = 0; p < size_; ++p) result[p] += seeds[j] * row[p];
    }
  }

  std::vector<double> jacobian_row(std::size_t j) const {
    std::vector<double> row(size_, 0.0);
    if (j < data_rows_) {
      for (std::size_t p = 0; p < size_; ++p) row[p] = scale_[j] * base_.jacobian[j * size_ + p];
      return row;
    }
    for_penalised([&](std::size_t extra, std::size_t first, const TestBlock& block) {
      if (data_rows_ + extra != j) return;
      for (std::size_t k = first; k < first + block.rows; ++k)
        for (std::size_t p = 0; p < size_; ++p)
          row[p] += std::sqrt(block.penalty) * 2 / static_cast<double>(block.rows) * base_.residuals[k] *
                    base_.jacobian[k * size_ + p];
    });
    return row;
  }

 private:
  struct Evaluation {
    std::vector<double> residuals, jacobian;
    std::vector<double> means(const std::vector<TestBlock>& blocks) const {
      std::vector<double> result;
      std::size_t row = 0;
      for (const TestBlock& block : blocks) {
        double sum = 0;
        for (std::size_t j = 0; j < block.rows; ++j, ++row) sum += residuals[row] * residuals[row];
        result.push_back(sum / static_cast<double>(block.rows));
      }
      return result;
    }
  };

  Evaluation evaluate(std::span<const double> x) const {
    Evaluation result{std::vector<double>(data_rows_), std::vector<double>(data_rows_ * size_, 0.0)};
    std::size_t row = 0;
    for (const TestBlock& block : blocks_) {
      block.evaluate(x, std::span(result.residuals).subspan(row, block.rows),
                     std::span(result.jacobian).subspan(row * size_, block.rows * size_));
      row += block.rows;
    }
    return result;
  }

  template <class Use>
  void for_penalised(const Use& use) const {
    std::size_t extra = 0, first = 0;
    for (const TestBlock& block : blocks_) {
      if (block.penalty > 0) use(extra++, first, block);
      first += block.rows;
    }
  }

  std::size_t size_;
  std::vector<TestBlock> blocks_;
  std::size_t data_rows_ = 0;
  std::vector<std::size_t> offsets_;
  std::vector<double> scale_;
  Evaluation base_;
};

}  // namespace pecann::optim
