#include <algorithm>

#include "pecann/base/aligned_vector.h"
#include "pecann/network/pass.h"

namespace pecann::network {

std::size_t preferred_tile(const Network& network, const ChannelSet& channels) {
  // Measured on cores with 512 KB of second-level cache; the speed changes little around the best size. A tile
  // should have many columns (channels × points), because the gradient of every weight ends in a sum over the lanes
  // of a register,
  constexpr std::size_t kMostColumns = 192;
  // but the adjoint and the inputs of a layer should lie in half of the cache while its gradient is taken.
  constexpr std::size_t kCacheDoubles = 256 * 1024 / sizeof(double);
  int widest = 0;
  for (const Network::Layer& layer : network.layers()) widest = std::max(widest, layer.in + layer.out);
  const std::size_t columns = std::min(kMostColumns, kCacheDoubles / static_cast<std::size_t>(widest));
  // 24 points make whole blocks of the multiplication on every instruction set.
  constexpr std::size_t kBlock = 24;
  return std::max(kBlock, columns / static_cast<std::size_t>(channels.size()) / kBlock * kBlock);
}

double flops_per_point(const Network& network, const ChannelSet& channels) {
  double products = static_cast<double>(network.frozen().weights.size());
  for (const Network::Layer& layer : network.layers()) products += 3.0 * layer.in * layer.out;
  products -= static_cast<double>(network.layers()[0].in) * network.layers()[0].out;  // no adjoint of the features
  return 2.0 * products * channels.size();
}

}  // namespace pecann::network
