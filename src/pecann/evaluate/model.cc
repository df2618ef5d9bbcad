#include "pecann/evaluate/model.h"

#include <cmath>

#include "pecann/base/require.h"

namespace pecann::evaluate {
namespace {

/// First-layer weights times first_scale; with spread_biases the zero of every feature lies at a random point of the
/// domain: bias = −Σ a_i x̂_i, x̂_i uniform in the normalised box [−√3, √3].
void steepen_first_layer(const network::Network& network, const problem::NetworkSpec& spec, const std::string& name,
                         std::uint64_t seed, std::span<double> parameters) {
  const network::Network::Layer& first = network.layers()[0];
  RandomStream stream(seed, "biases." + name);
  double* const weights = parameters.data() + first.offset;
  double* const biases = weights + static_cast<std::size_t>(first.in) * first.out;
  for (int row = 0; row < first.out; ++row) {
    for (int i = 0; i < first.in; ++i) {
      double& weight = weights[static_cast<std::size_t>(row) * first.in + i];
      weight *= spec.first_scale;
      if (spec.spread_biases) biases[row] -= weight * std::sqrt(3.0) * (2 * stream.uniform() - 1);
    }
  }
}

/// The name of a network's random streams in a part; the first part has the network's own.
std::string name_in_part(const problem::NetworkSpec& spec, int part) {
  return part == 0 ? spec.name : spec.name + ".part-" + std::to_string(part + 1);
}

constexpr double kUsualScale = 4;  // of features whose file names none and whose scale nobody has probed

double logistic(double x) { return 1 / (1 + std::exp(-x)); }

}  // namespace

ScalarValue scalar_value(const problem::ParameterSpec& spec, double unbounded) {
  if (spec.lower && spec.upper) {
    const double low = spec.log_scale ? std::log(*spec.lower) : *spec.lower;
    const double high = spec.log_scale ? std::log(*spec.upper) : *spec.upper;
    const double share = logistic(unbounded), inside = low + (high - low) * share;
    const double slope = (high - low) * share * (1 - share);
    if (!spec.log_scale) return {inside, slope};
    return {std::exp(inside), std::exp(inside) * slope};
  }
  const double grown = std::exp(unbounded);
  if (spec.lower) return {*spec.lower + grown, grown};
  if (spec.upper) return {*spec.upper - grown, -grown};
  if (spec.log_scale) return {grown, grown};
  return {unbounded, 1};
}

double unbounded_start(const problem::ParameterSpec& spec) {
  if (spec.lower && spec.upper) {
    const double low = spec.log_scale ? std::log(*spec.lower) : *spec.lower;
    const double high = spec.log_scale ? std::log(*spec.upper) : *spec.upper;
    const double start = spec.log_scale ? std::log(spec.initial) : spec.initial;
    const double share = (start - low) / (high - low);
    return std::log(share / (1 - share));
  }
  if (spec.lower) return std::log(spec.initial - *spec.lower);
  if (spec.upper) return std::log(*spec.upper - spec.initial);
  return spec.log_scale ? std::log(spec.initial) : spec.initial;
}

Model::Model(const problem::Problem& problem, const sampling::Box& normalisation, std::uint64_t seed)
    : parts_(normalisation, problem.decompose.planes), specs_(problem.networks), scalars_(problem.parameters) {
  for (std::size_t n = 0; n < specs_.size(); ++n) {
    network_inputs_.push_back(specs_[n].inputs);
    for (std::size_t i = 0; i < specs_[n].fields.size(); ++i)
      fields_[specs_[n].fields[i]] = {static_cast<int>(n), static_cast<int>(i)};
  }
  for (int part = 0; part < parts_.count(); ++part) add_networks(parts_.box(part), part, seed);
  offsets_.push_back(num_parameters_);
  num_parameters_ += scalars_.size();
}

void Model::add_networks(const sampling::Box& ranges, int part, std::uint64_t seed) {
  for (const problem::NetworkSpec& spec : specs_) {
    network::NetworkShape shape;
    for (const std::string& input : spec.inputs) {
      const int coordinate = ranges.index_of(input);
      require(coordinate >= 0, "network inputs are coordinates");
      shape.lower.push_back(ranges.lower[coordinate]);
      shape.upper.push_back(ranges.upper[coordinate]);
    }
    shape.hidden = spec.hidden;
    shape.outputs = static_cast<int>(spec.fields.size());
    shape.activation = spec.activation;
    shape.output = spec.output;
    shape.fourier_sigma = spec.fourier_sigma;
    shape.features = spec.features;
    if (shape.features && shape.features->scale.empty()) shape.features->scale.assign(spec.inputs.size(), kUsualScale);
    RandomStream frozen(seed, (spec.features ? "features." : "fourier.") + name_in_part(spec, part));
    networks_.emplace_back(std::move(shape), frozen);
    offsets_.push_back(num_parameters_);
    num_parameters_ += networks_.back().num_parameters();
  }
}

std::size_t Model::front() const {
  const std::size_t parts = static_cast<std::size_t>(parts_.count());
  return parts == 1 ? 0 : scalar_offset() / parts * static_cast<std::size_t>(parts_.widest_front());
}

std::map<std::string, int> Model::network_of_fields() const {
  std::map<std::string, int> result;
  for (const auto& [name, place] : fields_) result[name] = place.network;
  return result;
}

int Model::scalar_index(const std::string& name) const {
  for (std::size_t i = 0; i < scalars_.size(); ++i)
    if (scalars_[i].name == name) return static_cast<int>(i);
  return -1;
}

ScalarValue Model::scalar(std::span<const double> parameters, int index) const {
  return scalar_value(scalars_[index], parameters[scalar_offset() + index]);
}

std::vector<double> Model::initial_parameters(std::uint64_t seed) const {
  std::vector<double> parameters(num_parameters_);
  const std::span<double> all(parameters);
  for (std::size_t n = 0; n < networks_.size(); ++n) {
    const problem::NetworkSpec& spec = specs_[n % specs_.size()];
    const std::string name = name_in_part(spec, static_cast<int>(n / specs_.size()));
    RandomStream stream(seed, "network." + name);
    const auto own = all.subspan(offsets_[n], networks_[n].num_parameters());
    networks_[n].initialise(own, stream);
    steepen_first_layer(networks_[n], spec, name, seed, own);
  }
  for (std::size_t i = 0; i < scalars_.size(); ++i) parameters[scalar_offset() + i] = unbounded_start(scalars_[i]);
  return parameters;
}

}  // namespace pecann::evaluate
