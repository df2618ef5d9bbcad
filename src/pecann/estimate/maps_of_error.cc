#include "pecann/estimate/maps_of_error.h"

#include <algorithm>
#include <string>

#include "pecann/results/picture_grid.h"
#include "pecann/train/error_norms.h"

namespace pecann::estimate {
namespace {

constexpr double kMapPoints = 6000;  // of a map, about

/// Fields on the same nodes, which are evaluated together.
struct MapGroup {
  results::PictureGrid grid;
  std::vector<std::string> fields;
  std::vector<expr::Expr> readings;
};

std::vector<MapGroup> trusted_fields(const problem::Problem& problem, const results::RunEstimate& summary) {
  std::vector<MapGroup> groups;
  for (const problem::NetworkSpec& network : problem.networks)
    for (const std::string& name : network.fields) {
      const auto field = std::ranges::find(summary.fields, name, &results::FieldEstimate::field);
      if (field == summary.fields.end() || !field->trusted) continue;
      results::PictureGrid grid = results::picture_grid(problem, network, name, kMapPoints);
      if (grid.coordinates.empty()) continue;
      auto group = std::ranges::find_if(groups, [&](const MapGroup& other) {
        return other.grid.nodes == grid.nodes && other.grid.fixed == grid.fixed;
      });
      if (group == groups.end()) group = groups.insert(group, MapGroup{std::move(grid), {}, {}});
      group->fields.push_back(name);
      group->readings.push_back(train::evaluation_reading(problem, name));
    }
  return groups;
}

}  // namespace

std::vector<results::ErrorMap> maps_of_error(const problem::Problem& problem, const train::Solution& solution,
                                             const ErrorEstimate& estimate) {
  std::vector<results::ErrorMap> maps;
  for (const MapGroup& group : trusted_fields(problem, estimate.summary())) {
    std::vector<std::vector<double>> errors, corrected = estimate.corrected(group.readings, group.grid.points);
    solution.evaluate(group.readings, group.grid.points, errors);
    for (std::size_t f = 0; f < errors.size(); ++f)
      for (std::size_t i = 0; i < errors[f].size(); ++i) errors[f][i] -= corrected[f][i];
    sampling::hide_outside(*problem.domain, group.grid.points, errors);
    for (std::size_t f = 0; f < errors.size(); ++f)
      maps.push_back({.field = group.fields[f],
                      .coordinates = group.grid.coordinates,
                      .axes = group.grid.axes,
                      .slider = group.grid.slider,
                      .frames = group.grid.frames,
                      .fixed = group.grid.fixed,
                      .values = group.grid.ordered(errors[f])});
  }
  return maps;
}

}  // namespace pecann::estimate
