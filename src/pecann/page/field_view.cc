#include "pecann/page/field_view.h"

#include <algorithm>
#include <cmath>

#include "pecann/expr/program.h"
#include "pecann/problem/scope.h"
#include "pecann/reference/registry.h"
#include "pecann/sampling/grid.h"
#include "pecann/train/error_norms.h"

namespace pecann::page {
namespace {

constexpr int kMostCurveNodes = 1001, kMostMapNodes = 201, kMostFrameNodes = 101, kLeastNodes = 21, kMostFrames = 41,
              kSnapshotNodes = 129, kDefaultSnapshots = 5;

int bounded_nodes(double wanted, int most) { return std::clamp(static_cast<int>(wanted), kLeastNodes, most); }

class ViewMaker {
 public:
  /// With `frames` given, the slider has these values instead of its own.
  ViewMaker(const problem::Problem& problem, const train::Solution& solution, double budget,
            std::vector<double> frames = {})
      : problem_(problem), solution_(solution), budget_(budget), frames_(std::move(frames)) {}

  FieldView make(const problem::NetworkSpec& network, const std::string& field) {
    view_ = {};
    view_.name = field;
    view_.sigmoid = network.output == problem::Output::Sigmoid;
    choose_axes(field_coordinates(problem_, network, field));
    const auto exact = frames_.empty() ? problem_.exact.find(field) : problem_.exact.end();
    fill(network, field, exact == problem_.exact.end() ? nullptr : &exact->second);
    return std::move(view_);
  }

 private:
  /// Two coordinates make a map, a third (time before others) the slider; further ones stay in the middle.
  void choose_axes(const std::vector<std::string>& names) {
    const sampling::Box& box = problem_.box;
    grid_.assign(box.names.size(), 1);
    std::string slider;
    if (names.size() >= 3) slider = box.time >= 0 && names.back() == box.names[box.time] ? names.back() : names[2];
    for (const std::string& name : names)
      if (view_.coordinates.size() < 2 && name != slider) view_.coordinates.push_back(name);
    if (!slider.empty()) {
      const int frames = problem_.windows.count > 1 ? problem_.windows.count + 1 : kMostFrames;
      grid_[box.index_of(slider)] = frames_.empty() ? std::min(frames, kMostFrames) : static_cast<int>(frames_.size());
      view_.slider = slider;
    }
    const double frames = slider.empty() ? 1 : grid_[box.index_of(slider)];
    for (const std::string& name : view_.coordinates) {
      const int index = box.index_of(name);
      grid_[index] = view_.coordinates.size() == 1
                         ? std::min(kMostCurveNodes, std::max(problem_.evaluate.grid[index], kMostMapNodes))
                     : !frames_.empty()
                         ? kSnapshotNodes
                         : bounded_nodes(std::sqrt(budget_ / frames), slider.empty() ? kMostMapNodes : kMostFrameNodes);
    }
  }

  /// The coordinates of a map that shows all of space.
  std::vector<std::string> space_of_maps() const {
    std::vector<std::string> names;
    for (int c = 0; c < problem_.box.dimension(); ++c)
      if (c != problem_.box.time) names.push_back(problem_.box.names[c]);
    return names;
  }

  void fill(const problem::NetworkSpec& network, const std::string& field, const expr::Expr* exact) {
    const sampling::Box& box = problem_.box;
    sampling::PointSet points = sampling::grid_points(box, grid_);
    const auto frozen = problem_.evaluate.at.find(field);
    for (std::size_t c = 0; c < box.names.size(); ++c) {
      const std::string& name = box.names[c];
      if (name == view_.slider) continue;
      if (std::find(view_.coordinates.begin(), view_.coordinates.end(), name) != view_.coordinates.end()) continue;
      double value = points.coordinates[c][0];
      if (frozen != problem_.evaluate.at.end() && frozen->second.contains(name)) value = frozen->second.at(name);
      std::fill(points.coordinates[c].begin(), points.coordinates[c].end(), value);
      if (std::find(network.inputs.begin(), network.inputs.end(), name) != network.inputs.end())
        view_.fixed[name] = value;
    }
    if (!frames_.empty()) place_frames(points.coordinates[box.index_of(view_.slider)]);
    std::vector<expr::Expr> read = {train::evaluation_reading(problem_, field)};
    if (exact != nullptr) read.push_back(*exact);
    std::vector<std::vector<double>> values;
    solution_.evaluate(read, points, values);
    if (exact == nullptr && frames_.empty()) add_reference(field, values);
    sampling::hide_outside(*problem_.domain, points, values);

    for (const std::string& name : view_.coordinates) view_.axes.push_back(axis(points, box.index_of(name)));
    if (!view_.slider.empty()) view_.frames = axis(points, box.index_of(view_.slider));
    if (view_.coordinates == space_of_maps()) view_.outline = problem_.domain->outline();
    order_values(values);
    const std::size_t frame = view_.prediction.size() / std::max<std::size_t>(1, view_.frames.size());
    // The exact solution of such problems holds at the last time only, of a map over time in its last line.
    if (problem_.evaluate.final_only && view_.error.size() > frame)
      view_.error.erase(view_.error.begin(), view_.error.end() - static_cast<std::ptrdiff_t>(frame));
    else if (problem_.evaluate.final_only && view_.slider.empty() && view_.coordinates.size() == 2)
      std::fill(view_.error.begin(), view_.error.end() - static_cast<std::ptrdiff_t>(view_.axes[0].size()),
                std::nanf(""));
  }

