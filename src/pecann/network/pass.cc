#include "pecann/network/pass.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "pecann/base/require.h"
#include "pecann/kernel/dense_adjoint.h"
#include "pecann/kernel/dense_multiply.h"
#include "pecann/network/jet_channels.h"
#include "pecann/network/packed_parameters.h"

namespace pecann::network {
namespace {

std::size_t size_of(int n) { return static_cast<std::size_t>(n); }

}  // namespace

// Memory: tiles of [neuron][channel * points + point] with rows `stride` apart. values[0] are the features
// that enter the first trainable layer (normalised inputs, or a frozen layer's); layer l reads values[l],
// writes sums[l] (before the activation) and values[l + 1]. A linear output has values == sums.
struct Pass::Impl {
  Impl(const Network& described, ChannelSet set, std::size_t most_points);

  void fill_inputs(const NetworkShape& ranges, std::span<const double* const> coordinates,
                   std::span<const double* const> coefficients);
  void run_frozen_layer(const PackedParameters::Impl& packed);
  void run_layer(const PackedParameters::Impl& packed, std::size_t l);
  /// Carries the adjoint of the outputs back; sink(layer, dz, h) receives the adjoint of every layer's sums and
  /// the layer's inputs.
  template <class Sink>
  void reverse(const PackedParameters::Impl& packed, const Sink& sink);

  bool is_linear(std::size_t layer) const {
    return layer + 1 == sums.size() && network.shape().output == Output::Linear;
  }
  Activation function(std::size_t layer) const { return layer + 1 == sums.size() ? Activation::Sigmoid : hidden; }

  const Network& network;
  ChannelSet channels;
  std::vector<kernel::JetChannel> jets;  // `channels` as the kernels read them
  std::size_t num_columns;               // coefficient columns that the channels refer to
  std::size_t max_points;
  Activation hidden;
  std::size_t points = 0, columns = 0, stride = 0;  // sizes of the last forward

