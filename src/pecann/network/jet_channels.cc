#include "pecann/network/jet_channels.h"

#include <algorithm>

#include "pecann/base/require.h"

namespace pecann::network {
namespace {

using Kind = Channel::Kind;

kernel::JetChannel::Kind kernel_kind(Kind kind) {
  switch (kind) {
    case Kind::Value:
      return kernel::JetChannel::Kind::Value;
    case Kind::First:
      return kernel::JetChannel::Kind::First;
    case Kind::Second:
      return kernel::JetChannel::Kind::Second;
    case Kind::Third:
      return kernel::JetChannel::Kind::Third;
    case Kind::Fourth:
      return kernel::JetChannel::Kind::Fourth;
  }
  contract_broken("unknown kind of channel", std::source_location::current());
}

bool refers_to(const ChannelSet& channels, int before, int index, Kind kind) {
  return index >= 0 && index < before && channels.channels[static_cast<std::size_t>(index)].kind == kind;
}

/// The Second channel `index` is exactly ∂_first², without a first-order part.
bool is_pure_second(const ChannelSet& channels, int index, int first) {
  const Channel& channel = channels.channels[static_cast<std::size_t>(index)];
  return channel.products.size() == 1 &&
         channel.products[0] == Channel::Product{first, first, Coefficient{.constant = 1}} &&
         std::ranges::all_of(channel.seed, [](const Coefficient& seed) { return seed == Coefficient{}; });
}

void check_channel(const ChannelSet& channels, int index, std::size_t inputs) {
  const Channel& channel = channels.channels[static_cast<std::size_t>(index)];
  require((channel.kind == Kind::Value) == (index == 0), "channel 0, and no other, is the value");
  if (channel.kind == Kind::First)
    require(channel.seed.size() == inputs, "a First channel needs a seed for each input");
  if (channel.kind == Kind::Second) {
    require(channel.seed.empty() || channel.seed.size() == inputs,
            "a Second channel has a seed for each input or none");
    for (const Channel::Product& product : channel.products)
      require(refers_to(channels, index, product.p, Kind::First) && refers_to(channels, index, product.q, Kind::First),
              "products are of earlier First channels");
  }
  if (channel.kind == Kind::Third || channel.kind == Kind::Fourth)
    require(refers_to(channels, index, channel.first, Kind::First) &&
                refers_to(channels, index, channel.second, Kind::Second) &&
                is_pure_second(channels, channel.second, channel.first),
            "third and fourth derivatives need the first and the pure second derivative of their line");
  if (channel.kind == Kind::Fourth)
    require(refers_to(channels, index, channel.third, Kind::Third) &&
                channels.channels[static_cast<std::size_t>(channel.third)].first == channel.first,
            "a fourth derivative needs the third derivative of its line");
}

}  // namespace

std::vector<kernel::JetChannel> jet_channels(const ChannelSet& channels, std::size_t inputs) {
  require(channels.size() > 0, "a channel set holds at least the value");
  std::vector<kernel::JetChannel> jets;
  for (int index = 0; index < channels.size(); ++index) {
    check_channel(channels, index, inputs);
    const Channel& channel = channels.channels[static_cast<std::size_t>(index)];
    kernel::JetChannel jet{kernel_kind(channel.kind), {}, channel.first, channel.second, channel.third};
    for (const Channel::Product& product : channel.products)
      jet.products.push_back({product.p, product.q, product.coefficient.constant, nullptr});
    jets.push_back(std::move(jet));
  }
  return jets;
}

std::size_t num_coefficient_columns(const ChannelSet& channels) {
  int highest = -1;
  for (const Channel& channel : channels.channels) {
    for (const Coefficient& seed : channel.seed) highest = std::max(highest, seed.column);
    for (const Channel::Product& product : channel.products) highest = std::max(highest, product.coefficient.column);
  }
  return static_cast<std::size_t>(highest + 1);
}

void bind_columns(const ChannelSet& channels, std::span<const double* const> columns,
                  std::vector<kernel::JetChannel>& jets) {
  for (std::size_t c = 0; c < jets.size(); ++c)
    for (std::size_t i = 0; i < jets[c].products.size(); ++i) {
      const int column = channels.channels[c].products[i].coefficient.column;
      if (column >= 0) jets[c].products[i].column = columns[static_cast<std::size_t>(column)];
    }
}

}  // namespace pecann::network
