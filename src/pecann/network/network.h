// A fully connected network as a description: shape, input normalisation, where its parameters lie. It owns no
// parameters and no memory for evaluation; see pass.h for jets and gradients.
//
// Parameters, layer by layer: weight row-major [out][in], then bias [out]. A frozen first layer has none: Fourier
// features, or random features, whose network is linear in its parameters.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "pecann/base/name_table.h"
#include "pecann/base/random_stream.h"
#include "pecann/kernel/activation.h"

namespace pecann::network {

using kernel::Activation;
enum class Output { Linear, Sigmoid };

/// One layer of random features h_k(x) = σ(w_k·x̃ + b_k) with fixed w_k and b_k, where x̃ runs over [−1, 1] along every
/// input. With the scales s of the inputs, ρ uniform in [0.3, 1] and a direction e uniform on the unit sphere,
///   plain     w_i = s_i ρ e_i; b = −w·c with a centre c uniform in the box for tanh and its like, uniform for sin;
///   graded    the centre lies at the distance δ = g^U from an end of one random input (g = graded, U uniform in
///             [0, 1]), and the slope along that input is 1/δ times as steep: every width from 1 to g, for layers.
struct Features {
  std::vector<double> scale;  // one per input
  double graded = 0;          // least distance from an end, in (0, 1); 0: plain
  bool operator==(const Features&) const = default;
};

struct NetworkShape {
  std::vector<double> lower, upper;  // range of each input; normalised to (x - mean) / ((upper - lower) / sqrt(12))
  std::vector<int>
      hidden;  // widths; the first may be that of a frozen layer: even for Fourier features; alone for others
  int outputs = 1;
  Activation activation = Activation::Tanh;
  Output output = Output::Linear;
  std::optional<double> fourier_sigma;  // features [cos(2πBx̂), sin(2πBx̂)], B entries N(0, σ²), fixed
  std::optional<Features> features;     // the hidden layer is fixed
};

class Network {
 public:
  /// One dense layer: `out` rows, `in` columns; parameters begin at `offset` (weights, then biases).
  struct Layer {
    int in, out;
    std::size_t offset;
  };

  /// A first layer with fixed weights on the normalised inputs x̂; its rows come in blocks of one activation each.
  struct FrozenLayer {
    struct Block {
      Activation activation;
      int rows;
    };
    std::vector<double> weights;  // [row][input]
    std::vector<double> biases;
    std::vector<Block> blocks;  // none: there is no frozen layer
    int rows() const { return static_cast<int>(biases.size()); }
    bool empty() const { return blocks.empty(); }
  };

  /// frozen_stream draws the weights of a frozen layer.
  Network(NetworkShape shape, RandomStream& frozen_stream);

  const NetworkShape& shape() const { return shape_; }
  int inputs() const { return static_cast<int>(shape_.lower.size()); }
  std::size_t num_parameters() const { return num_parameters_; }
  std::span<const Layer> layers() const { return layers_; }  // trainable layers, the output layer last
  const FrozenLayer& frozen() const { return frozen_; }

  /// Xavier-normal weights N(0, 2/(in+out)), zero biases; the coefficients of random features are zero.
  void initialise(std::span<double> parameters, RandomStream& stream) const;

 private:
  NetworkShape shape_;
  std::vector<Layer> layers_;
  FrozenLayer frozen_;
  std::size_t num_parameters_ = 0;
};

}  // namespace pecann::network

template <>
struct pecann::NameTable<pecann::network::Output> {
  static constexpr NamedValue<network::Output> table[] = {{network::Output::Linear, "linear"},
                                                          {network::Output::Sigmoid, "sigmoid"}};
};
