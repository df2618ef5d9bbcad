// A fully connected network as a description: shape, input normalisation, where its parameters lie. It owns no
// parameters and no memory for evaluation; see pass.h for jets and gradients.
//
// Parameters, layer by layer: weight row-major [out][in], then bias [out]. A Fourier layer has none.
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

struct NetworkShape {
  std::vector<double> lower, upper;  // range of each input; normalised to (x - mean) / ((upper - lower) / sqrt(12))
  std::vector<int> hidden;           // widths; with a Fourier layer the first of them is that layer's width (even)
  int outputs = 1;
  Activation activation = Activation::Tanh;
  Output output = Output::Linear;
  std::optional<double> fourier_sigma;  // features [cos(2πBx̂), sin(2πBx̂)], B entries N(0, σ²), fixed
};

class Network {
 public:
  /// One dense layer: `out` rows, `in` columns; parameters begin at `offset` (weights, then biases).
  struct Layer {
    int in, out;
    std::size_t offset;
  };

  /// fourier_stream draws the fixed matrix B (used only with fourier_sigma).
  Network(NetworkShape shape, RandomStream& fourier_stream);

  const NetworkShape& shape() const { return shape_; }
  int inputs() const { return static_cast<int>(shape_.lower.size()); }
  std::size_t num_parameters() const { return num_parameters_; }
  std::span<const Layer> layers() const { return layers_; }            // trainable layers, the output layer last
  std::span<const double> fourier_matrix() const { return fourier_; }  // [width/2][inputs], empty without Fourier layer

  /// Xavier-normal weights N(0, 2/(in+out)), zero biases.
  void initialise(std::span<double> parameters, RandomStream& stream) const;

 private:
  NetworkShape shape_;
  std::vector<Layer> layers_;
  std::vector<double> fourier_;
  std::size_t num_parameters_ = 0;
};

}  // namespace pecann::network

template <>
struct pecann::NameTable<pecann::network::Output> {
  static constexpr NamedValue<network::Output> table[] = {{network::Output::Linear, "linear"},
                                                          {network::Output::Sigmoid, "sigmoid"}};
};
