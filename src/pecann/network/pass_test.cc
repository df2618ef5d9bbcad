#include "pecann/network/pass.h"

#include <gtest/gtest.h>

#include <cmath>

#include "pecann/base/require.h"
#include "pecann/network/test_channels.h"
#include "support/reference_jets.h"
#include "support/simd_targets.h"

namespace pecann::network {
namespace {

using test::Points;

// Tolerances relative to the largest value of the channel over the points: an element may cancel to almost nothing.
double largest(const Pass& pass, int field, int channel, std::size_t points) {
  double result = 1e-3;
  for (std::size_t t = 0; t < points; ++t) result = std::max(result, std::abs(pass.output(field, channel)[t]));
  return result;
}

void expect_reference(const Network& network, const ChannelSet& set, std::size_t num_points, double tolerance) {
  RandomStream stream(11, "points");
  const std::vector<double> parameters = test::random_parameters(network, stream);
  const Points points(network, num_points, stream);
  PackedParameters packed(network);
  packed.pack(parameters);
  Pass pass(network, set, num_points);
  points.forward(pass, packed, 0, num_points);
  for (const std::size_t t : {std::size_t{0}, num_points / 2, num_points - 1}) {
    std::vector<reference::Real> x, columns;
    for (const auto& coordinate : points.coordinates) x.push_back(coordinate[t]);
    for (const auto& column : points.columns) columns.push_back(column[t]);
    for (int c = 0; c < set.size(); ++c) {
      const auto expected = reference::jet(network, parameters, set, c, x, columns);
      for (int field = 0; field < network.shape().outputs; ++field)
        ASSERT_NEAR(pass.output(field, c)[t], static_cast<double>(expected[static_cast<std::size_t>(field)]),
                    tolerance * largest(pass, field, c, num_points))
            << "channel " << c << ", field " << field << ", point " << t;
    }
  }
}

TEST(PassTest, JetsEqualTheReference) {
  ::pecann::test::for_each_simd_target([] {
    for (const NetworkShape& shape : test::network_shapes()) {
      RandomStream stream(3, "fourier");
      const Network network(shape, stream);
      for (const auto& [name, set] : test::channel_sets(network.inputs()))
        for (const std::size_t num_points : {8, 24, 40}) {
          SCOPED_TRACE(testing::Message()
                       << name << ", " << num_points << " points, " << network.num_parameters() << " parameters");
          expect_reference(network, set, num_points, 1e-12);
        }
    }
  });
}

TEST(PassTest, JetsOfWideNetworksEqualTheReference) {
  for (const int width : {40, 60, 100, 128}) {
    RandomStream stream(3, "fourier");
    const Network network({.lower = {0, 0}, .upper = {1, 2}, .hidden = {width, width}}, stream);
    expect_reference(network, test::laplacian_channels(), 48, 1e-12);
  }
}

// The networks of the catalogue are at most six layers deep.
TEST(PassTest, JetsOfDeepNetworksEqualTheReference) {
  RandomStream stream(3, "fourier");
  const Network network({.lower = {0, 0}, .upper = {1, 2}, .hidden = std::vector<int>(6, 20)}, stream);
  for (const auto& [name, set] : test::channel_sets(2)) expect_reference(network, set, 16, 1e-11);
}

TEST(PassTest, BitsOfAPointDoNotDependOnItsTile) {
  ::pecann::test::for_each_simd_target([] {
    RandomStream stream(3, "fourier");
    const Network network({.lower = {-1, 0}, .upper = {1, 3}, .hidden = {21, 18, 20}, .outputs = 2}, stream);
    PackedParameters packed(network);
    packed.pack(test::random_parameters(network, stream));
    const Points points(network, 104, stream);
    for (const auto& [name, set] : test::channel_sets(2)) {
      Pass whole(network, set, 104), part(network, set, 48);
      points.forward(whole, packed, 0, 104);
      for (const auto& [first, count] : {std::pair<std::size_t, std::size_t>{0, 8}, {8, 24}, {56, 48}}) {
        points.forward(part, packed, first, count);
        for (int field = 0; field < 2; ++field)
          for (int c = 0; c < set.size(); ++c)
            for (std::size_t t = 0; t < count; ++t)
              ASSERT_EQ(part.output(field, c)[t], whole.output(field, c)[first + t]) << name;
      }
    }
  });
}

TEST(PassTest, TheValueIsTheSameWithAndWithoutDerivatives) {
  for (const NetworkShape& shape : test::network_shapes()) {
    RandomStream stream(3, "fourier");
    const Network network(shape, stream);
    PackedParameters packed(network);
    packed.pack(test::random_parameters(network, stream));
    const Points points(network, 24, stream);
    Pass value(network, ChannelSet{}, 24);
    points.forward(value, packed, 0, 24);
    for (const auto& [name, set] : test::channel_sets(network.inputs())) {
      Pass jets(network, set, 24);
      points.forward(jets, packed, 0, 24);
      for (int field = 0; field < shape.outputs; ++field)
        for (std::size_t t = 0; t < 24; ++t) ASSERT_EQ(jets.output(field, 0)[t], value.output(field, 0)[t]) << name;
    }
  }
}

TEST(PassTest, InstructionSetsAgree) {
  RandomStream stream(3, "fourier");
  const Network network({.lower = {-1, 0}, .upper = {1, 3}, .hidden = {40, 30}, .outputs = 2}, stream);
  PackedParameters packed(network);
  packed.pack(test::random_parameters(network, stream));
  const Points points(network, 40, stream);
  const ChannelSet set = test::laplacian_channels();
  std::vector<double> first_outputs, first_gradient;
  int targets = 0;
  ::pecann::test::for_each_simd_target([&] {
    ++targets;
    Pass pass(network, set, 40);
    points.forward(pass, packed, 0, 40);
    std::vector<double> outputs, gradient(network.num_parameters(), 0.0);
    for (int field = 0; field < 2; ++field)
      for (int c = 0; c < set.size(); ++c) {
        outputs.insert(outputs.end(), pass.output(field, c), pass.output(field, c) + 40);
        for (std::size_t t = 0; t < 40; ++t) pass.adjoint(field, c)[t] = std::cos(static_cast<double>(t) + c + field);
      }
    pass.backward(packed, gradient);
    if (first_outputs.empty()) {
      first_outputs = outputs;
      first_gradient = gradient;
    }
    for (std::size_t i = 0; i < outputs.size(); ++i) ASSERT_NEAR(outputs[i], first_outputs[i], 1e-12);
    for (std::size_t i = 0; i < gradient.size(); ++i)
      ASSERT_NEAR(gradient[i], first_gradient[i], 1e-12 * (1 + std::abs(first_gradient[i])));
  });
  if (targets < 2) GTEST_SKIP() << "this build has one instruction set: nothing to compare";
}

TEST(PassTest, PreferredTileIsWholeVectorsAndShrinksWithTheChannels) {
  RandomStream stream(3, "fourier");
  const Network network({.lower = {0, 0}, .upper = {1, 2}, .hidden = {40, 40}}, stream);
  std::size_t value_only = preferred_tile(network, ChannelSet{});
  for (const auto& [name, set] : test::channel_sets(2)) {
    const std::size_t tile = preferred_tile(network, set);
    EXPECT_GT(tile, 0u);
    EXPECT_EQ(tile % kLanes, 0u);
    EXPECT_LE(tile, value_only);
  }
}

TEST(Pass, BrokenContractsAreRefused) {
  RandomStream stream(3, "fourier");
  const Network network({.lower = {0, 0}, .upper = {1, 2}, .hidden = {4}}, stream);
  ChannelSet no_first;
  no_first.channels.push_back(test::second({{0, 0, test::number(1)}}));
  EXPECT_THROW(Pass(network, no_first, 8), ContractError);
  ChannelSet short_seed;
  short_seed.channels.push_back(test::along(1, 0));
  EXPECT_THROW(Pass(network, short_seed, 8), ContractError);
}

}  // namespace
}  // namespace pecann::network
