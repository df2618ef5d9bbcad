// A channel set as the kernels read it, and the contract that every channel set keeps.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "pecann/kernel/jet_activation.h"
#include "pecann/network/channels.h"

namespace pecann::network {

/// Checks the contract of channels.h for a network of `inputs` inputs (a violation is a bug of the caller) and
/// translates the set.
std::vector<kernel::JetChannel> jet_channels(const ChannelSet& channels, std::size_t inputs);

/// Number of per-point coefficient columns that the channels refer to (the highest index + 1).
std::size_t num_coefficient_columns(const ChannelSet& channels);

/// Points the products' coefficients to the columns of the tile at hand.
void bind_columns(const ChannelSet& channels, std::span<const double* const> columns,
                  std::vector<kernel::JetChannel>& jets);

}  // namespace pecann::network
