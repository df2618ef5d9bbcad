#include <algorithm>

#include "pecann/base/aligned_vector.h"
#include "pecann/network/pass.h"

namespace pecann::network {

std::size_t preferred_tile(const Network&, const ChannelSet& channels) {
  // Columns of a tile: many, because each weight's gradient ends in a sum over the lanes of a register; few,
  // because two rows blocks of them must stay in the first-level cache. 24 points fill whole blocks of the
  // kernels (12 or 48 columns).
  constexpr std::size_t kColumns = 192;
  const auto count = static_cast<std::size_t>(channels.size());
  return std::max<std::size_t>(24, kColumns / count / 24 * 24);
}

double flops_per_point(const Network& network, const ChannelSet& channels) {
  double products = static_cast<double>(network.fourier_matrix().size());
  for (const Network::Layer& layer : network.layers()) products += 3.0 * layer.in * layer.out;
  products -=
      static_cast<double>(network.layers()[0].in) * network.layers()[0].out;  // no adjoint of the features
  return 2.0 * products * channels.size();
}

}  // namespace pecann::network
