#include "pecann/optim/sparse_least_squares.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "pecann/base/parallel.h"
#include "pecann/base/random_stream.h"
#include "pecann/optim/frontal_cholesky.h"
#include "pecann/optim/solve.h"

namespace pecann::optim {
namespace {

/// Linear residuals A x + b whose tiles read a few blocks each: those of a ring one by one and in pairs, and one more.
class BlockRows final : public Residuals {
 public:
  explicit BlockRows(std::vector<std::size_t> sizes, std::size_t rows_of_tile) {
    for (const std::size_t size : sizes) {
      blocks_.push_back({columns_, size});
      columns_ += size;
    }
    const int count = static_cast<int>(sizes.size());
    for (int b = 0; b < count; ++b) add_tile({b}, 2 * rows_of_tile);
    for (int b = 0; b + 1 < count; ++b) add_tile({b, (b + 1) % (count - 1)}, rows_of_tile);
    offsets_.push_back(matrix_.size());
  }
  std::size_t size() const override { return columns_; }
  std::span<const std::size_t> row_offsets() const override { return offsets_; }
  std::span<const Run> runs() const override { return runs_; }
  void values(std::span<const double> x, std::span<double> rows) override {
    for (std::size_t j = 0; j < matrix_.size(); ++j) {
      rows[j] = constant_[j];
      for (std::size_t c = 0; c < columns_; ++c) rows[j] += matrix_[j][c] * x[c];
    }
  }
  void jacobian(std::span<const double>, std::size_t first, std::size_t count, double* columns,
                std::size_t stride) override {
    for (std::size_t j = offsets_[first]; j < offsets_[first + count]; ++j)
      for (std::size_t c = 0; c < columns_; ++c) columns[c * stride + j - offsets_[first]] = matrix_[j][c];
  }
  std::span<const Block> blocks() const override { return as_blocks_ ? blocks_ : std::span<const Block>(); }
  std::vector<int> blocks_of(std::size_t tile) const override { return of_tile_[tile]; }
  void jacobian(std::span<const double>, std::span<const std::size_t> tiles,
                std::span<const std::ptrdiff_t> first_column, double* columns, std::size_t stride) override {
    std::size_t row = 0;
    for (const std::size_t tile : tiles)
      for (std::size_t j = offsets_[tile]; j < offsets_[tile + 1]; ++j, ++row)
        for (const int b : of_tile_[tile])
          for (std::size_t q = 0; q < blocks_[b].count; ++q)
            columns[(static_cast<std::size_t>(first_column[b]) + q) * stride + row] = matrix_[j][blocks_[b].first + q];
  }
  double& entry(std::size_t row, std::size_t column) { return matrix_[row][column]; }
  void take_as_blocks(bool as_blocks) { as_blocks_ = as_blocks; }

 private:
  void add_tile(std::vector<int> blocks, std::size_t rows) {
    offsets_.push_back(matrix_.size());
    const auto number = static_cast<int>(of_tile_.size());
    runs_.push_back({matrix_.size(), rows, number, false, 1});
    for (std::size_t j = 0; j < rows; ++j) {
      std::vector<double>& row = matrix_.emplace_back(columns_, 0.0);
      for (const int b : blocks)
        for (std::size_t q = 0; q < blocks_[b].count; ++q) row[blocks_[b].first + q] = stream_.normal();
      constant_.push_back(stream_.normal());
    }
    of_tile_.push_back(std::move(blocks));
  }

