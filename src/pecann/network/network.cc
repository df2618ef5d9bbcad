#include "pecann/network/network.h"

#include <cmath>
#include <utility>

#include "pecann/base/require.h"

namespace pecann::network {

Network::Network(NetworkShape shape, RandomStream& fourier_stream) : shape_(std::move(shape)) {
  require(!shape_.lower.empty() && shape_.lower.size() == shape_.upper.size(),
          "a network needs a range for each input");
  for (std::size_t i = 0; i < shape_.lower.size(); ++i)
    require(shape_.lower[i] < shape_.upper[i], "the range of a network's input must not be empty");
  for (const int width : shape_.hidden) require(width > 0, "a hidden layer needs at least one neuron");
  require(shape_.outputs > 0, "a network needs at least one output");

  int in = inputs();
  std::size_t first = 0;
  if (shape_.fourier_sigma) {
    require(!shape_.hidden.empty() && shape_.hidden.front() % 2 == 0, "a Fourier layer needs an even width");
    in = shape_.hidden.front();
    first = 1;
    fourier_.resize(static_cast<std::size_t>(in / 2 * inputs()));
    for (double& entry : fourier_) entry = *shape_.fourier_sigma * fourier_stream.normal();
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
  for (const Layer& layer : layers_) {
    const double deviation = std::sqrt(2.0 / (layer.in + layer.out));
    const auto weights = static_cast<std::size_t>(layer.in) * static_cast<std::size_t>(layer.out);
    for (double& weight : parameters.subspan(layer.offset, weights)) weight = deviation * stream.normal();
    for (double& bias : parameters.subspan(layer.offset + weights, static_cast<std::size_t>(layer.out))) bias = 0;
  }
}

}  // namespace pecann::network
