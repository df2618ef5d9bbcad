#include <algorithm>
#include <cstdio>
#include <set>

#include "pecann/problem/automatic.h"
#include "pecann/problem/recommended.h"
#include "pecann/problem/sections.h"

namespace pecann::problem {
namespace {

constexpr double kMostParameters = 1e9;
constexpr std::size_t kMostLayers = 1000;
constexpr double kMostFeatures = 1e6;

std::vector<std::string> inputs_of(const Item& item, const Problem& problem) {
  std::vector<std::string> inputs = item.texts();
  if (inputs.empty())
    item.refuse("a field depends on at least one coordinate; a number is a trainable scalar: [parameters]");
  std::set<std::string> seen;
  for (const std::string& name : inputs) {
    if (problem.box.index_of(name) < 0)
      item.refuse("'" + shortened(name) + "' is no coordinate", hint_for(name, problem.box.names));
    if (!seen.insert(name).second) item.refuse("'" + name + "' is there twice");
  }
  return inputs;
}

std::vector<std::string> with_added(std::vector<std::string> names, const std::string& name) {
  names.push_back(name);
  return names;
}

void read_hidden(Section& section, NetworkSpec& network) {
  const Item hidden =
      section.require("hidden", "the widths of the hidden layers, as in [40, 40, 40]; or features = 800");
  network.hidden = hidden.integers({.low = 1});
  if (network.hidden.empty()) hidden.refuse("a network has at least one hidden layer");
  if (network.hidden.size() > kMostLayers)
    hidden.refuse("a network of " + std::to_string(network.hidden.size()) + " hidden layers; at most " +
                  std::to_string(kMostLayers));
  if (network.fourier_sigma && network.hidden[0] % 2 != 0) {
    hidden.refuse("a Fourier layer has cosines and sines: the first width must be even");
  }
  const double parameters = count_parameters(network);
  if (parameters > kMostParameters) {
    char text[120];
    std::snprintf(text, sizeof text, "the network would have %.3g parameters (%.3g GB, %.3g bytes); at most %.0e",
                  parameters, parameters * 8e-9, parameters * 8, kMostParameters);
    hidden.refuse(text);
  }
}

/// features = 800, with scale = 8 or scale = [8, 16] and graded = 1e-6.
void read_features(Section& section, NetworkSpec& network) {
  const Item count = *section.find("features");
  network.hidden = {count.integer({.low = 1, .high = kMostFeatures})};
  network.features.emplace();
  for (const char* key : {"hidden", "fourier", "first_scale", "spread_biases"})
    if (section.has(key))
      section.find(key)->refuse("features = … is one fixed layer, which has none of this",
                                "leave out either features or " + std::string(key));
  if (const auto scale = section.find("scale")) {
    std::vector<double>& scales = network.features->scale;
    if (scale->is_list())
      scales = scale->numbers(kPositive);
    else
      scales.assign(network.inputs.size(), scale->number(kPositive));
    if (scales.size() != network.inputs.size())
      scale->refuse("there are " + std::to_string(scales.size()) + " scales for " +
                    std::to_string(network.inputs.size()) + " inputs");
  }
  section.read("graded", network.features->graded, {.low = 0, .high = 1, .open_low = true, .open_high = true});
}

/// fields = ["u", "v"] or fields = { u = ["x", "t"], a = ["x"] }: the unknowns that no network has, grouped into
/// networks
/// by their inputs.
void read_automatic_networks(Section& root, Problem& problem, Names& names) {
  const auto fields = root.find("fields");
  if (!fields) return;
  std::vector<std::pair<std::string, std::vector<std::string>>> unknowns;  // with their inputs
  if (fields->is_table()) {
    for (const auto& [name, item] : fields->table().entries()) unknowns.emplace_back(name, inputs_of(item, problem));
  } else {
    for (const std::string& name : fields->texts()) unknowns.emplace_back(name, problem.box.names);
  }
  if (unknowns.empty()) fields->refuse("the list is empty", "name the unknowns, as in fields = [\"u\"]");
  for (const auto& [name, inputs] : unknowns) {
    const auto taken = std::ranges::find_if(problem.networks, [&](const NetworkSpec& network) {
      return !network.automatic && std::ranges::find(network.fields, name) != network.fields.end();
    });
    if (taken != problem.networks.end()) {  // a list of all unknowns beside the networks of some
      if (fields->is_table() && taken->inputs != inputs)
        fields->refuse("network '" + taken->name + "' has the field '" + name + "' with other inputs");
      continue;
    }
    names.add(*fields, name, "field");
    const auto group = std::ranges::find_if(
        problem.networks, [&](const NetworkSpec& network) { return network.automatic && network.inputs == inputs; });
    if (group == problem.networks.end())
      problem.networks.push_back(
          automatic_network("network-" + std::to_string(problem.networks.size() + 1), {name}, inputs));
    else
      *group = automatic_network(group->name, with_added(group->fields, name), inputs);
  }
}

}  // namespace

void read_networks(Section& root, Problem& problem, Names& names) {
  const std::vector<Item> items = root.list_of_tables("network");
  if (items.empty() && !root.has("fields"))
    root.require("fields", "the names of the unknowns, as in fields = [\"u\"]; or [[network]] with its fields");
  std::set<std::string> network_names;
  for (const Item& item : items) {
    Section section = item.table();
    NetworkSpec network;
    network.name = "network-" + std::to_string(problem.networks.size() + 1);
    if (const auto name = section.find("name")) network.name = name->text();
    if (!network_names.insert(network.name).second) section.refuse("two networks have the name '" + network.name + "'");
    const Item fields = section.require("fields", "the names of its outputs, as in [\"u\"]");
    network.fields = fields.texts();
    for (const std::string& field : network.fields) names.add(fields, field, "field");
    const auto inputs = section.find("inputs");
    network.inputs = inputs ? inputs_of(*inputs, problem) : problem.box.names;
    section.read("activation", network.activation);
    section.read("output", network.output);
    if (auto fourier = section.section("fourier")) {
      network.fourier_sigma = 1;
      fourier->read("sigma", network.fourier_sigma, kPositive);
      fourier->finish();
    }
    section.read("first_scale", network.first_scale, kPositive);
    section.read("spread_biases", network.spread_biases);
    if (section.has("features"))
      read_features(section, network);
    else
      read_hidden(section, network);
    section.finish();
    problem.networks.push_back(std::move(network));
  }
  read_automatic_networks(root, problem, names);
}

}  // namespace pecann::problem
