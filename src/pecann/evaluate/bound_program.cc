#include "pecann/evaluate/bound_program.h"

#include <algorithm>
#include <set>

#include "pecann/base/require.h"

namespace pecann::evaluate {

PackedModel::PackedModel(const Model& model) : model_(&model), scalars_(model.scalars().size()) {
  for (const network::Network& network : model.networks()) networks_.emplace_back(network);
}

void PackedModel::pack(std::span<const double> parameters) {
  for (std::size_t n = 0; n < networks_.size(); ++n)
    networks_[n].pack(
        parameters.subspan(model_->network_offset(static_cast<int>(n)), model_->networks()[n].num_parameters()));
  for (std::size_t i = 0; i < scalars_.size(); ++i) scalars_[i] = model_->scalar(parameters, static_cast<int>(i));
}

BoundProgram::BoundProgram(const Model& model, std::span<const expr::Expr> expressions,
                           const std::vector<std::string>& coordinates)
    : model_(&model), coordinates_(coordinates), program_(expr::compile(expressions, model.network_of_fields())) {
  for (int site = 0; site < static_cast<int>(program_.sites.size()); ++site) {
    for (int n = 0; n < static_cast<int>(model.network_inputs().size()); ++n) {
      NetworkUse use{.network = n, .site = site};
      std::vector<expr::JetInput> jets;
      for (std::size_t j = 0; j < program_.jets.size(); ++j) {
        const Model::FieldPlace place = model.fields().at(program_.jets[j].field);
        if (place.network != n || program_.jets[j].site != site) continue;
        use.jets.push_back(static_cast<int>(j));
        use.outputs.push_back(place.output);
        jets.push_back(program_.jets[j]);
      }
      if (jets.empty()) continue;
      use.plan = plan_channels(jets, program_.operators, model.network_inputs()[n]);
      use.coefficients.resize(use.plan.columns.size());
      uses_.push_back(std::move(use));
    }
  }
  for (const std::string& name : program_.parameters) scalars_.push_back(model.scalar_index(name));
  tile_ = 256;
  for (const NetworkUse& use : uses_)
    tile_ = std::min(tile_, network::preferred_tile(model.networks()[use.network], use.plan.channels));
  columns_.resize(program_.columns.size());
  site_columns_.resize(program_.sites.size());
}

void BoundProgram::bind(const sampling::PointSet& points) {
  points_ = points;
  networks_.clear();
  if (model_->parts().count() == 1) {
    bind_columns(points_);
    cut_into_tiles();
    return;
  }
  bind_columns(points_);  // sites decide the parts
  cut_by_parts(points_);
  std::vector<std::size_t> layout;
  for (const Tile& tile : tiles_)
    for (std::size_t i = 0; i < tile.padded(); ++i) layout.push_back(tile.first + std::min(i, tile.count - 1));
  laid_out_ = sampling::subset(points_, layout);
  bind_columns(laid_out_);
}

void BoundProgram::cut_into_tiles() {
  tiles_.clear();
  for (std::size_t first = 0; first < points_.count; first += tile_)
    tiles_.push_back({first, std::min(tile_, points_.count - first), first});
}

/// A tile ends where any use changes to another part.
void BoundProgram::cut_by_parts(const sampling::PointSet& points) {
  std::vector<std::vector<int>> parts;  // by use
  for (const NetworkUse& use : uses_) {
    std::vector<const double*> columns;
    for (const std::string& name : coordinates_) columns.push_back(site_coordinate(points, use.site, name));
    parts.push_back(model_->parts().of(columns, points.count));
  }
  tiles_.clear();
  for (std::size_t first = 0, place = 0; first < points.count; first += tiles_.back().count) {
    std::size_t end = first + 1;
    const auto same = [&](const std::vector<int>& part) { return part[end] == part[first]; };
    while (end < points.count && end - first < tile_ && std::ranges::all_of(parts, same)) ++end;
    tiles_.push_back({first, end - first, place});
    place += tiles_.back().padded();
    for (std::size_t u = 0; u < uses_.size(); ++u)
      networks_.push_back(model_->in_part(uses_[u].network, parts[u][first]));
  }
}

/// Computes the columns on these points, which site_coordinate() reads too.
void BoundProgram::bind_columns(const sampling::PointSet& points) {
  const std::size_t padded = points.padded();
  std::map<std::string, const double*> coordinates;
  for (std::size_t i = 0; i < coordinates_.size(); ++i) coordinates[coordinates_[i]] = points.coordinates[i].data();
  for (const auto& [name, values] : points.columns) {
    require(values.size() == padded, "columns are padded like the points");
    coordinates.emplace(name, values.data());  // a coordinate of the same name comes first
  }
  const auto evaluate = [&](const expr::Expr& expression, AlignedVector<double>& values) {
    values.resize(padded);
    double* const result = values.data();
    expr::evaluate_columns(std::span(&expression, 1), coordinates, padded, std::span(&result, 1));
  };
  for (std::size_t c = 0; c < columns_.size(); ++c) evaluate(program_.columns[c], columns_[c]);
  for (std::size_t s = 0; s < program_.sites.size(); ++s)
    for (const auto& [name, expression] : program_.sites[s]) evaluate(expression, site_columns_[s][name]);
  for (NetworkUse& use : uses_) {
    for (std::size_t c = 0; c < use.coefficients.size(); ++c) evaluate(use.plan.columns[c], use.coefficients[c]);
    use.inputs.clear();
    for (const std::string& name : model_->network_inputs()[use.network])
      use.inputs.push_back(site_coordinate(points, use.site, name));
  }
}

std::vector<int> BoundProgram::networks_on(std::size_t t) const {
  std::set<int> networks;
  for (std::size_t use = 0; use < uses_.size(); ++use) networks.insert(network_on(use, t));
  return {networks.begin(), networks.end()};
}

double BoundProgram::flops_per_point() const {
  double flops = 0;
  for (const NetworkUse& use : uses_)
    flops += network::flops_per_point(model_->networks()[use.network], use.plan.channels);
  return flops;
}

const double* BoundProgram::site_coordinate(const sampling::PointSet& points, int site, const std::string& name) const {
  const auto replaced = site_columns_[site].find(name);
  if (replaced != site_columns_[site].end()) return replaced->second.data();
  const auto found = std::find(coordinates_.begin(), coordinates_.end(), name);
  require(found != coordinates_.end(), "network inputs are coordinates");
  return points.coordinates[found - coordinates_.begin()].data();
}

}  // namespace pecann::evaluate
