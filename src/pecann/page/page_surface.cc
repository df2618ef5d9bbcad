#include "pecann/page/page_surface.h"

#include <algorithm>
#include <cmath>

#include "pecann/page/domain_surface.h"
#include "pecann/page/field_view.h"
#include "pecann/page/page_history.h"
#include "pecann/results/base64.h"
#include "pecann/results/picture_grid.h"
#include "pecann/sampling/grid.h"
#include "pecann/train/error_norms.h"
#include "pecann/train/trial.h"

namespace pecann::page {
namespace {

using Json = nlohmann::ordered_json;

constexpr int kSurfaceCells = 28, kTimes = 5, kMostVolumeNodes = 33, kLeastVolumeNodes = 9;
constexpr double kVolumeNumbers = 60'000;  // of all fields and times together

/// The fields that depend on all three coordinates in space, with time or without.
std::vector<std::string> fields_in_space(const problem::Problem& problem, const std::vector<int>& space) {
  std::vector<std::string> fields;
  for (const problem::NetworkSpec& network : shown_networks(problem))
    for (const std::string& field : network.fields) {
      const std::vector<std::string> names = results::field_coordinates(problem, network, field);
      if (std::ranges::all_of(space,
                              [&](int c) { return std::ranges::find(names, problem.box.names[c]) != names.end(); }))
        fields.push_back(field);
    }
  return fields;
}

/// Places in space at one time; coordinates of a family stay in the middle.
sampling::PointSet at_time(const sampling::Box& box, const std::vector<int>& space,
                           const std::vector<std::array<double, 3>>& places, double time) {
  sampling::PointSet points;
  points.count = places.size();
  for (int c = 0; c < box.dimension(); ++c) {
    std::vector<double> column(places.size(), c == box.time ? time : 0.5 * (box.lower[c] + box.upper[c]));
    const auto axis = static_cast<std::size_t>(std::ranges::find(space, c) - space.begin());
    if (axis < space.size())
      for (std::size_t i = 0; i < places.size(); ++i) column[i] = places[i][axis];
    points.coordinates.push_back(sampling::padded_column(column));
  }
  return points;
}

/// Values and errors of a field at places, time by time.
struct Values {
  std::vector<float> prediction, error;
};

Values values_of(const problem::Problem& problem, const train::Solution& solution, const std::string& field,
                 const std::vector<int>& space, const std::vector<std::array<double, 3>>& places,
                 const std::vector<double>& times) {
  Values result;
  std::vector<expr::Expr> read = {train::evaluation_reading(problem, field)};
  const auto exact = problem.exact.find(field);
  if (exact != problem.exact.end() && !problem.evaluate.final_only) read.push_back(exact->second);
  for (const double time : times) {
    std::vector<std::vector<double>> values;
    solution.evaluate(read, at_time(problem.box, space, places, time), values);
    for (std::size_t i = 0; i < places.size(); ++i) {
      result.prediction.push_back(static_cast<float>(values[0][i]));
      if (values.size() > 1) result.error.push_back(static_cast<float>(values[0][i] - values[1][i]));
    }
  }
  return result;
}

/// The nodes of a grid through the box, first coordinate fastest.
std::vector<std::array<double, 3>> volume_places(const sampling::Box& box, const std::vector<int>& space,
                                                 const std::array<int, 3>& nodes) {
  std::array<std::vector<double>, 3> axes;
  for (int a = 0; a < 3; ++a) axes[a] = sampling::grid_nodes(box.lower[space[a]], box.upper[space[a]], nodes[a]);
  std::vector<std::array<double, 3>> places;
  for (const double z : axes[2])
    for (const double y : axes[1])
      for (const double x : axes[0]) places.push_back({x, y, z});
  return places;
}

/// Nodes along each coordinate: as many along a length everywhere, in all about `budget`.
std::array<int, 3> volume_nodes(const sampling::Box& box, const std::vector<int>& space, double budget) {
  double volume = 1;
  std::array<double, 3> extent;
  for (int a = 0; a < 3; ++a) volume *= extent[a] = box.upper[space[a]] - box.lower[space[a]];
  const double density = std::cbrt(budget / volume);
  std::array<int, 3> nodes;
  for (int a = 0; a < 3; ++a)
    nodes[a] = std::clamp(static_cast<int>(density * extent[a]), kLeastVolumeNodes, kMostVolumeNodes);
  return nodes;
}

}  // namespace

Json page_surface(const verdict::RunReport& report) {
  const problem::Problem& problem = report.run.problem;
  const sampling::Box& box = problem.box;
  const std::vector<int> space = three_in_space(box);
  if (space.empty()) return {{"bodies", Json::array()}};
  const std::vector<std::string> fields = fields_in_space(problem, space);
  if (fields.empty()) return {{"bodies", Json::array()}};
  const train::Solution solution = train::load_solution(problem, report.run.folder, report.best);
  const DomainSurface surface = domain_surface(*problem.domain, kSurfaceCells);
  std::vector<double> times = {0};
  if (box.time >= 0) times = sampling::grid_nodes(box.lower[box.time], box.upper[box.time], kTimes);
  const std::array<int, 3> nodes =
      volume_nodes(box, space, kVolumeNumbers / static_cast<double>(2 * fields.size() * times.size()));
  const std::vector<std::array<double, 3>> places = volume_places(box, space, nodes);

  std::vector<float> vertices, facets;
  for (const std::array<double, 3>& vertex : surface.vertices)
    for (const double coordinate : vertex) vertices.push_back(static_cast<float>(coordinate));
  for (const std::array<std::uint32_t, 4>& facet : surface.facets)
    for (const std::uint32_t corner : facet) facets.push_back(static_cast<float>(corner));  // exact up to 2^24
  Json names = Json::array(), low = Json::array(), high = Json::array(), list = Json::array();
  for (const int c : space) {
    names.push_back(box.names[c]);
    low.push_back(box.lower[c]);
    high.push_back(box.upper[c]);
  }
  for (const std::string& field : fields) {
    const Values outside = values_of(problem, solution, field, space, surface.vertices, times);
    const Values within = values_of(problem, solution, field, space, places, times);
    list.push_back({{"name", field},
                    {"surface", results::base64_floats(outside.prediction)},
                    {"surface_error", results::base64_floats(outside.error)},
                    {"volume", results::base64_floats(within.prediction)},
                    {"volume_error", results::base64_floats(within.error)}});
  }
  Json body = {{"coordinates", names},
               {"low", low},
               {"high", high},
               {"time", box.time >= 0 ? box.names[box.time] : ""},
               {"times", five_digits(times)},
               {"vertices", results::base64_floats(vertices)},
               {"facets", results::base64_floats(facets)},
               {"nodes", nodes},
               {"fields", list}};
  return {{"bodies", Json::array({std::move(body)})}};
}

}  // namespace pecann::page