  AlignedVector<double> memory;
  double* inputs = nullptr;       // normalised inputs
  double* frozen_sums = nullptr;  // of the frozen layer, before its activation
  std::vector<double*> values, sums;
  double* output_adjoint = nullptr;
  double* hidden_adjoint[2] = {nullptr, nullptr};
};

Pass::Impl::Impl(const Network& described, ChannelSet set, std::size_t most_points)
    : network(described),
      channels(std::move(set)),
      jets(jet_channels(channels, size_of(described.inputs()))),
      num_columns(num_coefficient_columns(channels)),
      max_points(round_up(most_points, kLanes)),
      hidden(described.shape().activation) {
  const std::span<const Network::Layer> layers = network.layers();
  const bool has_frozen = !network.frozen().empty();
  const std::size_t row = kernel::row_stride(jets.size() * max_points);

  int widest = 0;
  int rows = network.inputs() + (has_frozen ? 2 * layers[0].in : 0) + network.shape().outputs;
  for (const Network::Layer& layer : layers) rows += 2 * layer.out;
  for (const Network::Layer& layer : layers.subspan(1)) widest = std::max(widest, layer.in);
  memory.resize(size_of(rows + 2 * widest) * row);

  double* next = memory.data();
  const auto take = [&](int count) { return std::exchange(next, next + size_of(count) * row); };
  inputs = take(network.inputs());
  if (has_frozen) frozen_sums = take(layers[0].in);
  values.push_back(has_frozen ? take(layers[0].in) : inputs);
  sums.resize(layers.size());
  for (std::size_t l = 0; l < layers.size(); ++l) {
    sums[l] = take(layers[l].out);
    values.push_back(is_linear(l) ? sums[l] : take(layers[l].out));
  }
  output_adjoint = take(network.shape().outputs);
  for (double*& adjoint : hidden_adjoint) adjoint = take(widest);
}

/// x̂ = (x - mean) / scale is affine: a first-order part of a channel is divided by the scale,
/// products contribute nothing.
void Pass::Impl::fill_inputs(const NetworkShape& ranges, std::span<const double* const> coordinates,
                             std::span<const double* const> coefficients) {
  for (std::size_t i = 0; i < coordinates.size(); ++i) {
    const double lower = ranges.lower[i], upper = ranges.upper[i];
    const double mean = 0.5 * (lower + upper), scale = (upper - lower) / std::sqrt(12.0);
    double* row = inputs + i * stride;
    for (std::size_t t = 0; t < points; ++t) row[t] = (coordinates[i][t] - mean) / scale;
    for (std::size_t c = 1; c < jets.size(); ++c) {
      double* target = row + c * points;
      const std::vector<Coefficient>& seeds = channels.channels[c].seed;
      const Coefficient seed = seeds.empty() ? Coefficient{} : seeds[i];
      if (seed.column < 0) {
        std::fill_n(target, points, seed.constant / scale);
      } else {
        const double* column = coefficients[size_of(seed.column)];
        for (std::size_t t = 0; t < points; ++t) target[t] = column[t] / scale;
      }
    }
  }
}

void Pass::Impl::run_frozen_layer(const PackedParameters::Impl& packed) {
  const Network::FrozenLayer& frozen = network.frozen();
  kernel::multiply(packed.frozen.data(), size_of(frozen.rows()), size_of(network.inputs()), inputs, stride, frozen_sums,
                   stride, columns);
  std::size_t first = 0;
  for (const Network::FrozenLayer::Block& block : frozen.blocks) {
    kernel::activate(block.activation, jets, size_of(block.rows), points, packed.frozen_bias.data() + first,
                     frozen_sums + first * stride, values[0] + first * stride, stride);
    first += size_of(block.rows);
  }
}

void Pass::Impl::run_layer(const PackedParameters::Impl& packed, std::size_t l) {
  const Network::Layer& layer = network.layers()[l];
  const PackedParameters::Impl::Layer& weights = packed.layers[l];
  const std::size_t in = size_of(layer.in), out = size_of(layer.out);
  kernel::multiply(weights.weights.data(), out, in, values[l], stride, sums[l], stride, columns);
  if (is_linear(l)) {
    for (std::size_t o = 0; o < out; ++o)
      for (std::size_t t = 0; t < points; ++t) sums[l][o * stride + t] += weights.bias[o];
  } else {
    kernel::activate(function(l), jets, out, points, weights.bias.data(), sums[l], values[l + 1], stride);
  }
}

template <class Sink>
void Pass::Impl::reverse(const PackedParameters::Impl& packed, const Sink& sink) {
  const std::span<const Network::Layer> layers = network.layers();
  double* adjoint = output_adjoint;
  for (std::size_t l = layers.size(); l-- > 0;) {
    const std::size_t in = size_of(layers[l].in), out = size_of(layers[l].out);
    if (!is_linear(l))
      kernel::activate_adjoint(function(l), jets, out, points, sums[l], values[l + 1], adjoint, stride);
    sink(layers[l], adjoint, values[l]);
    if (l == 0) return;
    double* below = hidden_adjoint[l % 2];
    kernel::multiply(packed.layers[l].transposed.data(), in, out, adjoint, stride, below, stride, columns);
    adjoint = below;
  }
}

Pass::Pass(const Network& network, ChannelSet channels, std::size_t max_points)
    : impl_(std::make_unique<Impl>(network, std::move(channels), max_points)) {}
Pass::~Pass() = default;
Pass::Pass(Pass&&) noexcept = default;

void Pass::forward(const PackedParameters& parameters, std::span<const double* const> inputs,
                   std::span<const double* const> columns, std::size_t points) {
  Impl& pass = *impl_;
  const PackedParameters::Impl& packed = *parameters.impl_;
  require(packed.network->num_parameters() == pass.network.num_parameters() &&
              packed.network->frozen().rows() == pass.network.frozen().rows(),
          "the parameters belong to a network of another shape");
  require(points > 0 && points % kLanes == 0 && points <= pass.max_points,
          "a tile holds whole vectors, up to max_points");
  require(inputs.size() == size_of(pass.network.inputs()), "a tile needs every input coordinate");
  require(columns.size() >= pass.num_columns, "a channel refers to a coefficient column that was not given");
  pass.points = points;
  pass.columns = pass.jets.size() * points;
  pass.stride = kernel::row_stride(pass.columns);

  pass.fill_inputs(packed.network->shape(), inputs, columns);
  bind_columns(pass.channels, columns, pass.jets);
  if (pass.frozen_sums) pass.run_frozen_layer(packed);
  for (std::size_t l = 0; l < pass.sums.size(); ++l) pass.run_layer(packed, l);
}

const double* Pass::output(int field, int channel) const {
  return impl_->values.back() + size_of(field) * impl_->stride + size_of(channel) * impl_->points;
}

double* Pass::adjoint(int field, int channel) {
  return impl_->output_adjoint + size_of(field) * impl_->stride + size_of(channel) * impl_->points;
}

void Pass::clear_adjoints() {
  for (int field = 0; field < impl_->network.shape().outputs; ++field)
    std::fill_n(adjoint(field, 0), impl_->columns, 0.0);
}

void Pass::backward(const PackedParameters& parameters, std::span<double> gradient) {
  Impl& pass = *impl_;
  require(gradient.size() == pass.network.num_parameters(), "the gradient has one entry per parameter");
  pass.reverse(*parameters.impl_, [&](const Network::Layer& layer, const double* dz, const double* h) {
    const std::size_t in = size_of(layer.in), out = size_of(layer.out);
    double* target = gradient.data() + layer.offset;
    kernel::add_weight_gradient(dz, pass.stride, out, h, pass.stride, in, pass.columns, target);
    kernel::add_bias_gradient(dz, pass.stride, out, pass.points, target + in * out);
  });
}

void Pass::jacobian(const PackedParameters& parameters, double* jacobian, std::size_t stride) {
  Impl& pass = *impl_;
  require(stride >= pass.points, "the rows of the Jacobian are shorter than the tile");
  pass.reverse(*parameters.impl_, [&](const Network::Layer& layer, const double* dz, const double* h) {
    const std::size_t in = size_of(layer.in), out = size_of(layer.out);
    double* target = jacobian + layer.offset * stride;
    kernel::weight_jacobian(dz, pass.stride, out, h, pass.stride, in, pass.jets.size(), pass.points, target, stride);
    for (std::size_t o = 0; o < out; ++o)
      std::copy_n(dz + o * pass.stride, pass.points, target + (in * out + o) * stride);
  });
}

}  // namespace pecann::network
