// Channel sets and tiles of random points that the tests of this module share.
#pragma once

#include <vector>

#include "pecann/base/aligned_vector.h"
#include "pecann/base/random_stream.h"
#include "pecann/network/pass.h"

namespace pecann::network::test {

inline Channel along(int inputs, int axis) {
  Channel channel{.kind = Channel::Kind::First, .seed = std::vector<Coefficient>(static_cast<std::size_t>(inputs))};
  channel.seed[static_cast<std::size_t>(axis)].constant = 1;
  return channel;
}
inline Channel second(std::vector<Channel::Product> products, std::vector<Coefficient> seed = {}) {
  return {.kind = Channel::Kind::Second, .seed = std::move(seed), .products = std::move(products)};
}
inline Coefficient number(double value) { return {.constant = value}; }
inline Coefficient column(int index) { return {.constant = 0, .column = index}; }

/// Value, ∂_x, ∂_y and the Laplacian as one channel.
inline ChannelSet laplacian_channels() {
  return {{Channel{}, along(2, 0), along(2, 1), second({{1, 1, number(1)}, {2, 2, number(1)}})}};
}

struct NamedChannels {
  const char* name;
  ChannelSet set;
};

/// The sets that problems in `inputs` coordinates lead to; coefficient columns 0 … 2 are used.
inline std::vector<NamedChannels> channel_sets(int inputs) {
  const Channel value, x = along(inputs, 0), last = along(inputs, inputs - 1);
  Channel transport{.kind = Channel::Kind::First, .seed = {}};
  for (int i = 0; i < inputs; ++i) transport.seed.push_back(i == inputs - 1 ? number(1) : column(i));
  std::vector<Coefficient> drift;
  for (int i = 0; i < inputs; ++i) drift.push_back(i == 0 ? column(2) : number(-0.5));
  const Channel third{.kind = Channel::Kind::Third, .first = 1, .second = 2};
  const Channel fourth{.kind = Channel::Kind::Fourth, .first = 1, .second = 2, .third = 3};
  std::vector<NamedChannels> sets = {
      {"value", {{value}}},
      {"first", {{value, x}}},
      {"transport with per-point velocity", {{value, transport}}},
      {"operator with per-point coefficients", {{value, x, second({{1, 1, column(1)}}, drift)}}},
      {"first-order operator without products", {{value, second({}, drift)}}},
      {"third and fourth", {{value, x, second({{1, 1, number(1)}}), third, fourth}}},
  };
  if (inputs > 1) {
    sets.push_back({"gradient", {{value, x, last}}});
    sets.push_back({"Laplacian", {{value, x, last, second({{1, 1, number(1)}, {2, 2, number(1)}})}}});
    sets.push_back(
        {"Hessian",
         {{value, x, last, second({{1, 1, number(1)}}), second({{1, 2, number(1)}}), second({{2, 2, number(1)}})}}});
    sets.push_back(
        {"full operator",
         {{value, x, last, second({{1, 1, column(0)}, {1, 2, column(1)}, {2, 2, number(2)}}, drift), transport}}});
    sets.push_back(
        {"a pair twice", {{value, x, last, second({{1, 2, number(1)}, {2, 1, column(0)}, {1, 1, number(3)}})}}});
    sets.push_back({"four directions", {{value, x, last, transport, transport}}});
    sets.push_back({"third beside another line", {{value, x, second({{1, 1, number(1)}}), third, last}}});
  }
  return sets;
}

/// Points inside the network's range, three coefficient columns.
struct Points {
  std::size_t size;
  std::vector<AlignedVector<double>> coordinates, columns;

  Points(const Network& network, std::size_t points, RandomStream& stream) : size(points) {
    for (int i = 0; i < network.inputs(); ++i) {
      const double lower = network.shape().lower[static_cast<std::size_t>(i)];
      const double upper = network.shape().upper[static_cast<std::size_t>(i)];
      coordinates.emplace_back(points);
      for (double& x : coordinates.back()) x = lower + (upper - lower) * stream.uniform();
    }
    for (int i = 0; i < 3; ++i) {
      columns.emplace_back(points);
      for (double& c : columns.back()) c = stream.normal();
    }
  }
  void forward(Pass& pass, const PackedParameters& packed, std::size_t first, std::size_t count) const {
    std::vector<const double*> x, c;
    for (const auto& coordinate : coordinates) x.push_back(coordinate.data() + first);
    for (const auto& values : columns) c.push_back(values.data() + first);
    pass.forward(packed, x, c, count);
  }
};

inline std::vector<double> random_parameters(const Network& network, RandomStream& stream) {
  std::vector<double> parameters(network.num_parameters());
  network.initialise(parameters, stream);
  for (const Network::Layer& layer : network.layers())
    for (int o = 0; o < layer.out; ++o)
      parameters[layer.offset + static_cast<std::size_t>(layer.in * layer.out + o)] = 0.3 * stream.normal();
  return parameters;
}

/// Networks of all widths that block sizes could stumble over, with every activation, output and Fourier layer.
inline std::vector<NetworkShape> network_shapes() {
  const std::vector<double> lower1{0.5}, upper1{2}, lower2{-1, 0}, upper2{1, 3}, lower3{0, 0, -2}, upper3{1, 2, 2};
  return {
      {.lower = lower2, .upper = upper2, .hidden = {16, 16}},
      {.lower = lower1, .upper = upper1, .hidden = {1}},
      {.lower = lower2, .upper = upper2, .hidden = {2, 3}, .outputs = 2},
      {.lower = lower3, .upper = upper3, .hidden = {7, 5, 6}, .outputs = 3, .output = Output::Sigmoid},
      {.lower = lower1, .upper = upper1, .hidden = {30, 20}, .activation = Activation::Sin},
      {.lower = lower2, .upper = upper2, .hidden = {9, 14}, .outputs = 2, .activation = Activation::Silu},
      {.lower = lower2, .upper = upper2, .hidden = {10, 13}, .output = Output::Sigmoid, .fourier_sigma = 0.5},
      {.lower = lower1,
       .upper = upper1,
       .hidden = {6},
       .outputs = 2,
       .activation = Activation::Sin,
       .fourier_sigma = 1.0},
      {.lower = lower2, .upper = upper2, .hidden = {}, .outputs = 1},
      {.lower = lower2, .upper = upper2, .hidden = {21}, .outputs = 2, .features = Features{{2, 3}}},
      {.lower = lower3,
       .upper = upper3,
       .hidden = {40},
       .activation = Activation::Sin,
       .features = Features{{1, 0.5, 4}}},
      {.lower = lower1, .upper = upper1, .hidden = {12}, .features = Features{{0.5}, 0.1}},
  };
}

}  // namespace pecann::network::test
