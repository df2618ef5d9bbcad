#include "pecann/network/frozen_layer.h"

#include <cmath>
#include <numbers>

#include "pecann/base/require.h"

namespace pecann::network {
namespace {

constexpr double kSmallestShare = 0.3;  // of a feature's steepness in that of the steepest

/// A direction uniform on the unit sphere, times a length uniform in [kSmallestShare, 1].
std::vector<double> random_slope(std::size_t inputs, RandomStream& stream) {
  std::vector<double> slope(inputs);
  double squares = 0;
  for (double& part : slope) {
    part = stream.normal();
    squares += part * part;
  }
  const double length = kSmallestShare + (1 - kSmallestShare) * stream.uniform();
  for (double& part : slope) part *= length / std::sqrt(squares);
  return slope;
}

}  // namespace

Network::FrozenLayer fourier_features(const NetworkShape& shape, RandomStream& stream) {
  const int width = shape.hidden.front(), half = width / 2;
  require(width % 2 == 0, "a Fourier layer needs an even width");
  const std::size_t entries = static_cast<std::size_t>(half) * shape.lower.size();
  Network::FrozenLayer layer;
  layer.weights.resize(2 * entries);
  for (std::size_t i = 0; i < entries; ++i)
    layer.weights[i] = layer.weights[entries + i] = 2 * std::numbers::pi * (*shape.fourier_sigma * stream.normal());
  layer.biases.assign(static_cast<std::size_t>(width), 0.0);
  layer.blocks = {{Activation::Cos, half}, {Activation::Sin, half}};
  return layer;
}

Network::FrozenLayer random_features(const NetworkShape& shape, RandomStream& stream) {
  const Features& features = *shape.features;
  const std::size_t inputs = shape.lower.size();
  require(shape.hidden.size() == 1, "random features are one hidden layer");
  require(features.scale.size() == inputs, "random features have a scale for each input");
  const bool periodic = shape.activation == Activation::Sin;
  Network::FrozenLayer layer;
  layer.blocks = {{shape.activation, shape.hidden.front()}};
  std::vector<double> centre(inputs);
  for (int row = 0; row < shape.hidden.front(); ++row) {
    std::vector<double> slope = random_slope(inputs, stream);
    for (std::size_t i = 0; i < inputs; ++i) {
      slope[i] *= features.scale[i];
      centre[i] = 2 * stream.uniform() - 1;
    }
    if (features.graded > 0) {
      const std::size_t axis = inputs > 1 ? stream.below(inputs) : 0;
      const double distance = std::pow(features.graded, stream.uniform());
      centre[axis] = stream.uniform() < 0.5 ? -1 + distance : 1 - distance;
      slope[axis] /= distance;
    }
    double bias = periodic ? 2 * std::numbers::pi * stream.uniform() : 0;
    for (std::size_t i = 0; i < inputs; ++i) {
      if (!periodic || features.graded > 0) bias -= slope[i] * centre[i];
      layer.weights.push_back(slope[i] / std::sqrt(3.0));  // x̂ = √3 x̃
    }
    layer.biases.push_back(bias);
  }
  return layer;
}

}  // namespace pecann::network
