#include "pecann/page/field_view.h"

#include <algorithm>
#include <cmath>
#include <set>

#include "pecann/expr/program.h"
#include "pecann/problem/scope.h"
#include "pecann/reference/registry.h"
#include "pecann/results/picture_grid.h"
#include "pecann/train/error_norms.h"

namespace pecann::page {
namespace {

constexpr int kSnapshotNodes = 129, kDefaultSnapshots = 5;
constexpr std::size_t kMostFunctions = 4;

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
    grid_ = results::picture_grid(problem_, network, field, budget_, frames_, kSnapshotNodes);
    const auto exact = frames_.empty() ? problem_.exact.find(field) : problem_.exact.end();
    fill(field, exact == problem_.exact.end() ? nullptr : &exact->second);
    return std::move(view_);
  }

 private:
  void fill(const std::string& field, const expr::Expr* exact) {
    view_.coordinates = grid_.coordinates;
    view_.axes = grid_.axes;
    view_.slider = grid_.slider;
    view_.frames = grid_.frames;
    view_.fixed = grid_.fixed;
    std::vector<expr::Expr> read = {train::evaluation_reading(problem_, field)};
    if (exact != nullptr) read.push_back(*exact);
    std::vector<std::vector<double>> values;
    solution_.evaluate(read, grid_.points, values);
    if (exact == nullptr && frames_.empty()) add_reference(field, values);
    sampling::hide_outside(*problem_.domain, grid_.points, values);
    view_.outline = map_outline(problem_, view_.coordinates);
    if (values.size() > 1)
      for (std::size_t i = 0; i < values[0].size(); ++i) values[1][i] = values[0][i] - values[1][i];
    view_.prediction = grid_.ordered(values[0]);
    if (values.size() > 1) view_.error = grid_.ordered(values[1]);
    const std::size_t frame = view_.prediction.size() / std::max<std::size_t>(1, view_.frames.size());
    // The exact solution of such problems holds at the last time only, of a map over time in its last line.
    if (problem_.evaluate.final_only && view_.error.size() > frame)
      view_.error.erase(view_.error.begin(), view_.error.end() - static_cast<std::ptrdiff_t>(frame));
    else if (problem_.evaluate.final_only && view_.slider.empty() && view_.coordinates.size() == 2)
      std::fill(view_.error.begin(), view_.error.end() - static_cast<std::ptrdiff_t>(view_.axes[0].size()),
                std::nanf(""));
  }

  /// Puts the problem's reference in the place of an exact solution, where it is known on this grid.
  void add_reference(const std::string& field, std::vector<std::vector<double>>& values) const {
    const auto reference = reference::make_on_grid(train::reference_subject(problem_, problem_.box, grid_.nodes));
    if (reference && reference->knows(field)) values.push_back(reference->values(field));
  }

  const problem::Problem& problem_;
  const train::Solution& solution_;
  double budget_;
  std::vector<double> frames_;
  results::PictureGrid grid_;
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

/// Functions of fields whose exact solution is not known, where they are numbers at a point: of an ansatz such as
/// w = x*(1 - x)*u the function is the answer, not its field.
std::vector<std::string> other_functions(const problem::Problem& problem) {
  std::vector<std::string> names;
  for (const auto& [name, function] : problem.functions) {
    if (!function.arguments.empty() || problem.exact.contains(name) || names.size() >= kMostFunctions) continue;
    std::set<std::string> fields;
    try {
      problem::collect_fields(expr::parse(name, problem::scope_of(problem)), fields);
    } catch (const std::exception&) {
      continue;  // a vector, or one that reads data or normals
    }
    if (!fields.empty()) names.push_back(name);
  }
  return names;
}

}  // namespace

std::vector<std::vector<std::vector<double>>> map_outline(const problem::Problem& problem,
                                                          const std::vector<std::string>& coordinates) {
  std::vector<std::string> space;
  for (int c = 0; c < problem.box.dimension(); ++c)
    if (c != problem.box.time) space.push_back(problem.box.names[c]);
  if (coordinates != space) return {};
  return problem.domain->outline();
}

std::vector<problem::NetworkSpec> shown_networks(const problem::Problem& problem) {
  std::vector<problem::NetworkSpec> shown = problem.networks;
  problem::NetworkSpec functions;
  functions.inputs = problem.box.names;
  const std::vector<std::string> names = problem::quantity_names(problem);
  functions.fields.assign(names.begin() + static_cast<std::ptrdiff_t>(problem::field_names(problem).size()),
                          names.end());
  for (const std::string& name : other_functions(problem)) functions.fields.push_back(name);
  if (!functions.fields.empty()) shown.push_back(std::move(functions));
  return shown;
}

std::vector<FieldView> snapshot_views(const problem::Problem& problem, const train::Solution& solution) {
  std::vector<FieldView> views;
  if (problem.box.time < 0) return views;
  ViewMaker maker(problem, solution, 0, snapshot_times(problem));
  for (const problem::NetworkSpec& network : shown_networks(problem))
    for (const std::string& field : network.fields) {
      const std::vector<std::string> coordinates = results::field_coordinates(problem, network, field);
      if (coordinates.size() == 3 && coordinates[2] == problem.box.names[problem.box.time])
        views.push_back(maker.make(network, field));
    }
  return views;
}

std::vector<FieldView> field_views(const problem::Problem& problem, const train::Solution& solution,
                                   std::size_t budget) {
  const std::vector<problem::NetworkSpec> networks = shown_networks(problem);
  std::size_t fields = 0;
  for (const problem::NetworkSpec& network : networks) fields += network.fields.size();
  ViewMaker maker(problem, solution,
                  static_cast<double>(budget) / (2.0 * static_cast<double>(std::max<std::size_t>(1, fields))));
  std::vector<FieldView> views;
  for (const problem::NetworkSpec& network : networks)
    for (const std::string& field : network.fields) views.push_back(maker.make(network, field));
  return views;
}

}  // namespace pecann::page