  RandomStream stream_{5, "sparse_least_squares_test"};
  std::size_t columns_ = 0;
  bool as_blocks_ = true;
  std::vector<Block> blocks_;
  std::vector<std::vector<int>> of_tile_;
  std::vector<std::size_t> offsets_;
  std::vector<Run> runs_;
  std::vector<std::vector<double>> matrix_;
  std::vector<double> constant_;
};

std::vector<double> rows_at(BlockRows& system, std::span<const double> x) {
  std::vector<double> rows(system.num_rows());
  system.values(x, rows);
  return rows;
}

TEST(SparseLeastSquaresTest, AgreesWithTheDenseSolveForBlocksOfAnySizeAndOrder) {
  for (const std::vector<std::size_t>& sizes :
       {std::vector<std::size_t>{7, 7, 7, 7}, {30, 5, 24, 49, 1, 13}, {1, 1}, {60, 60, 60}}) {
    BlockRows system(sizes, 70);
    std::vector<double> dense(system.size(), 0.3), fronts = dense;
    Solve solve({.cut = 1e-13});
    system.take_as_blocks(false);
    ASSERT_EQ(solve.step(system, dense).outcome, StepOutcome::Moved);
    system.take_as_blocks(true);
    ASSERT_EQ(solve.step(system, fronts).outcome, StepOutcome::Moved);
    for (std::size_t c = 0; c < dense.size(); ++c) EXPECT_NEAR(fronts[c], dense[c], 1e-10) << c;
  }
}

/// By the rows themselves, by the normal equations where δ begins to be large enough, and where it changes the answer.
constexpr double kDeltas[] = {1e-14, FrontalCholesky::kLeastDelta, 0.3};

TEST(SparseLeastSquaresTest, TheShiftedSumIsStationaryAndItsValueIsTold) {
  for (const double delta : kDeltas) {
    BlockRows system({12, 30, 9, 50, 24}, 50);
    std::vector<double> x(system.size());
    for (std::size_t c = 0; c < x.size(); ++c) x[c] = std::sin(static_cast<double>(c));
    const std::vector<double> rows = rows_at(system, x), weights(system.num_rows(), 2.0);
    const SparseLeastSquares::Solved solved = SparseLeastSquares(system).solve(x, weights, rows, delta);
    const std::vector<double> left = rows_at(system, solved.y);
    double sum = 0;
    for (const double row : left) sum += 4 * row * row;
    for (std::size_t c = 0; c < x.size(); ++c) {
      double slope = 0, square = 0;
      for (std::size_t j = 0; j < left.size(); ++j) {
        slope += 4 * system.entry(j, c) * left[j];
        square += 4 * system.entry(j, c) * system.entry(j, c);
      }
      const double shifted = delta * delta * square * solved.y[c];
      EXPECT_NEAR(slope + shifted, 0.0, 1e-9 * std::sqrt(square * sum)) << delta << " " << c;
      sum += shifted * solved.y[c];
    }
    EXPECT_NEAR(solved.left, sum, 1e-9 * sum) << delta;
  }
}

TEST(SparseLeastSquaresTest, RowSquaresAreThoseOfTheMatrix) {
  BlockRows system({12, 30, 9}, 20);
  const std::vector<double> squares = SparseLeastSquares(system).row_squares(std::vector<double>(system.size(), 0.0));
  const std::vector<double> zero = rows_at(system, std::vector<double>(system.size(), 0.0));
  std::vector<double> expected(squares.size(), 0.0);
  for (std::size_t c = 0; c < system.size(); ++c) {
    std::vector<double> unit(system.size(), 0.0);
    unit[c] = 1;
    const std::vector<double> rows = rows_at(system, unit);
    for (std::size_t j = 0; j < rows.size(); ++j) expected[j] += (rows[j] - zero[j]) * (rows[j] - zero[j]);
  }
  for (std::size_t j = 0; j < squares.size(); ++j) EXPECT_NEAR(squares[j], expected[j], 1e-10 * expected[j]);
}

TEST(SparseLeastSquaresTest, ThreadsChangeNoBit) {
  for (const double delta : kDeltas) {
    BlockRows system({140, 140, 140, 140, 140}, 160);
    const std::vector<double> x(system.size(), 0.0), rows = rows_at(system, x);
    const std::vector<double> weights(system.num_rows(), 1.0);
    const int usual = thread_count();
    set_thread_count(1);
    const std::vector<double> one = SparseLeastSquares(system).solve(x, weights, rows, delta).y;
    set_thread_count(2);
    const std::vector<double> two = SparseLeastSquares(system).solve(x, weights, rows, delta).y;
    set_thread_count(usual);
    EXPECT_EQ(one, two) << delta;
  }
}

TEST(SparseLeastSquaresTest, AColumnThatNoRowReadsHasNoCoefficient) {
  for (const double delta : kDeltas) {
    BlockRows system({12, 30, 9}, 50);
    for (std::size_t j = 0; j < system.num_rows(); ++j) system.entry(j, 20) = 0;
    const std::vector<double> x(system.size(), 0.0), rows = rows_at(system, x);
    const std::vector<double> weights(system.num_rows(), 1.0);
    const std::vector<double> y = SparseLeastSquares(system).solve(x, weights, rows, delta).y;
    EXPECT_EQ(y[20], 0);
    EXPECT_TRUE(std::ranges::all_of(y, [](double entry) { return std::isfinite(entry); })) << delta;
  }
}

TEST(SparseLeastSquaresTest, NumbersThatAreNotFiniteAreNoSolution) {
  for (const double delta : kDeltas) {
    BlockRows system({12, 30, 9}, 50);
    system.entry(3, 4) = std::numeric_limits<double>::quiet_NaN();
    const std::vector<double> x(system.size(), 0.0), rows(system.num_rows(), 1.0);
    const std::vector<double> weights(system.num_rows(), 1.0);
    const std::vector<double> y = SparseLeastSquares(system).solve(x, weights, rows, delta).y;
    EXPECT_FALSE(std::ranges::all_of(y, [](double entry) { return std::isfinite(entry); })) << delta;
  }
}

TEST(SolveTest, AStepThatCameOutAsLinearEquationsWouldIsTheLast) {
  BlockRows system({12, 30, 9}, 50);
  std::vector<double> x(system.size(), 0.0);
  Solve solve;
  ASSERT_EQ(solve.step(system, x).outcome, StepOutcome::Moved);
  const std::vector<double> solved = x;
  const StepSummary second = solve.step(system, x);
  EXPECT_EQ(second.outcome, StepOutcome::Stationary);
  EXPECT_EQ(second.jacobians, 0) << "no second factorisation is paid";
  EXPECT_EQ(x, solved);
}

}  // namespace
}  // namespace pecann::optim
