// A slow, obvious evaluation of a network's jets, to test the engine against. A network is evaluated in the
// arithmetic of truncated power series in two small numbers ε and δ at x + ε p + δ q; the derivatives are read
// off the coefficients:
//   D_p u = [ε],  D_p D_q u = [εδ],  D_p³ u = 6 [ε³],  D_p⁴ u = 24 [ε⁴].
// The series of the activation functions come from their differential equations, not from formulas for σ'', σ''', ….
#pragma once

#include <array>
#include <cmath>
#include <numbers>
#include <span>
#include <vector>

#include "pecann/network/channels.h"
#include "pecann/network/network.h"

namespace pecann::reference {

using Real = long double;
inline constexpr int kDegree = 4;

/// The series Σ c[i][j] ε^i δ^j over i + j <= kDegree.
struct Series {
  std::array<std::array<Real, kDegree + 1>, kDegree + 1> c{};
};

inline Series constant(Real value) {
  Series result;
  result.c[0][0] = value;
  return result;
}

inline Series operator+(Series a, const Series& b) {
  for (int i = 0; i <= kDegree; ++i)
    for (int j = 0; i + j <= kDegree; ++j) a.c[i][j] += b.c[i][j];
  return a;
}

inline Series operator*(const Series& a, const Series& b) {
  Series result;
  for (int i = 0; i <= kDegree; ++i)
    for (int j = 0; i + j <= kDegree; ++j)
      for (int k = 0; k <= i; ++k)
        for (int l = 0; l <= j; ++l) result.c[i][j] += a.c[k][l] * b.c[i - k][j - l];
  return result;
}

/// Coefficients of f(z + e) = Σ f[k] e^k.
using Taylor = std::array<Real, kDegree + 2>;

inline Taylor taylor_tanh(Real z) {  // f' = 1 - f²
  Taylor f{std::tanh(z)};
  for (int k = 0; k <= kDegree; ++k) {
    Real square = 0;
    for (int i = 0; i <= k; ++i) square += f[i] * f[k - i];
    f[k + 1] = ((k == 0 ? 1 : 0) - square) / (k + 1);
  }
  return f;
}

inline Taylor taylor_sigmoid(Real z) {  // f' = f - f²
  Taylor f{1 / (1 + std::exp(-z))};
  for (int k = 0; k <= kDegree; ++k) {
    Real square = 0;
    for (int i = 0; i <= k; ++i) square += f[i] * f[k - i];
    f[k + 1] = (f[k] - square) / (k + 1);
  }
  return f;
}

inline Taylor taylor_sin(Real z) {  // f'' = -f
  Taylor f{std::sin(z), std::cos(z)};
  for (int k = 0; k < kDegree; ++k) f[k + 2] = -f[k] / ((k + 1) * (k + 2));
  return f;
}

inline Taylor taylor_silu(Real z) {  // (z + e) s(z + e)
  const Taylor s = taylor_sigmoid(z);
  Taylor f;
  for (int k = 0; k <= kDegree + 1; ++k) f[k] = z * s[k] + (k > 0 ? s[k - 1] : 0);
  return f;
}

inline Series compose(const Taylor& f, Series z) {
  z.c[0][0] = 0;
  Series result = constant(f[kDegree]);
  for (int k = kDegree - 1; k >= 0; --k) result = result * z + constant(f[k]);
  return result;
}

/// All outputs of the network at x + ε p + δ q.
inline std::vector<Series> evaluate(const network::Network& network, std::span<const double> parameters,
                                    std::span<const Real> x, std::span<const Real> p, std::span<const Real> q) {
  const network::NetworkShape& shape = network.shape();
  std::vector<Series> h(x.size());
  for (std::size_t i = 0; i < x.size(); ++i) {
    const Real mean = (Real(shape.lower[i]) + shape.upper[i]) / 2;
    const Real scale = (Real(shape.upper[i]) - shape.lower[i]) / std::sqrt(Real(12));
    h[i].c[0][0] = (x[i] - mean) / scale;
    h[i].c[1][0] = p[i] / scale;
    h[i].c[0][1] = q[i] / scale;
  }
  if (!network.frozen().empty()) {
    const auto rows = static_cast<std::size_t>(network.frozen().rows());
    std::vector<Series> features(rows);
    for (std::size_t r = 0; r < rows; ++r) {
      Series z = constant(network.frozen().biases[r]);
      for (std::size_t i = 0; i < x.size(); ++i) z = z + constant(network.frozen().weights[r * x.size() + i]) * h[i];
      const Real at = z.c[0][0];
      const bool cosine = shape.fourier_sigma && r < rows / 2, sine = shape.fourier_sigma && !cosine;
      features[r] = cosine ? compose(taylor_sin(at + std::numbers::pi_v<Real> / 2), z)
                    : sine || shape.activation == network::Activation::Sin ? compose(taylor_sin(at), z)
                                                                           : compose(taylor_tanh(at), z);
    }
    h = features;
  }
  for (const network::Network::Layer& layer : network.layers()) {
    const bool last = &layer == &network.layers().back();
    const double* weights = parameters.data() + layer.offset;
    const double* bias = weights + layer.in * layer.out;
    std::vector<Series> next;
    for (int o = 0; o < layer.out; ++o) {
      Series z = constant(bias[o]);
      for (int i = 0; i < layer.in; ++i) z = z + constant(weights[o * layer.in + i]) * h[i];
      const Real at = z.c[0][0];
      if (last) {
        next.push_back(shape.output == network::Output::Sigmoid ? compose(taylor_sigmoid(at), z) : z);
      } else if (shape.activation == network::Activation::Tanh) {
        next.push_back(compose(taylor_tanh(at), z));
      } else if (shape.activation == network::Activation::Sin) {
        next.push_back(compose(taylor_sin(at), z));
      } else {
        next.push_back(compose(taylor_silu(at), z));
      }
    }
    h = next;
  }
  return h;
}

/// Channel `index` of all outputs at one point; columns[k] is coefficient column k at this point.
inline std::vector<Real> jet(const network::Network& network, std::span<const double> parameters,
                             const network::ChannelSet& channels, int index, std::span<const Real> x,
                             std::span<const Real> columns) {
  using Kind = network::Channel::Kind;
  const std::vector<Real> zero(x.size(), 0);
  const auto number = [&](const network::Coefficient& c) {
    return c.column < 0 ? Real(c.constant) : columns[c.column];
  };
  const auto direction = [&](int c) {
    std::vector<Real> seed = zero;
    for (std::size_t i = 0; i < channels.channels[c].seed.size(); ++i) seed[i] = number(channels.channels[c].seed[i]);
    return seed;
  };
  const network::Channel& channel = channels.channels[index];
  std::vector<Real> result(network.shape().outputs, 0);
  const auto add = [&](Real factor, std::span<const Real> p, std::span<const Real> q, int i, int j) {
    const std::vector<Series> u = evaluate(network, parameters, x, p, q);
    for (std::size_t o = 0; o < u.size(); ++o) result[o] += factor * u[o].c[i][j];
  };
  if (channel.kind == Kind::Value) add(1, zero, zero, 0, 0);
  if (channel.kind == Kind::First || channel.kind == Kind::Second) add(1, direction(index), zero, 1, 0);
  for (const network::Channel::Product& product : channel.products)
    add(number(product.coefficient), direction(product.p), direction(product.q), 1, 1);
  if (channel.kind == Kind::Third) add(6, direction(channel.first), zero, 3, 0);
  if (channel.kind == Kind::Fourth) add(24, direction(channel.first), zero, 4, 0);
  return result;
}

}  // namespace pecann::reference
