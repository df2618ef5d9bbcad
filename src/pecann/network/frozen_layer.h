// How the fixed weights of a frozen first layer are drawn (network.h).
#pragma once

#include "pecann/network/network.h"

namespace pecann::network {

/// Rows cos(2πB x̂), then sin(2πB x̂).
Network::FrozenLayer fourier_features(const NetworkShape& shape, RandomStream& stream);

/// Random features; their number is the one hidden width.
Network::FrozenLayer random_features(const NetworkShape& shape, RandomStream& stream);

}  // namespace pecann::network
