#include "pecann/accuracy/grown_network.h"

#include <algorithm>

#include "pecann/base/require.h"
#include "pecann/evaluate/model.h"

namespace pecann::accuracy {

bool can_grow(const problem::Problem& before, const problem::Problem& after) {
  if (before.networks.size() != after.networks.size() || before.windows.count > 1 || after.windows.count > 1)
    return false;
  for (std::size_t n = 0; n < before.networks.size(); ++n) {
    const problem::NetworkSpec &old = before.networks[n], &grown = after.networks[n];
    if (old.fourier_sigma || old.features || grown.fourier_sigma || grown.features) return false;
    if (old.fields != grown.fields || old.inputs != grown.inputs || old.activation != grown.activation ||
        old.output != grown.output || !std::ranges::equal(old.hidden, grown.hidden, std::ranges::less_equal{}))
      return false;
  }
  return true;
}

std::vector<double> grown_parameters(const problem::Problem& before, std::span<const double> parameters,
                                     const problem::Problem& after, std::uint64_t seed) {
  require(can_grow(before, after), "the networks grow");
  const evaluate::Model small(before, before.box, seed), large(after, after.box, seed);
  std::vector<double> grown = large.initial_parameters(seed);
  for (std::size_t n = 0; n < small.networks().size(); ++n) {
    const auto old_layers = small.networks()[n].layers(), new_layers = large.networks()[n].layers();
    for (std::size_t l = 0; l < old_layers.size(); ++l) {
      const network::Network::Layer &from = old_layers[l], &to = new_layers[l];
      const double* const source = parameters.data() + small.network_offset(static_cast<int>(n)) + from.offset;
      double* const target = grown.data() + large.network_offset(static_cast<int>(n)) + to.offset;
      for (int row = 0; row < from.out; ++row) {
        double* const weights = target + static_cast<std::ptrdiff_t>(row) * to.in;
        std::copy_n(source + static_cast<std::ptrdiff_t>(row) * from.in, from.in, weights);
        std::fill(weights + from.in, weights + to.in, 0.0);
      }
      std::copy_n(source + static_cast<std::ptrdiff_t>(from.out) * from.in, from.out,
                  target + static_cast<std::ptrdiff_t>(to.out) * to.in);
    }
  }
  std::copy(parameters.begin() + static_cast<std::ptrdiff_t>(small.scalar_offset()), parameters.end(),
            grown.begin() + static_cast<std::ptrdiff_t>(large.scalar_offset()));
  return grown;
}

}  // namespace pecann::accuracy
