#include "pecann/network/network.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "pecann/base/require.h"
#include "pecann/network/frozen_layer.h"

namespace pecann::network {

Network::Network(NetworkShape shape, RandomStream& frozen_stream) : shape_(std::move(shape)) {
  require(!shape_.lower.empty() && shape_.lower.size() == shape_.upper.size(),
          "a network needs a range for each input");
  for (std::size_t i = 0; i < shape_.lower.size(); ++i)
    require(shape_.lower[i] < shape_.upper[i], "the range of a network's input must not be empty");
  for (const int width : shape_.hidden) require(width > 0, "a hidden layer needs at least one neuron");
  require(shape_.outputs > 0, "a network needs at least one output");

  int in = inputs();
  std::size_t first = 0;
  if (shape_.fourier_sigma || shape_.features) {
    require(!shape_.hidden.empty(), "a frozen layer has a width");
    frozen_ = shape_.features ? random_features(shape_, frozen_stream) : fourier_features(shape_, frozen_stream);
    in = frozen_.rows();
    first = 1;
  }
  const auto add_layer = [&](int out) {
    layers_.push_back({.in = in, .out = out, .offset = num_parameters_});
    num_parameters_ += static_cast<std::size_t>(out) * static_cast<std::size_t>(in + 1);
    in = out;
  };
  for (std::size_t i = first; i < shape_.hidden.size(); ++i) add_layer(shape_.hidden[i]);
  add_layer(shape_.outputs);
}

void Network::initialise(std::span<double> parameters, RandomStream& stream) const {
  require(parameters.size() == num_parameters_, "initialise needs all parameters of the network");
  if (shape_.features) {
    std::fill(parameters.begin(), parameters.end(), 0.0);
    return;
  }
  for (const Layer& layer : layers_) {
    const double deviation = std::sqrt(2.0 / (layer.in + layer.out));
    const auto weights = static_cast<std::size_t>(layer.in) * static_cast<std::size_t>(layer.out);
    for (double& weight : parameters.subspan(layer.offset, weights)) weight = deviation * stream.normal();
    for (double& bias : parameters.subspan(layer.offset + weights, static_cast<std::size_t>(layer.out))) bias = 0;
  }
}

}  // namespace pecann::network
