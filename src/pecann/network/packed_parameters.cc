#include "pecann/network/packed_parameters.h"

#include <algorithm>
#include <numbers>

#include "pecann/base/require.h"
#include "pecann/kernel/dense_multiply.h"

namespace pecann::network {

PackedParameters::Impl::Impl(const Network& described) : network(&described) {
  for (const Network::Layer& layer : described.layers()) {
    const auto in = static_cast<std::size_t>(layer.in), out = static_cast<std::size_t>(layer.out);
    layers.push_back({AlignedVector<double>(in * out), AlignedVector<double>(in * out), AlignedVector<double>(out)});
  }
  const std::span<const double> matrix = described.fourier_matrix();
  const auto inputs = static_cast<std::size_t>(described.inputs());
  std::vector<double> stacked(2 * matrix.size());
  for (std::size_t i = 0; i < matrix.size(); ++i)
    stacked[i] = stacked[matrix.size() + i] = 2 * std::numbers::pi * matrix[i];
  fourier.resize(stacked.size());
  fourier_bias.assign(stacked.size() / inputs, 0.0);
  kernel::pack_rows(stacked.data(), inputs, 1, stacked.size() / inputs, inputs, fourier.data());
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
