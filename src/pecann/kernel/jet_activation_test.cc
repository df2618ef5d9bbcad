#include "pecann/kernel/jet_activation.h"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <limits>

#include "pecann/base/aligned_vector.h"
#include "pecann/base/random_stream.h"
#include "support/simd_targets.h"

namespace pecann::kernel {
namespace {

using Kind = JetChannel::Kind;
using Real = long double;

// Points of one neuron in a tile and, per channel, their values.
struct Tile {
  std::vector<JetChannel> channels;
  std::size_t points, stride;
  AlignedVector<double> z, h;

  Tile(std::vector<JetChannel> set, std::size_t num_points)
      : channels(std::move(set)),
        points(num_points),
        stride(points * channels.size() + 8),
        z(2 * stride),
        h(2 * stride) {}
  void run(Activation function, double bias = 0) {
    const double biases[2] = {bias, 0};
    activate(function, channels, 2, points, biases, z.data(), h.data(), stride);
  }
};

const std::vector<JetChannel> kLine = {
    {Kind::Value}, {Kind::First}, {Kind::Second, {{1, 1}}}, {Kind::Third, {}, 1, 2}, {Kind::Fourth, {}, 1, 2, 3}};

struct Named {
  Activation function;
  std::function<Real(Real)> value;
};
const std::vector<Named> kFunctions = {
    {Activation::Tanh, [](Real z) { return std::tanh(z); }},
    {Activation::Sin, [](Real z) { return std::sin(z); }},
    {Activation::Cos, [](Real z) { return std::cos(z); }},
    {Activation::Silu, [](Real z) { return z / (1 + std::exp(-z)); }},
    {Activation::Sigmoid, [](Real z) { return 1 / (1 + std::exp(-z)); }},
};

TEST(JetActivationTest, EveryRowIsTested) {
  EXPECT_EQ(kFunctions.size(), std::size(kActivations) + std::size(kEndFunctions));
}

TEST(JetActivationTest, ValuesAgreeWithTheStandardLibrary) {
  test::for_each_simd_target([] {
    for (const auto& [function, value] : kFunctions) {
      Tile tile({{Kind::Value}}, 2000);
      for (std::size_t t = 0; t < 1000; ++t) tile.z[t] = 12.0 * (static_cast<double>(t) - 499.5) / 500;
      for (std::size_t t = 1000; t < 2000; ++t)  // both signs, from 1e-20 to 30
        tile.z[t] = (t % 2 ? 1 : -1) * 1e-20 * std::pow(30e20, static_cast<double>(t - 1000) / 999);
      const AlignedVector<double> z = tile.z;
      tile.run(function);
      for (std::size_t t = 0; t < 2000; ++t) {
        const Real expected = value(z[t]);
        // Near its zeros a sine is accurate relative to its argument's rounding; the others relative to their value.
        const bool wave = function == Activation::Sin || function == Activation::Cos;
        const Real size = wave ? std::max(std::abs(expected), Real(1e-3) * std::min(Real(1), std::abs(Real(z[t]))))
                               : std::abs(expected);
        ASSERT_LE(std::abs(tile.h[t] - expected), 4 * 2.3e-16L * size) << "z = " << z[t];
      }
    }
  });
}

TEST(JetActivationTest, SaturatesAndKeepsNotANumber) {
  test::for_each_simd_target([] {
    const double inf = std::numeric_limits<double>::infinity();
    for (const Activation function : {Activation::Tanh, Activation::Sigmoid}) {
      Tile tile({{Kind::Value}}, 8);
      const double z[8] = {inf, -inf, std::nan(""), 1e300, -1e300, 700, -700, 0};
      std::copy_n(z, 8, tile.z.begin());
      tile.run(function);
      const double low = function == Activation::Tanh ? -1 : 0;
      EXPECT_EQ(tile.h[0], 1);
      EXPECT_NEAR(tile.h[1], low, 1e-300);
      EXPECT_TRUE(std::isnan(tile.h[2]));
      EXPECT_EQ(tile.h[3], 1);
      EXPECT_NEAR(tile.h[4], low, 1e-300);
      EXPECT_EQ(tile.h[5], 1);
      EXPECT_NEAR(tile.h[6], low, 1e-300);
      EXPECT_EQ(tile.h[7], (1 + low) / 2);
    }
  });
}

// With z_1 = 1 and all other derivatives of z zero the channels are σ, σ', σ'', σ''', σ''''.
TEST(JetActivationTest, EveryDerivativeIsTheSlopeOfTheOneBefore) {
  test::for_each_simd_target([] {
    for (const auto& [function, value] : kFunctions) {
      const double step = 1e-3;
      for (double z = -4; z < 4; z += 0.37) {
        Tile tile(kLine, 8);
        const double offsets[8] = {0, -2, -1, 1, 2, 0, 0, 0};
        for (std::size_t t = 0; t < 8; ++t) {
          tile.z[t] = z - 0.25 + step * offsets[t];
          tile.z[8 + t] = 1;
        }
        tile.run(function, 0.25);
        for (std::size_t k = 1; k < kLine.size(); ++k) {
          const double* lower = tile.h.data() + (k - 1) * 8;
          const double slope = (lower[1] - 8 * lower[2] + 8 * lower[3] - lower[4]) / (12 * step);
          ASSERT_NEAR(tile.h[k * 8], slope, 1e-10) << "order " << k << " at " << z;
        }
      }
    }
  });
}

// All kinds at once: two directions (one with per-point coefficients in its operators), mixed products, a
// line to order 4.
TEST(JetActivationTest, AdjointIsTheTransposeOfTheSlope) {
  test::for_each_simd_target([] {
    const std::size_t points = 72;  // more than one chunk
    RandomStream stream(6, "adjoint");
    AlignedVector<double> column(points);
    for (double& c : column) c = stream.normal();
    const std::vector<std::vector<JetChannel>> sets = {
        {{Kind::Value}},
        {{Kind::Value}, {Kind::First}},
        {{Kind::Value}, {Kind::First}, {Kind::First}, {Kind::Second, {{1, 1}, {2, 2, -0.7}}}},
        {{Kind::Value}, {Kind::First}, {Kind::First}, {Kind::First}, {Kind::Second, {{1, 3, 0.4}, {2, 2}}}},
        {{Kind::Value}, {Kind::First}, {Kind::First}, {Kind::Second, {{1, 2}, {2, 1, 0.5}}}},
        {{Kind::Value}, {Kind::Second}},
        {{Kind::Value}, {Kind::First}, {Kind::First}, {Kind::Second, {{1, 2, 1.5}, {2, 2, 1, column.data()}}}},
        {{Kind::Value},
         {Kind::First},
         {Kind::Second, {{1, 1}}},
         {Kind::First},
         {Kind::Third, {}, 1, 2},
         {Kind::Second, {{1, 3, 1, column.data()}}},
         {Kind::Fourth, {}, 1, 2, 4}}};
    for (const auto& set : sets)
      for (const auto& [function, value] : kFunctions) {
        Tile tile(set, points);
        const std::size_t columns = points * set.size();
        AlignedVector<double> z(2 * tile.stride), weight(2 * tile.stride);
        for (double& entry : z) entry = stream.normal();
        for (double& entry : weight) entry = stream.normal();
        tile.z = z;
        tile.run(function);
        AlignedVector<double> adjoint = weight;
        activate_adjoint(function, set, 2, points, tile.z.data(), tile.h.data(), adjoint.data(), tile.stride);
        const auto loss_of_point = [&](const Tile& at, std::size_t row, std::size_t t) {
          double sum = 0;
          for (std::size_t c = 0; c < set.size(); ++c)
            sum += weight[row * at.stride + c * points + t] * at.h[row * at.stride + c * points + t];
          return sum;
        };
        for (std::size_t channel = 0; channel < set.size(); ++channel) {
          // Points do not interact: one channel of all points can be moved at once.
          const double step = 1e-3, offsets[4] = {-2, -1, 1, 2}, factors[4] = {1, -8, 8, -1};
          std::vector<double> slope(2 * points, 0.0);
          for (int k = 0; k < 4; ++k) {
            Tile moved(set, points);
            moved.z = z;
            for (std::size_t row = 0; row < 2; ++row)
              for (std::size_t t = 0; t < points; ++t)
                moved.z[row * moved.stride + channel * points + t] += step * offsets[k];
            moved.run(function);
            for (std::size_t row = 0; row < 2; ++row)
              for (std::size_t t = 0; t < points; ++t)
                slope[row * points + t] += factors[k] * loss_of_point(moved, row, t) / (12 * step);
          }
          for (std::size_t row = 0; row < 2; ++row)
            for (std::size_t t = 0; t < points; ++t) {
              const double expected = slope[row * points + t];
              ASSERT_NEAR(adjoint[row * tile.stride + channel * points + t], expected, 1e-8 * (1 + std::abs(expected)))
                  << "channel " << channel << " of " << set.size() << ", point " << t;
            }
        }
        for (std::size_t n = columns; n < tile.stride; ++n) ASSERT_EQ(adjoint[n], weight[n]);
      }
  });
}

}  // namespace
}  // namespace pecann::kernel
