// A slow, obvious engine computes the values of residuals by recursion over the expression, one point at a time,
// in extended precision.
//
// A derivative ∂_1…∂_k of a network's output (k ≤ 4) is the coefficient of ε_1⋯ε_k of the network at
//     x + ε_1 e_1 + … + ε_k e_k,
// in numbers with k nilpotent parts (ε_i² = 0). There are no collapsed operators, no polarisation and no tiles: nothing
// is in common with the engine under test but the parameters' layout.
#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <map>
#include <numbers>
#include <span>
#include <string>
#include <vector>

#include "pecann/evaluate/evaluator.h"
#include "support/reference_jets.h"

namespace pecann::reference {

/// The number Σ_S c[S] Π_{i ∈ S} ε_i over subsets S of {1 … k}, written as bit masks.
struct Nilpotent {
  explicit Nilpotent(int k, Real value = 0) : c(std::size_t{1} << k, 0) { c[0] = value; }
  std::vector<Real> c;
};

inline Nilpotent multiply(const Nilpotent& a, const Nilpotent& b) {
  Nilpotent result(0);
  result.c.assign(a.c.size(), 0);
  for (std::size_t s = 0; s < a.c.size(); ++s)
    for (std::size_t t = 0; t < b.c.size(); ++t)
      if ((s & t) == 0) result.c[s | t] += a.c[s] * b.c[t];
  return result;
}

/// f(z) from the Taylor coefficients of f at z's first part.
inline Nilpotent compose(const Taylor& f, Nilpotent z) {
  z.c[0] = 0;
  Nilpotent result(0);
  result.c.assign(z.c.size(), 0);
  for (int k = kDegree; k >= 0; --k) {
    result = multiply(result, z);
    result.c[0] += f[k];
  }
  return result;
}

inline Taylor activation_taylor(network::Activation activation, Real z) {
  if (activation == network::Activation::Tanh) return taylor_tanh(z);
  return activation == network::Activation::Sin ? taylor_sin(z) : taylor_silu(z);
}

/// All outputs' derivatives by the inputs listed in `slots` (with repetition), at x.
inline std::vector<Real> network_derivative(const network::Network& network, std::span<const double> parameters,
                                            std::span<const Real> x, std::span<const int> slots) {
  const network::NetworkShape& shape = network.shape();
  const int k = static_cast<int>(slots.size());
  std::vector<Nilpotent> h;
  for (std::size_t i = 0; i < x.size(); ++i) {
    const Real mean = (Real(shape.lower[i]) + shape.upper[i]) / 2;
    const Real deviation = (Real(shape.upper[i]) - shape.lower[i]) / std::sqrt(Real(12));
    Nilpotent input(k, (x[i] - mean) / deviation);
    for (int s = 0; s < k; ++s)
      if (slots[s] == static_cast<int>(i)) input.c[std::size_t{1} << s] = 1 / deviation;
    h.push_back(input);
  }
  const auto combine = [&](auto weight, Real bias) {
    Nilpotent z(k, bias);
    for (std::size_t i = 0; i < h.size(); ++i)
      for (std::size_t s = 0; s < z.c.size(); ++s) z.c[s] += weight(i) * h[i].c[s];
    return z;
  };
  if (shape.fourier_sigma) {
    const std::size_t half = network.frozen().weights.size() / x.size() / 2;
    std::vector<Nilpotent> features(2 * half, Nilpotent(k));
    for (std::size_t r = 0; r < half; ++r) {
      const Nilpotent z = combine([&](std::size_t i) { return Real(network.frozen().weights[r * x.size() + i]); }, 0);
      features[r] = compose(taylor_sin(z.c[0] + std::numbers::pi_v<Real> / 2), z);
      features[half + r] = compose(taylor_sin(z.c[0]), z);
    }
    h = features;
  }
  for (const network::Network::Layer& layer : network.layers()) {
    const bool last = &layer == &network.layers().back();
    const double* const weights = parameters.data() + layer.offset;
    const double* const bias = weights + static_cast<std::ptrdiff_t>(layer.in) * layer.out;
    std::vector<Nilpotent> next;
    for (int o = 0; o < layer.out; ++o) {
      const Nilpotent z =
          combine([&](std::size_t i) { return Real(weights[static_cast<std::size_t>(o) * layer.in + i]); }, bias[o]);
      if (!last) {
        next.push_back(compose(activation_taylor(shape.activation, z.c[0]), z));
      } else {
        next.push_back(shape.output == network::Output::Sigmoid ? compose(taylor_sigmoid(z.c[0]), z) : z);
      }
    }
    h = next;
  }
  std::vector<Real> result;
  for (const Nilpotent& output : h) result.push_back(output.c.back());
  return result;
}

using Place = std::map<std::string, Real>;  // coordinates and point data by name

/// The value of an expression of fields, trainable scalars and coordinates at one place.
class Engine {
 public:
  Engine(const evaluate::Model& model, std::span<const double> parameters) : model_(&model), parameters_(parameters) {}

