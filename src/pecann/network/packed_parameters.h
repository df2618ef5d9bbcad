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
  AlignedVector<double> frozen, frozen_bias;  // of the frozen layer
};

}  // namespace pecann::network
