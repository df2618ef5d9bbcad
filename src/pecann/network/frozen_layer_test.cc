#include "pecann/network/frozen_layer.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace pecann::network {
namespace {

Network::FrozenLayer drawn(Activation activation, const Features& features, int count = 4000) {
  RandomStream stream(7, "features");
  NetworkShape shape;
  shape.lower.assign(features.scale.size(), 0);
  shape.upper.assign(features.scale.size(), 1);
  shape.hidden = {count};
  shape.activation = activation;
  shape.features = features;
  return random_features(shape, stream);
}

// Slopes by x̃ in [-1, 1]: the layer's inputs are x̂ = √3 x̃.
double slope(const Network::FrozenLayer& layer, int row, int input, int inputs) {
  return std::sqrt(3.0) * layer.weights[static_cast<std::size_t>(row * inputs + input)];
}

TEST(RandomFeaturesTest, SlopesFillTheBandOfEveryInput) {
  const std::vector<double> scale = {8, 0.5};
  const Network::FrozenLayer layer = drawn(Activation::Tanh, {scale});
  double least = 10, most = 0, sum[2] = {0, 0}, squares[2] = {0, 0};
  for (int row = 0; row < layer.rows(); ++row) {
    double length = 0;
    for (int i = 0; i < 2; ++i) {
      const double part = slope(layer, row, i, 2) / scale[static_cast<std::size_t>(i)];
      length += part * part;
      sum[i] += part / layer.rows();
      squares[i] += part * part / layer.rows();
    }
    least = std::min(least, std::sqrt(length));
    most = std::max(most, std::sqrt(length));
  }
  EXPECT_GE(least, 0.3 - 1e-12);
  EXPECT_LT(least, 0.31);
  EXPECT_LE(most, 1 + 1e-12);
  EXPECT_GT(most, 0.99);
  // The mean of ρ² is (1 - 0.3³)/(3 · 0.7), shared by the two directions.
  for (int i = 0; i < 2; ++i) {
    EXPECT_NEAR(sum[i], 0, 0.04);
    EXPECT_NEAR(squares[i], (1 - 0.027) / 2.1 / 2, 0.02);
  }
}

TEST(RandomFeaturesTest, TanhHasItsZeroInTheBoxAndSinAnyPhase) {
  const Network::FrozenLayer tanh = drawn(Activation::Tanh, {{5}}), sin = drawn(Activation::Sin, {{5}});
  double least = 1, most = -1, first = 7, last = 0;
  for (int row = 0; row < tanh.rows(); ++row) {
    const double centre = -tanh.biases[static_cast<std::size_t>(row)] / slope(tanh, row, 0, 1);
    least = std::min(least, centre);
    most = std::max(most, centre);
    first = std::min(first, sin.biases[static_cast<std::size_t>(row)]);
    last = std::max(last, sin.biases[static_cast<std::size_t>(row)]);
  }
  EXPECT_GE(least, -1);
  EXPECT_LT(least, -0.99);
  EXPECT_LE(most, 1);
  EXPECT_GT(most, 0.99);
  EXPECT_GE(first, 0);
  EXPECT_LT(first, 0.01);
  EXPECT_LE(last, 6.2832);
  EXPECT_GT(last, 6.27);
}

TEST(RandomFeaturesTest, GradedOnesAreAsSteepAsTheyAreCloseToAnEnd) {
  const Network::FrozenLayer layer = drawn(Activation::Tanh, {{2}, 1e-4});
  int decades[4] = {}, right = 0;
  for (int row = 0; row < layer.rows(); ++row) {
    const double steep = slope(layer, row, 0, 1), centre = -layer.biases[static_cast<std::size_t>(row)] / steep;
    const double distance = std::min(1 - centre, centre + 1);
    ASSERT_GE(distance, 1e-4 * (1 - 1e-9));
    EXPECT_GE(std::abs(steep) * distance, 2 * 0.3 * (1 - 1e-9));
    EXPECT_LE(std::abs(steep) * distance, 2 * (1 + 1e-9));
    ++decades[std::clamp(static_cast<int>(-std::log10(distance)), 0, 3)];
    right += centre > 0;
  }
  for (const int count : decades) EXPECT_NEAR(count, 1000, 120);
  EXPECT_NEAR(right, 2000, 160);
}

TEST(RandomFeaturesTest, OnlyCoefficientsAreParametersAndTheyBeginAtZero) {
  RandomStream features(7, "features"), stream(7, "weights");
  const Network network({.lower = {0, 0}, .upper = {1, 1}, .hidden = {30}, .outputs = 2, .features = Features{{2, 2}}},
                        features);
  ASSERT_EQ(network.layers().size(), 1u);
  EXPECT_EQ(network.num_parameters(), 2u * 31);
  std::vector<double> parameters(network.num_parameters(), 5.0);
  network.initialise(parameters, stream);
  EXPECT_EQ(parameters, std::vector<double>(62, 0.0));
}

}  // namespace
}  // namespace pecann::network
