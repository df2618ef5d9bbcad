#include "pecann/optim/ssbroyden_matrix.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "pecann/base/parallel.h"

namespace pecann::optim {
namespace {

std::vector<double> wave(std::size_t n, double frequency) {
  std::vector<double> v(n);
  for (std::size_t i = 0; i < n; ++i) v[i] = std::sin(frequency * (1.0 + static_cast<double>(i)));
  return v;
}

// Two sweeps against the same in a full matrix; sizes with one and with several blocks of rows.
TEST(SsBroydenMatrixTest, SweepUpdatesAndMultiplies) {
  for (const std::size_t n : {1u, 7u, 64u, 400u}) {
    const std::vector<double> s = wave(n, 0.7), hy = wave(n, 1.3), v = wave(n, 0.31);
    PackedMatrix matrix;
    matrix.set_diagonal(n, 2.0);
    std::vector<std::vector<double>> full(n, std::vector<double>(n, 0.0));
    for (std::size_t i = 0; i < n; ++i) full[i][i] = 2.0;
    for (const SpanUpdate update : {SpanUpdate{0.5, 0.3, -0.2, 0.1}, SpanUpdate{1.25, -0.1, 0.4, 0.2}}) {
      std::vector<double> result(n);
      matrix.update_and_multiply(update, s, hy, v, result);
      for (std::size_t i = 0; i < n; ++i) {
        double product = 0;
        for (std::size_t j = 0; j < n; ++j) {
          full[i][j] = update.scale * full[i][j] + update.ss * s[i] * s[j] + update.sh * (s[i] * hy[j] + hy[i] * s[j]) +
                       update.hh * hy[i] * hy[j];
          product += full[i][j] * v[j];
        }
        ASSERT_NEAR(result[i], product, 1e-12);
        for (std::size_t j = 0; j <= i; ++j) ASSERT_NEAR(matrix.at(i, j), full[i][j], 1e-14);
      }
    }
  }
}

TEST(SsBroydenMatrixTest, BitsDoNotDependOnThreads) {
  const int threads_before = thread_count();
  const std::size_t n = 700;  // 14 blocks
  const std::vector<double> s = wave(n, 0.7), hy = wave(n, 1.3), v = wave(n, 0.31);
  std::vector<double> results[3], entries[3];
  for (const int threads : {1, 2, 3}) {
    set_thread_count(threads);
    PackedMatrix matrix;
    matrix.set_diagonal(n, 1.0);
    results[threads - 1].resize(n);
    for (int k = 0; k < 3; ++k) matrix.update_and_multiply({0.9, 0.3, -0.2, 0.1}, s, hy, v, results[threads - 1]);
    entries[threads - 1].assign(matrix.entries().begin(), matrix.entries().end());
  }
  set_thread_count(threads_before);
  EXPECT_EQ(results[0], results[1]);
  EXPECT_EQ(results[0], results[2]);
  EXPECT_EQ(entries[0], entries[1]);
  EXPECT_EQ(entries[0], entries[2]);
}

}  // namespace
}  // namespace pecann::optim
