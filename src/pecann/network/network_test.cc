#include "pecann/network/network.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "pecann/network/pass.h"

namespace pecann::network {
namespace {

TEST(NetworkTest, ParametersLieLayerByLayerWeightsThenBiases) {
  RandomStream stream(1, "fourier");
  const Network network({.lower = {0, -1}, .upper = {1, 1}, .hidden = {6, 128, 5}, .outputs = 2}, stream);
  ASSERT_EQ(network.layers().size(), 4u);
  const int in[] = {2, 6, 128, 5}, out[] = {6, 128, 5, 2};
  const std::size_t offsets[] = {0, 18, 18 + 7 * 128, 18 + 7 * 128 + 129 * 5};
  for (std::size_t l = 0; l < 4; ++l) {
    EXPECT_EQ(network.layers()[l].in, in[l]);
    EXPECT_EQ(network.layers()[l].out, out[l]);
    EXPECT_EQ(network.layers()[l].offset, offsets[l]);
  }
  EXPECT_EQ(network.num_parameters(), offsets[3] + 12);
  EXPECT_TRUE(network.frozen().empty());
}

TEST(NetworkTest, SixHiddenLayersOf128HaveThePublishedNumberOfParameters) {
  RandomStream stream(1, "fourier");
  const Network network({.lower = {-1, -1}, .upper = {1, 1}, .hidden = std::vector<int>(6, 128)}, stream);
  EXPECT_EQ(network.num_parameters(), 83073u);
}

TEST(NetworkTest, FourierLayerHasNoParametersAndCountsAsHiddenLayer) {
  RandomStream stream(1, "fourier");
  const Network network({.lower = {0}, .upper = {1}, .hidden = {2000, 10}, .fourier_sigma = 3.0}, stream);
  ASSERT_EQ(network.layers().size(), 2u);
  EXPECT_EQ(network.layers()[0].in, 2000);
  EXPECT_EQ(network.num_parameters(), 2001u * 10 + 11);
  const std::vector<double>& stacked = network.frozen().weights;  // 2πB, twice
  ASSERT_EQ(stacked.size(), 2000u);
  EXPECT_TRUE(std::equal(stacked.begin(), stacked.begin() + 1000, stacked.begin() + 1000));
  double sum = 0, squares = 0;
  for (std::size_t i = 0; i < 1000; ++i) {
    const double b = stacked[i] / (2 * std::numbers::pi);
    sum += b, squares += b * b;
  }
  EXPECT_NEAR(sum / 1000, 0, 5 * 3 / std::sqrt(1000.0));
  EXPECT_NEAR(squares / 1000, 9, 5 * 9 * std::sqrt(2.0 / 1000));
}

TEST(NetworkTest, WeightsAreXavierNormalAndBiasesZero) {
  RandomStream fourier(1, "fourier"), stream(2, "weights");
  const Network network({.lower = {0, 0}, .upper = {1, 1}, .hidden = {100, 60}, .outputs = 1}, fourier);
  std::vector<double> parameters(network.num_parameters(), 7.0);
  network.initialise(parameters, stream);
  for (const Network::Layer& layer : network.layers()) {
    const int count = layer.in * layer.out;
    const double* weights = parameters.data() + layer.offset;
    double sum = 0, squares = 0, fourth = 0;
    for (int i = 0; i < count; ++i) {
      sum += weights[i];
      squares += weights[i] * weights[i];
      fourth += std::pow(weights[i], 4);
    }
    const double variance = 2.0 / (layer.in + layer.out);
    EXPECT_NEAR(sum / count, 0, 5 * std::sqrt(variance / count));
    EXPECT_NEAR(squares / count, variance, 5 * variance * std::sqrt(2.0 / count));
    EXPECT_NEAR(fourth / count, 3 * variance * variance, 5 * variance * variance * std::sqrt(96.0 / count));
    for (int o = 0; o < layer.out; ++o) EXPECT_EQ(weights[count + o], 0);
  }
}

TEST(NetworkTest, TheSameStreamGivesTheSameNetwork) {
  RandomStream a(5, "fourier"), b(5, "fourier");
  const NetworkShape shape{.lower = {0}, .upper = {1}, .hidden = {10, 4}, .fourier_sigma = 1.0};
  const Network one(shape, a), two(shape, b);
  EXPECT_EQ(one.frozen().weights, two.frozen().weights);
}

TEST(NetworkTest, FlopsCountTheMultiplyAddsOfTheDenseLayers) {
  RandomStream stream(1, "fourier");
  const Network network({.lower = {0, 0}, .upper = {1, 1}, .hidden = {3, 4}}, stream);
  ChannelSet channels;
  channels.channels.push_back(
      {.kind = Channel::Kind::First, .seed = {Coefficient{.constant = 1}, Coefficient{.constant = 0}}});
  // forward and dW for all three layers, dH for the last two; two operations each, two channels
  EXPECT_EQ(flops_per_point(network, channels), 2.0 * 2 * (2 * (6 + 12 + 4) + (12 + 4)));
}

}  // namespace
}  // namespace pecann::network
