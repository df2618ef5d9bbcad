// What PackedParameters holds: for each layer the weights packed for Z = W H and for dH = Wᵀ dZ, and the biases.
#pragma once

#include <vector>

#include "pecann/base/aligned_vector.h"
#include "pecann/network/pass.h"

namespace pecann::network {

struct PackedParameters::Impl {
  struct Layer {
    AlignedVector<double> weights, transposed, bias;
  };
  explicit Impl(const Network& described);

  const Network* network;
  std::vector<Layer> layers;
  AlignedVector<double> fourier;       // 2πB stacked twice, for the rows of cos and of sin; packed
  AlignedVector<double> fourier_bias;  // zeros
};

}  // namespace pecann::network
