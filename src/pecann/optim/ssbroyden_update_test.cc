#include "pecann/optim/ssbroyden_update.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "pecann/base/random_stream.h"
#include "pecann/optim/vector_algebra.h"

namespace pecann::optim {
namespace {

using Matrix = std::vector<std::vector<double>>;

std::vector<double> times(const Matrix& h, std::span<const double> v) {
  std::vector<double> result;
  for (const auto& row : h) result.push_back(dot(row, v));
  return result;
}

/// The update formula as it is written, entry by entry.
Matrix updated(const Matrix& h, std::span<const double> s, std::span<const double> y,
               const BroydenParameters& parameters) {
  const std::vector<double> hy = times(h, y);
  const double ys = dot(y, s), yhy = dot(y, hy);
  Matrix result = h;
  for (std::size_t i = 0; i < h.size(); ++i) {
    for (std::size_t j = 0; j < h.size(); ++j) {
      const double vi = s[i] / ys - hy[i] / yhy, vj = s[j] / ys - hy[j] / yhy;
      result[i][j] =
          (h[i][j] - hy[i] * hy[j] / yhy + parameters.phi * yhy * vi * vj) / parameters.tau + s[i] * s[j] / ys;
    }
  }
  return result;
}

struct Pair {
  Matrix h;                  // symmetric, positive definite
  std::vector<double> s, y;  // y·s > 0
};

Pair random_pair(std::size_t n, int draw) {
  RandomStream stream(static_cast<std::uint64_t>(draw), "ssbroyden_update_test");
  const auto vector = [&] {
    std::vector<double> v(n);
    for (double& entry : v) entry = stream.normal();
    return v;
  };
  Matrix a;
  for (std::size_t i = 0; i < n; ++i) a.push_back(vector());
  Pair pair{Matrix(n, std::vector<double>(n)), vector(), vector()};
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j < n; ++j) pair.h[i][j] = dot(a[i], a[j]) + (i == j ? 0.1 : 0.0);
  if (dot(pair.y, pair.s) < 0)
    for (double& entry : pair.y) entry = -entry;
  return pair;
}

TEST(SsBroydenUpdateTest, SpanFormIsTheUpdateForAnyParameters) {
  constexpr std::size_t n = 6;
  for (const BroydenParameters parameters : {BroydenParameters{}, {0.6, 1.0}, {1.7, 0.3}, {0.9, -0.2}}) {
    const Pair pair = random_pair(n, 1);
    const std::vector<double> hy = times(pair.h, pair.y), v = {1, -2, 0.5, 3, 0.1, -1};
    const UpdateProducts products{.ys = dot(pair.y, pair.s), .yhy = dot(pair.y, hy), .sbs = 1};
    const SpanUpdate update = span_update(products, parameters);
    std::vector<double> result(n);
    apply_update(update, pair.s, hy, v, times(pair.h, v), result);
    const std::vector<double> expected = times(updated(pair.h, pair.s, pair.y, parameters), v);
    for (std::size_t i = 0; i < n; ++i) EXPECT_NEAR(result[i], expected[i], 1e-11 * max_abs(expected));
  }
}

TEST(SsBroydenUpdateTest, EveryUpdateMeetsTheSecantEquation) {
  for (int draw = 0; draw < 20; ++draw) {
    const Pair pair = random_pair(5, draw);
    const std::vector<double> hy = times(pair.h, pair.y);
    // s·H⁻¹s of any value that Cauchy–Schwarz allows: b h ≥ 1
    const double ys = dot(pair.y, pair.s), yhy = dot(pair.y, hy);
    const UpdateProducts products{.ys = ys, .yhy = yhy, .sbs = (1.0 + 0.3 * draw) * ys * ys / yhy};
    const Matrix next = updated(pair.h, pair.s, pair.y, self_scaled_parameters(products, 5));
    const std::vector<double> next_y = times(next, pair.y);
    for (std::size_t i = 0; i < 5; ++i) EXPECT_NEAR(next_y[i], pair.s[i], 1e-9 * max_abs(pair.s));
  }
}

// The published formulas with numbers put in by hand, one case for each branch.
TEST(SsBroydenUpdateTest, ParametersFollowTheFormulas) {
  {  // b = 2, h = 1, a = 1: θ = max(ρ⁻ − 1, −½) with ρ⁻ = 1 − √½: θ = −½, σ = ½
    const BroydenParameters p = self_scaled_parameters({.ys = 1, .yhy = 1, .sbs = 2}, 3);
    EXPECT_DOUBLE_EQ(p.phi, 1.5 / 0.5);
    EXPECT_DOUBLE_EQ(p.tau, std::min(0.5 * std::pow(0.5, -0.5), 0.5));
  }
  {  // b = 4, h = ½, a = 1: ρ⁻ = ½(1 − √½), θ⁻ = ρ⁻ − 1 = −0.8536, (1−b)/b = −0.75: θ = −0.75, σ = 0.25
    const BroydenParameters p = self_scaled_parameters({.ys = 2, .yhy = 1, .sbs = 8}, 5);
    EXPECT_DOUBLE_EQ(p.phi, 1.75 / 0.25);
    EXPECT_DOUBLE_EQ(p.tau, std::min(0.25 * std::pow(0.25, -0.25), 0.25));
  }
  {  // b = ½, h = 4, a = 1: ρ⁻ = min(1, 4(1 − √½)) = 1, θ⁺ = 1, (1−b)/b = 1: θ = 1, σ = 2, τ₁ = 1
    const BroydenParameters p = self_scaled_parameters({.ys = 1, .yhy = 4, .sbs = 0.5}, 2);
    EXPECT_DOUBLE_EQ(p.phi, 0.0);
    EXPECT_DOUBLE_EQ(p.tau, 0.5);
  }
  {  // b = 0.8, h = 2, a = 0.6: c = √(0.375), ρ⁻ = 2(1 − c) = 0.77526, θ⁺ = 1.2899, (1−b)/b = ¼: σ = 1.15
    const BroydenParameters p = self_scaled_parameters({.ys = 1, .yhy = 2, .sbs = 0.8}, 11);
    EXPECT_NEAR(p.phi, 0.75 / 1.15, 1e-14);
    EXPECT_NEAR(p.tau, std::pow(1.15, -0.1), 1e-14);
  }
}

TEST(SsBroydenUpdateTest, ParallelVectorsAndOneUnknownGiveFiniteParameters) {
  // s and Hy parallel: a = 0, θ = (1−b)/b, σ = 1, τ = min(1, 1/b)
  const BroydenParameters parallel = self_scaled_parameters({.ys = 1, .yhy = 0.25, .sbs = 4}, 7);
  EXPECT_DOUBLE_EQ(parallel.tau, 0.25);
  EXPECT_DOUBLE_EQ(parallel.phi, 1.75);
  // n = 1: the exponent 1/(1−n) is infinite and |σ| < 1 to its power vanishes, so BFGS's parameters are taken
  const BroydenParameters one = self_scaled_parameters({.ys = 1, .yhy = 0.5 + 1e-9, .sbs = 2}, 1);
  EXPECT_EQ(one.tau, 1);
  EXPECT_EQ(one.phi, 1);
}

// On a quadratic with exact line searches both updates make conjugate directions and end after n steps; BFGS,
// which does not scale, has then learned the inverse of the Hessian [Nocedal & Wright 2006, theorem 6.4; Oren
// & Luenberger 1974].
TEST(SsBroydenUpdateTest, ExactSearchesEndAQuadraticAfterNSteps) {
  constexpr std::size_t n = 6;
  const Matrix hessian = random_pair(n, 4).h;
  for (const bool self_scaled : {false, true}) {
    Matrix h(n, std::vector<double>(n, 0.0));
    for (std::size_t i = 0; i < n; ++i) h[i][i] = 0.1;
    std::vector<double> x = {1, -2, 3, 0.5, -1, 2}, gradient = times(hessian, x);
    const double start = max_abs(gradient);
    for (std::size_t k = 0; k < n; ++k) {
      std::vector<double> s = times(h, gradient);
      const double alpha = dot(gradient, s) / dot(s, times(hessian, s));
      for (double& entry : s) entry *= -alpha;
      const std::vector<double> y = times(hessian, s);
      const UpdateProducts products{.ys = dot(y, s), .yhy = dot(y, times(h, y)), .sbs = -alpha * dot(s, gradient)};
      h = updated(h, s, y, self_scaled ? self_scaled_parameters(products, n) : BroydenParameters{});
      add_scaled(1, s, x);
      add_scaled(1, y, gradient);
      if (k + 1 < n) EXPECT_GT(max_abs(gradient), 1e-6 * start);
    }
    EXPECT_LT(max_abs(gradient), 1e-10 * start);
    if (self_scaled) continue;
    for (std::size_t i = 0; i < n; ++i) {
      const std::vector<double> unit = times(h, hessian[i]);
      for (std::size_t j = 0; j < n; ++j) EXPECT_NEAR(unit[j], i == j ? 1.0 : 0.0, 1e-8);
    }
  }
}

}  // namespace
}  // namespace pecann::optim
