#include "pecann/network/packed_parameters.h"

#include <algorithm>

#include "pecann/base/require.h"
#include "pecann/kernel/dense_multiply.h"

namespace pecann::network {

PackedParameters::Impl::Impl(const Network& described) : network(&described) {
  for (const Network::Layer& layer : described.layers()) {
    const auto in = static_cast<std::size_t>(layer.in), out = static_cast<std::size_t>(layer.out);
    layers.push_back({AlignedVector<double>(in * out), AlignedVector<double>(in * out), AlignedVector<double>(out)});
  }
  const Network::FrozenLayer& fixed = described.frozen();
  const auto inputs = static_cast<std::size_t>(described.inputs()), rows = static_cast<std::size_t>(fixed.rows());
  frozen.resize(rows * inputs);
  frozen_bias.assign(fixed.biases.begin(), fixed.biases.end());
  kernel::pack_rows(fixed.weights.data(), inputs, 1, rows, inputs, frozen.data());
}

PackedParameters::PackedParameters(const Network& network) : impl_(std::make_unique<Impl>(network)) {}
PackedParameters::~PackedParameters() = default;
PackedParameters::PackedParameters(PackedParameters&&) noexcept = default;

void PackedParameters::pack(std::span<const double> parameters) {
  require(parameters.size() == impl_->network->num_parameters(), "pack needs all parameters of the network");
  for (std::size_t l = 0; l < impl_->layers.size(); ++l) {
    const Network::Layer& layer = impl_->network->layers()[l];
    const auto in = static_cast<std::size_t>(layer.in), out = static_cast<std::size_t>(layer.out);
    const double* weights = parameters.data() + layer.offset;
    kernel::pack_rows(weights, in, 1, out, in, impl_->layers[l].weights.data());
    kernel::pack_rows(weights, 1, in, in, out, impl_->layers[l].transposed.data());
    std::copy_n(weights + in * out, out, impl_->layers[l].bias.data());
  }
}

}  // namespace pecann::network
