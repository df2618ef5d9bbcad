// Which derivatives of its fields a network carries through its layers ("jet"). A channel is a linear differential
// operator D applied to every neuron; channel 0 is the value. With z the pre-activation and h = σ(z), σ', σ'', …
// taken at z:
//
//   Value    h
//   First    D = Σ_i seed_i ∂_i                          h_D = σ' z_D
//   Second   D = Σ coefficient D_p D_q + Σ_i seed_i ∂_i  h_D = σ' z_D + σ'' Σ coefficient z_p z_q  (p, q are First)
//   Third    D_p³ along one First channel p              h_3 = σ' z_3 + 3σ'' z_1 z_2 + σ''' z_1³
//   Fourth   D_p⁴                                        h_4 = σ' z_4 + σ''(4 z_1 z_3 + 3 z_2²) + 6σ''' z_1² z_2
//                                                              + σ'''' z_1⁴
//
// ∂_xx is Second with the one product (x, x, 1); the Laplacian is Second with (x, x, 1), (y, y, 1): one channel,
// not two. Seeds and coefficients may differ from point to point (Coefficient::column), so u(x)·∇φ + φ_t is a
// single First channel.
#pragma once

#include <vector>

namespace pecann::network {

/// A number, or a column of per-point numbers handed to forward().
struct Coefficient {
  double constant = 0;
  int column = -1;  // >= 0: columns[column][point] instead of the constant
  bool operator==(const Coefficient&) const = default;
};

struct Channel {
  enum class Kind { Value, First, Second, Third, Fourth };
  struct Product {
    int p, q;  // First channels
    Coefficient coefficient;
    bool operator==(const Product&) const = default;
  };
  Kind kind = Kind::Value;
  std::vector<Coefficient> seed;  // First, Second: one per network input, derivative by the input in the user's units
  std::vector<Product> products;  // Second
  int first = -1;                 // Third, Fourth: the First channel of the line
  int second = -1;  //   its pure second derivative: Second with the one product (first, first, 1) and no seed
  int third = -1;   // Fourth: the Third channel of the line
  bool operator==(const Channel&) const = default;
};

/// channels[0] is Value; every channel refers only to earlier ones.
struct ChannelSet {
  std::vector<Channel> channels{Channel{}};
  int size() const { return static_cast<int>(channels.size()); }
  bool operator==(const ChannelSet&) const = default;
};

}  // namespace pecann::network
