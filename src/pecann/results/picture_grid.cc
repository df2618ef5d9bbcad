#include "pecann/results/picture_grid.h"

#include <algorithm>
#include <cmath>

#include "pecann/sampling/grid.h"

namespace pecann::results {
namespace {

constexpr int kMostCurveNodes = 1001, kMostMapNodes = 201, kMostFrameNodes = 101, kLeastNodes = 21, kMostFrames = 41,
              kMostPlanes = 21;

/// The points from one node of a coordinate to the next.
std::size_t stride_of(const std::vector<int>& nodes, int coordinate) {
  std::size_t result = 1;
  for (int c = 0; c < coordinate; ++c) result *= static_cast<std::size_t>(nodes[c]);
  return result;
}

std::vector<double> nodes_along(const PictureGrid& grid, int coordinate) {
  std::vector<double> places;
  for (int node = 0; node < grid.nodes[coordinate]; ++node)
    places.push_back(
        grid.points.coordinates[coordinate][static_cast<std::size_t>(node) * stride_of(grid.nodes, coordinate)]);
  return places;
}

bool has(const std::vector<std::string>& names, const std::string& name) {
  return std::ranges::find(names, name) != names.end();
}

/// Which coordinates the picture and its slider have, and how many nodes.
void choose_nodes(PictureGrid& grid, const problem::Problem& problem, const std::vector<std::string>& names,
                  double budget, const std::vector<double>& frames, int framed_nodes) {
  const sampling::Box& box = problem.box;
  grid.nodes.assign(box.names.size(), 1);
  if (names.size() >= 3) grid.slider = box.time >= 0 && names.back() == box.names[box.time] ? names.back() : names[2];
  for (const std::string& name : names)
    if (grid.coordinates.size() < 2 && name != grid.slider) grid.coordinates.push_back(name);
  double count = 1;  // of frames
  if (!grid.slider.empty()) {
    const bool in_time = box.index_of(grid.slider) == box.time;
    const int usual = !in_time ? kMostPlanes : problem.windows.count > 1 ? problem.windows.count + 1 : kMostFrames;
    count = frames.empty() ? std::min(usual, kMostFrames) : static_cast<double>(frames.size());
    grid.nodes[box.index_of(grid.slider)] = static_cast<int>(count);
  }
  for (const std::string& name : grid.coordinates) {
    int& nodes = grid.nodes[box.index_of(name)];
    if (grid.coordinates.size() == 1)
      nodes = std::min(kMostCurveNodes, std::max(problem.evaluate.grid[box.index_of(name)], kMostMapNodes));
    else if (!frames.empty())
      nodes = framed_nodes;
    else
      nodes = std::clamp(static_cast<int>(std::sqrt(budget / count)), kLeastNodes,
                         grid.slider.empty() ? kMostMapNodes : kMostFrameNodes);
  }
}

}  // namespace

std::vector<std::string> field_coordinates(const problem::Problem& problem, const problem::NetworkSpec& network,
                                           const std::string& field) {
  const auto frozen = problem.evaluate.at.find(field);
  std::vector<std::string> names;
  for (const std::string& name : problem.box.names)
    if (has(network.inputs, name) && (frozen == problem.evaluate.at.end() || !frozen->second.contains(name)))
      names.push_back(name);
  if (problem.box.time >= 0) {
    const auto time = std::ranges::find(names, problem.box.names[problem.box.time]);
    if (time != names.end()) std::rotate(time, time + 1, names.end());
  }
  return names;
}

PictureGrid picture_grid(const problem::Problem& problem, const problem::NetworkSpec& network, const std::string& field,
                         double budget, const std::vector<double>& frames, int framed_nodes) {
  const sampling::Box& box = problem.box;
  PictureGrid grid;
  choose_nodes(grid, problem, field_coordinates(problem, network, field), budget, frames, framed_nodes);
  grid.points = sampling::grid_points(box, grid.nodes);
  const auto frozen = problem.evaluate.at.find(field);
  for (std::size_t c = 0; c < box.names.size(); ++c) {
    const std::string& name = box.names[c];
    auto& column = grid.points.coordinates[c];
    if (name == grid.slider) {  // chosen values stand in the grid's order
      const std::size_t step = stride_of(grid.nodes, static_cast<int>(c));
      if (!frames.empty())
        for (std::size_t i = 0; i < column.size(); ++i) column[i] = frames[i / step % frames.size()];
      continue;
    }
    if (has(grid.coordinates, name)) continue;
    double value = column[0];
    if (frozen != problem.evaluate.at.end() && frozen->second.contains(name)) value = frozen->second.at(name);
    std::fill(column.begin(), column.end(), value);
    if (has(network.inputs, name)) grid.fixed[name] = value;
  }
  for (const std::string& name : grid.coordinates) grid.axes.push_back(nodes_along(grid, box.index_of(name)));
  if (!grid.slider.empty()) grid.frames = nodes_along(grid, box.index_of(grid.slider));
  for (const std::string& name : grid.coordinates) grid.places.push_back(box.index_of(name));
  grid.slider_place = grid.slider.empty() ? -1 : box.index_of(grid.slider);
  return grid;
}

std::vector<float> PictureGrid::ordered(const std::vector<double>& values) const {
  const auto extent = [&](int c) { return static_cast<std::size_t>(nodes[c]); };
  const bool map = places.size() == 2, slides = slider_place >= 0;
  const std::size_t frame_count = slides ? extent(slider_place) : 1, second = map ? extent(places[1]) : 1,
                    first = places.empty() ? 1 : extent(places[0]);
  std::vector<float> result;
  result.reserve(frame_count * second * first);
  for (std::size_t f = 0; f < frame_count; ++f)
    for (std::size_t j = 0; j < second; ++j)
      for (std::size_t i = 0; i < first; ++i) {
        std::size_t at = places.empty() ? 0 : i * stride_of(nodes, places[0]);
        if (map) at += j * stride_of(nodes, places[1]);
        if (slides) at += f * stride_of(nodes, slider_place);
        result.push_back(static_cast<float>(values[at]));
      }
  return result;
}

}  // namespace pecann::results
