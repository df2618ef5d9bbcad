// The plan from the jets that a program reads to the channels that a network carries.
//
// Mixed derivatives of third and fourth order come from pure derivatives along oblique directions (polarisation): with
// e_i the coordinate of the i-th differentiation and k the order,
//   ∂_1…∂_k f = 1/(2^(k−1) k!) Σ_{ε_2…ε_k = ±1} (ε_2⋯ε_k) D_v^k f,   v = e_1 + ε_2 e_2 + … + ε_k e_k.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "pecann/expr/program.h"
#include "pecann/network/channels.h"

namespace pecann::evaluate {

/// A jet as a combination of channels; nearly always one channel with factor 1.
struct JetSource {
  struct Part {
    int channel;
    double factor;
  };
  std::vector<Part> parts;
  bool direct() const { return parts.size() == 1 && parts[0].factor == 1; }
};

struct ChannelPlan {
  network::ChannelSet channels;
  std::vector<expr::Expr> columns;  // per-point coefficients: Coefficient::column counts in this list
  std::vector<JetSource> sources;   // one per jet, in the order given
};

/// `jets` are those of one network at one site; `inputs` are the network's coordinates in order.
ChannelPlan plan_channels(std::span<const expr::JetInput> jets, std::span<const expr::LinearOperator> operators,
                          std::span<const std::string> inputs);

}  // namespace pecann::evaluate
