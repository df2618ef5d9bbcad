// The fixed parts of an exported header: second-order jets through a fully connected network, written for
// reading, not for speed.
#pragma once

namespace pecann::results {

inline constexpr const char* kExportJet = R"cpp(
  /// A field with its derivatives by the coordinates.
  struct Jet {
    double value = 0;
    double first[kDimension] = {};
    double second[kDimension][kDimension] = {};
  };

  namespace detail {
)cpp";

// The activations stand here (export_header.cc).

inline constexpr const char* kExportRuntime = R"cpp(
  /// The chain rule: h = s(z), h_i = s' z_i, h_ij = s' z_ij + s'' z_i z_j.
  inline Jet apply(Activation activation, const Jet& z) {
    const Scalar s = activate(activation, z.value);
    Jet h;
    h.value = s.value;
    for (int i = 0; i < kDimension; ++i) {
      h.first[i] = s.first * z.first[i];
      const double bend = s.second * z.first[i];
      for (int j = 0; j < kDimension; ++j) h.second[i][j] = s.first * z.second[i][j] + bend * z.first[j];
    }
    return h;
  }

  inline void add(Jet& sum, double weight, const Jet& term) {
    sum.value += weight * term.value;
    for (int i = 0; i < kDimension; ++i) {
      sum.first[i] += weight * term.first[i];
      for (int j = 0; j < kDimension; ++j) sum.second[i][j] += weight * term.second[i][j];
    }
  }

  /// Rows of a first layer with fixed weights that have one activation.
  struct Block {
    Activation activation;
    int rows;
  };

  /// Parameters layer by layer: weight [out][in], then bias [out]. widths[0] is what the first of these
  /// layers reads.
  template <int Inputs, std::size_t Layers, int Widest, Activation activation, bool Sigmoid, int FrozenRows>
  void evaluate(const double* parameters, const double* mean, const double* scale, const double* frozen_weights,
                const double* frozen_biases, const Block* frozen_blocks, const int* inputs, const int* widths,
                const double* x, Jet* fields) {
    constexpr int kRoom = Widest > Inputs ? Widest : Inputs;
    Jet h[kRoom], z[kRoom];
    for (int i = 0; i < Inputs; ++i) {
      h[i].value = (x[inputs[i]] - mean[i]) / scale[i];
      h[i].first[inputs[i]] = 1 / scale[i];
    }
    if (FrozenRows > 0) {
      const Block* block = frozen_blocks;
      for (int row = 0, end = block->rows; row < FrozenRows; ++row) {
        if (row == end) end += (++block)->rows;
        Jet sum;
        sum.value = frozen_biases[row];
        for (int i = 0; i < Inputs; ++i) add(sum, frozen_weights[row * Inputs + i], h[i]);
        z[row] = apply(block->activation, sum);
      }
      for (int row = 0; row < FrozenRows; ++row) h[row] = z[row];
    }
    for (std::size_t layer = 0; layer < Layers; ++layer) {
      const int in = widths[layer], out = widths[layer + 1];
      const double* bias = parameters + static_cast<std::size_t>(in) * static_cast<std::size_t>(out);
      for (int o = 0; o < out; ++o) {
        z[o] = Jet();
        z[o].value = bias[o];
        for (int i = 0; i < in; ++i) add(z[o], parameters[o * in + i], h[i]);
      }
      for (int o = 0; o < out; ++o) {
        if (layer + 1 < Layers)
          h[o] = apply(activation, z[o]);
        else
          fields[o] = Sigmoid ? apply(Activation::Sigmoid, z[o]) : z[o];
      }
      parameters = bias + out;
    }
  }
)cpp";

}  // namespace pecann::results
