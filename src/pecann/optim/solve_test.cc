#include "pecann/optim/solve.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <functional>

#include "pecann/base/input_error.h"

namespace pecann::optim {
namespace {

struct TestEquation {
  std::size_t rows;
  bool constraint;
  /// The residual of a row, with its derivatives.
  std::function<double(std::size_t row, std::span<const double> x, std::span<double> slopes)> residual;
};

/// Equations given as functions, one tile each.
class TestResiduals final : public Residuals {
 public:
  TestResiduals(std::size_t size, std::vector<TestEquation> equations) : size_(size), equations_(std::move(equations)) {
    for (const TestEquation& equation : equations_) {
      runs_.push_back({offsets_.back(), equation.rows, static_cast<int>(runs_.size()), equation.constraint, 1});
      offsets_.push_back(offsets_.back() + equation.rows);
    }
  }
  std::size_t size() const override { return size_; }
  std::span<const std::size_t> row_offsets() const override { return offsets_; }
  std::span<const Run> runs() const override { return runs_; }
  void values(std::span<const double> x, std::span<double> rows) override {
    std::vector<double> slopes(size_);
    for (const Run& run : runs_)
      for (std::size_t j = 0; j < run.count; ++j)
        rows[run.first_row + j] = equations_[static_cast<std::size_t>(run.equation)].residual(j, x, slopes);
  }
  void jacobian(std::span<const double> x, std::size_t first_tile, std::size_t num_tiles, double* columns,
                std::size_t stride) override {
    std::vector<double> slopes(size_);
    for (std::size_t tile = first_tile; tile < first_tile + num_tiles; ++tile)
      for (std::size_t j = 0; j < equations_[tile].rows; ++j) {
        equations_[tile].residual(j, x, slopes);
        for (std::size_t p = 0; p < size_; ++p)
          columns[p * stride + offsets_[tile] - offsets_[first_tile] + j] = slopes[p];
      }
  }

 private:
  std::size_t size_;
  std::vector<TestEquation> equations_;
  std::vector<std::size_t> offsets_ = {0};
  std::vector<Run> runs_;
};

/// u'' = -u with u(0) = 0, u'(0) = 1 in powers of t: u = Σ x_k t^k; the equation in units of `unit`.
TestResiduals oscillator(double unit) {
  const auto power = [](double t, int k) { return k < 0 ? 0.0 : std::pow(t, k); };
  return TestResiduals(16, {{40, false,
                             [=](std::size_t row, std::span<const double> x, std::span<double> slopes) {
                               const double t = static_cast<double>(row) / 39;
                               double sum = 0;
                               for (int k = 0; k < 16; ++k) {
                                 slopes[static_cast<std::size_t>(k)] =
                                     unit * (k * (k - 1) * power(t, k - 2) + power(t, k));
                                 sum += slopes[static_cast<std::size_t>(k)] * x[static_cast<std::size_t>(k)];
                               }
                               return sum;
                             }},
                            {2, true, [](std::size_t row, std::span<const double> x, std::span<double> slopes) {
                               std::fill(slopes.begin(), slopes.end(), 0.0);
                               slopes[row] = 1;
                               return x[row] - (row == 0 ? 0.0 : 1.0);
                             }}});
}

TEST(SolveTest, OneStepSolvesALinearProblemInAnyUnits) {
  for (const double unit : {1.0, 1e7, 1e-7}) {
    TestResiduals problem = oscillator(unit);
    std::vector<double> x(16, 0.0);
    EXPECT_EQ(Solve().step(problem, x).outcome, StepOutcome::Moved);
    for (const double t : {0.1, 0.5, 0.9}) {
      double u = 0;
      for (int k = 0; k < 16; ++k) u += x[static_cast<std::size_t>(k)] * std::pow(t, k);
      EXPECT_NEAR(u, std::sin(t), 1e-13) << unit;
    }
    // The same from a start whose coefficients are far off: nothing of them is left.
    std::vector<double> y(16, 1e5);
    EXPECT_EQ(Solve().step(problem, y).outcome, StepOutcome::Moved);
    for (std::size_t k = 0; k < 2; ++k) EXPECT_NEAR(y[k], x[k], 1e-9);
  }
}

/// x_0 = 1, x_0 + x_1 = 2 and 1e15 (x_0 + x_1 + x_2) = 3e15: rows as steep features have them in a layer.
TestResiduals steep_row() {
  return TestResiduals(3, {{3, false, [](std::size_t row, std::span<const double> x, std::span<double> slopes) {
                              const double unit = row == 2 ? 1e15 : 1;
                              double sum = 0;
                              for (std::size_t p = 0; p < 3; ++p) {
                                slopes[p] = p <= row ? unit : 0;
                                sum += slopes[p] * x[p];
                              }
                              return sum - unit * static_cast<double>(row + 1);
                            }}});
}

TEST(SolveTest, RowsMeasuredByThemselvesAreNotLostBesideSteepOnes) {
  const auto error = [](bool each_row) {
    TestResiduals problem = steep_row();
    std::vector<double> x(3, 0.0);
    EXPECT_EQ(Solve({.each_row = each_row}).step(problem, x).outcome, StepOutcome::Moved);
    return std::abs(x[0] - 1) + std::abs(x[1] - 1) + std::abs(x[2] - 1);
  };
  EXPECT_LT(error(true), 1e-13);
  EXPECT_GT(error(false), 1e-3) << "rows of 1e-15 of the longest are below the cut";
}

/// One equation f(x) = 0 of one number.
TestResiduals scalar(std::function<double(double)> f, std::function<double(double)> slope) {
  return TestResiduals(1, {{1, false, [=](std::size_t, std::span<const double> x, std::span<double> slopes) {
                              slopes[0] = slope(x[0]);
                              return f(x[0]);
                            }}});
}

TEST(SolveTest, GaussNewtonHalvesStepsThatGoTooFarAndEndsWhereNothingIsLeft) {
  TestResiduals problem =
      scalar([](double x) { return std::atan(x - 1); }, [](double x) { return 1 / (1 + (x - 1) * (x - 1)); });
  std::vector<double> x = {8};  // the full step from here leads to -60 and on
  Solve solve;
  int steps = 0;
  while (solve.step(problem, x).outcome == StepOutcome::Moved) ASSERT_LT(++steps, 12);
  EXPECT_NEAR(x[0], 1, 1e-12);
}

TEST(SolveTest, StallsAtALeastResidualAndTellsWhatIsNotFinite) {
  TestResiduals bowl = scalar([](double x) { return x * x + 1; }, [](double x) { return 2 * x; });
  std::vector<double> x = {0};
  EXPECT_EQ(Solve().step(bowl, x).outcome, StepOutcome::Stalled);
  EXPECT_EQ(x[0], 0);
  TestResiduals broken = scalar([](double x) { return std::log(x); }, [](double x) { return 1 / x; });
  x = {-1};
  EXPECT_EQ(Solve().step(broken, x).outcome, StepOutcome::NotFinite);
  EXPECT_EQ(x[0], -1);
}

TEST(SolveTest, RefusesMatricesBeyondTheLimit) {
  const Solve solve({.memory_limit = 4e6});
  EXPECT_NO_THROW(solve.check_sizes({100, 1000}));
  try {
    solve.check_sizes({1000, 3000});
    FAIL() << "accepted";
  } catch (const InputError& error) {
    EXPECT_THAT(error.what(), testing::HasSubstr("1000 parameters and 3000 residuals need"));
  }
}

}  // namespace
}  // namespace pecann::optim