  Real value(const expr::Expr& a, const Place& place) const {
    using expr::Kind;
    const auto x = [&](std::size_t i) { return value(a->arguments[i], place); };
    switch (a->kind) {
      case Kind::Constant:
        return a->value;
      case Kind::NamedConstant:
        break;  // an equation of a problem has numbers in their place
      case Kind::Coordinate:
      case Kind::Data:
        return place.at(a->name);
      case Kind::Parameter:
        return model_->scalar(parameters_, model_->scalar_index(a->name)).value;
      case Kind::Field:
        return field(*a.operator->(), place);
      case Kind::Add: {
        Real sum = 0;
        for (std::size_t i = 0; i < a->arguments.size(); ++i) sum += x(i);
        return sum;
      }
      case Kind::Multiply: {
        Real product = 1;
        for (std::size_t i = 0; i < a->arguments.size(); ++i) product *= x(i);
        return product;
      }
      case Kind::Divide:
        return x(0) / x(1);
      case Kind::Power:
        return std::pow(x(0), x(1));
      case Kind::Sin:
        return std::sin(x(0));
      case Kind::Cos:
        return std::cos(x(0));
      case Kind::Tan:
        return std::tan(x(0));
      case Kind::Exp:
        return std::exp(x(0));
      case Kind::Log:
        return std::log(x(0));
      case Kind::Sqrt:
        return std::sqrt(x(0));
      case Kind::Tanh:
        return std::tanh(x(0));
      case Kind::Sinh:
        return std::sinh(x(0));
      case Kind::Cosh:
        return std::cosh(x(0));
      case Kind::Asin:
        return std::asin(x(0));
      case Kind::Acos:
        return std::acos(x(0));
      case Kind::Atan:
        return std::atan(x(0));
      case Kind::Erf:
        return std::erf(x(0));
      case Kind::Abs:
        return std::abs(x(0));
      case Kind::Sign:
        return x(0) > 0 ? 1 : x(0) < 0 ? -1 : 0;
      case Kind::Min:
        return std::min(x(0), x(1));
      case Kind::Max:
        return std::max(x(0), x(1));
      case Kind::Less:
        return x(0) < x(1);
      case Kind::LessEqual:
        return x(0) <= x(1);
      case Kind::Equal:
        return x(0) == x(1);
      case Kind::If:
        return x(0) != 0 ? x(1) : x(2);
      case Kind::Integral:
      case Kind::Mean:
        return integral(a, place);
    }
    return std::nanl("");
  }

  std::vector<std::pair<Place, Real>> quadrature;  // the points of integrals with their weights

 private:
  Real integral(const expr::Expr& a, const Place& place) const {
    Real sum = 0, measure = 0;
    for (const auto& [point, weight] : quadrature) {
      if (!a->name.empty() && point.at("t") != place.at("t")) continue;
      sum += weight * value(a->arguments[0], point);
      measure += weight;
    }
    return a->kind == expr::Kind::Mean ? sum / measure : sum;
  }

  Real field(const expr::Node& node, const Place& place) const {
    const evaluate::Model::FieldPlace where = model_->fields().at(node.name);
    const std::vector<std::string>& inputs = model_->network_inputs()[where.network];
    std::vector<Real> x;
    std::vector<int> slots;
    for (std::size_t i = 0; i < inputs.size(); ++i) {
      const auto replaced = node.site.find(inputs[i]);
      x.push_back(replaced == node.site.end() ? place.at(inputs[i]) : value(replaced->second, place));
      const auto order = node.derivative.find(inputs[i]);
      if (order != node.derivative.end()) slots.insert(slots.end(), order->second, static_cast<int>(i));
    }
    if (static_cast<int>(slots.size()) != expr::order_of(node.derivative))
      return 0;  // by a coordinate it does not know
    const network::Network& network = model_->networks()[where.network];
    const auto own = parameters_.subspan(model_->network_offset(where.network), network.num_parameters());
    return network_derivative(network, own, x, slots)[where.output];
  }

  const evaluate::Model* model_;
  std::span<const double> parameters_;
};

}  // namespace pecann::reference
