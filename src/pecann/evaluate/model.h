// The unknowns of a problem: its networks and trainable scalars, and where each of them lies in the one parameter
// vector θ: network 1, network 2, …, then one number per trainable scalar. A problem in parts (problem/parts.h) has all
// networks of its file for every part: those of part 1, those of part 2, ….
//
// A trainable scalar ν with bounds or a log scale is the image of an unbounded number ξ, which is what θ holds:
//   plain          ν = ξ
//   log            ν = e^ξ
//   lower bound    ν = lower + e^ξ
//   upper bound    ν = upper − e^ξ
//   both bounds    ν = lower + (upper − lower)/(1 + e^−ξ); with log the same map for log ν
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "pecann/network/network.h"
#include "pecann/problem/parts.h"
#include "pecann/problem/problem.h"

namespace pecann::evaluate {

/// A trainable scalar at some ξ: its value and dν/dξ.
struct ScalarValue {
  double value, slope;
};
ScalarValue scalar_value(const problem::ParameterSpec& spec, double unbounded);
double unbounded_start(const problem::ParameterSpec& spec);

class Model {
 public:
  struct FieldPlace {
    int network;  // of the file
    int output;
  };

  /// `normalisation` gives the ranges that network inputs are normalised with (time windows may differ from the
  /// problem's box). Fixed random matrices (frozen layers) come from streams named after the network and this seed.
  Model(const problem::Problem& problem, const sampling::Box& normalisation, std::uint64_t seed);

  std::size_t num_parameters() const { return num_parameters_; }
  const std::vector<network::Network>& networks() const { return networks_; }
  const problem::Parts& parts() const { return parts_; }
  /// The number of a network of the file in a part.
  int in_part(int network, int part) const { return part * static_cast<int>(specs_.size()) + network; }
  /// By network of the file.
  const std::vector<std::vector<std::string>>& network_inputs() const { return network_inputs_; }
  /// Parameters of the parts that are eliminated together (Parts::widest_front); 0 where there is one part.
  std::size_t front() const;
  std::size_t network_offset(int network) const { return offsets_[network]; }

  const std::map<std::string, FieldPlace>& fields() const { return fields_; }
  std::map<std::string, int> network_of_fields() const;

  const std::vector<problem::ParameterSpec>& scalars() const { return scalars_; }
  std::size_t scalar_offset() const { return offsets_.back(); }
  int scalar_index(const std::string& name) const;
  ScalarValue scalar(std::span<const double> parameters, int index) const;

  /// Xavier-normal networks (first layers as NetworkSpec::first_scale and spread_biases say) and the scalars' initial
  /// values, from streams of this seed.
  std::vector<double> initial_parameters(std::uint64_t seed) const;

 private:
  void add_networks(const sampling::Box& ranges, int part, std::uint64_t seed);

  problem::Parts parts_;
  std::vector<network::Network> networks_;
  std::vector<problem::NetworkSpec> specs_;
  std::vector<std::vector<std::string>> network_inputs_;
  std::vector<std::size_t> offsets_;  // where each network begins, then the scalars
  std::map<std::string, FieldPlace> fields_;
  std::vector<problem::ParameterSpec> scalars_;
  std::size_t num_parameters_ = 0;
};

}  // namespace pecann::evaluate