  /// Writes the chosen values of the slider into its column, in the grid's order.
  void place_frames(AlignedVector<double>& column) const {
    const std::size_t step = stride(problem_.box.index_of(view_.slider));
    for (std::size_t i = 0; i < column.size(); ++i) column[i] = frames_[i / step % frames_.size()];
  }

  /// Puts the problem's reference in the place of an exact solution, where it is known on this grid.
  void add_reference(const std::string& field, std::vector<std::vector<double>>& values) const {
    const auto reference = reference::make_on_grid(train::reference_subject(problem_, problem_.box, grid_));
    if (reference && reference->knows(field)) values.push_back(reference->values(field));
  }

  std::size_t stride(int coordinate) const {
    std::size_t result = 1;
    for (int c = 0; c < coordinate; ++c) result *= static_cast<std::size_t>(grid_[c]);
    return result;
  }

  std::vector<double> axis(const sampling::PointSet& points, int coordinate) const {
    std::vector<double> nodes;
    for (int node = 0; node < grid_[coordinate]; ++node)
      nodes.push_back(points.coordinates[coordinate][static_cast<std::size_t>(node) * stride(coordinate)]);
    return nodes;
  }

  /// Reorders values from the grid's order (first coordinate of the problem fastest) to [frame][second][first].
  void order_values(const std::vector<std::vector<double>>& values) {
    const sampling::Box& box = problem_.box;
    const auto extent = [&](const std::string& name) { return static_cast<std::size_t>(grid_[box.index_of(name)]); };
    const auto step = [&](const std::string& name) { return stride(box.index_of(name)); };
    const bool map = view_.coordinates.size() == 2, slides = !view_.slider.empty();
    const std::size_t frames = slides ? extent(view_.slider) : 1, second = map ? extent(view_.coordinates[1]) : 1;
    for (std::size_t f = 0; f < frames; ++f)
      for (std::size_t j = 0; j < second; ++j)
        for (std::size_t i = 0; i < (view_.coordinates.empty() ? 1 : extent(view_.coordinates[0])); ++i) {
          std::size_t at = view_.coordinates.empty() ? 0 : i * step(view_.coordinates[0]);
          if (map) at += j * step(view_.coordinates[1]);
          if (slides) at += f * step(view_.slider);
          view_.prediction.push_back(static_cast<float>(values[0][at]));
          if (values.size() > 1) view_.error.push_back(static_cast<float>(values[0][at] - values[1][at]));
        }
  }

  const problem::Problem& problem_;
  const train::Solution& solution_;
  double budget_;
  std::vector<double> frames_;
  std::vector<int> grid_;
  FieldView view_;
};

/// The times of the snapshots and contours, ascending, each once.
std::vector<double> snapshot_times(const problem::Problem& problem) {
  std::vector<double> times = problem.report.snapshots;
  const double begin = problem.box.lower[problem.box.time], end = problem.box.upper[problem.box.time];
  for (int i = 0; times.size() < kDefaultSnapshots && problem.report.snapshots.empty(); ++i)
    times.push_back(begin + (end - begin) * i / (kDefaultSnapshots - 1));
  times.insert(times.end(), problem.report.contour_times.begin(), problem.report.contour_times.end());
  std::sort(times.begin(), times.end());
  times.erase(std::unique(times.begin(), times.end()), times.end());
  return times;
}

}  // namespace

std::vector<std::string> field_coordinates(const problem::Problem& problem, const problem::NetworkSpec& network,
                                           const std::string& field) {
  const auto frozen = problem.evaluate.at.find(field);
  std::vector<std::string> names;
  for (const std::string& name : problem.box.names) {
    const bool input = std::find(network.inputs.begin(), network.inputs.end(), name) != network.inputs.end();
    if (input && (frozen == problem.evaluate.at.end() || !frozen->second.contains(name))) names.push_back(name);
  }
  if (problem.box.time >= 0) {
    const auto time = std::find(names.begin(), names.end(), problem.box.names[problem.box.time]);
    if (time != names.end()) std::rotate(time, time + 1, names.end());
  }
  return names;
}

std::vector<problem::NetworkSpec> shown_networks(const problem::Problem& problem) {
  std::vector<problem::NetworkSpec> shown = problem.networks;
  problem::NetworkSpec functions;
  functions.inputs = problem.box.names;
  const std::vector<std::string> names = problem::quantity_names(problem);
  functions.fields.assign(names.begin() + static_cast<std::ptrdiff_t>(problem::field_names(problem).size()),
                          names.end());
  if (!functions.fields.empty()) shown.push_back(std::move(functions));
  return shown;
}

std::vector<FieldView> snapshot_views(const problem::Problem& problem, const train::Solution& solution) {
  std::vector<FieldView> views;
  if (problem.box.time < 0) return views;
  ViewMaker maker(problem, solution, 0, snapshot_times(problem));
  for (const problem::NetworkSpec& network : shown_networks(problem))
    for (const std::string& field : network.fields) {
      const std::vector<std::string> coordinates = field_coordinates(problem, network, field);
      if (coordinates.size() == 3 && coordinates[2] == problem.box.names[problem.box.time])
        views.push_back(maker.make(network, field));
    }
  return views;
}

std::vector<FieldView> field_views(const problem::Problem& problem, const train::Solution& solution,
                                   std::size_t budget) {
  const std::size_t fields = problem::quantity_names(problem).size();
  ViewMaker maker(problem, solution,
                  static_cast<double>(budget) / (2.0 * static_cast<double>(std::max<std::size_t>(1, fields))));
  std::vector<FieldView> views;
  for (const problem::NetworkSpec& network : shown_networks(problem))
    for (const std::string& field : network.fields) views.push_back(maker.make(network, field));
  return views;
}

}  // namespace pecann::page
