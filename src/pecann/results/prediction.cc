#include "pecann/results/prediction.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "pecann/base/input_error.h"
#include "pecann/base/memory.h"
#include "pecann/base/npy.h"
#include "pecann/base/text_file.h"
#include "pecann/expr/parse.h"
#include "pecann/problem/scope.h"
#include "pecann/results/run.h"
#include "pecann/results/table_text.h"
#include "pecann/results/vtk_files.h"
#include "pecann/sampling/grid.h"
#include "pecann/sampling/mesh_nodes.h"
#include "pecann/sampling/table.h"
#include "pecann/train/trial.h"

namespace pecann::results {
namespace {

const std::vector<std::string> kEndings = {".csv", ".npy", ".vti", ".vtu"};
constexpr double kMostGridNodes = 1e8;

std::string ending_of(const std::string& path) {
  const std::string ending = std::filesystem::path(path).extension().string();
  if (std::find(kEndings.begin(), kEndings.end(), ending) == kEndings.end())
    throw InputError(
        {.place = {.file = path},
         .rule = fmt::format("the ending {} is not known; a prediction is written as .csv, .npy, .vti (VTK image "
                             "data, for grids) or .vtu (VTK points, or the cells of a mesh)",
                             ending.empty() ? "of the file is missing; it" : "'" + ending + "'"),
         .hint = nearest_name(ending, kEndings) ? hint_for(ending, kEndings) : ""});
  return ending;
}

/// True for a time after the trained ones, rounding aside.
bool is_beyond(double time, double until, const sampling::Box& box) {
  return time > until + 1e-9 * (box.upper[box.time] - box.lower[box.time]);
}

void check_grid(std::span<const int> grid, const sampling::Box& box) {
  const auto refuse = [&](const std::string& rule) {
    std::string text, names;
    for (const int nodes : grid) text += (text.empty() ? "" : ",") + std::to_string(nodes);
    for (const std::string& name : box.names) names += (names.empty() ? "" : ", ") + name;
    throw InputError({.place = {.file = "command line"},
                      .key = "--grid",
                      .value = text,
                      .rule = rule,
                      .hint = "one number of nodes for each of " + names});
  };
  if (grid.size() != box.names.size())
    refuse(fmt::format("{} number{} for {} coordinate{}", grid.size(), grid.size() == 1 ? "" : "s", box.names.size(),
                       box.names.size() == 1 ? "" : "s"));
  double nodes = 1;
  for (const int count : grid) {
    if (count < 1) refuse("a grid has at least one node in each coordinate");
    nodes *= count;
  }
  if (nodes > kMostGridNodes) refuse(fmt::format("the grid has {:.3g} nodes; at most {:.0e}", nodes, kMostGridNodes));
}

/// Refuses what does not fit into memory: coordinates and values, and the text of the file that they become.
void require_memory(const Prediction& prediction) {
  constexpr double kBytesPerNumber = 3 * sizeof(double) + 25;
  double bytes = kBytesPerNumber * static_cast<double>(prediction.box.names.size() + prediction.names.size());
  for (const int nodes : prediction.grid) bytes *= nodes;
  if (const double available = available_memory(); bytes > available)
    throw InputError({.place = {.file = "command line"},
                      .key = "--grid",
                      .rule = fmt::format("the prediction needs about {}, and there are {}", exact_memory_text(bytes),
                                          exact_memory_text(available)),
                      .hint = "take fewer nodes or fewer fields at a time"});
}

/// Of a run that ended before its last window: given points beyond the trained time are refused, the nodes of a grid
/// there become NaN, and the prediction says so.
void mark_untrained(const Run& run, const train::Solution& solution, bool given, Prediction& prediction) {
  const double until = solution.trained_until();
  const int time = prediction.box.time;
  if (time < 0) return;
  std::size_t beyond = 0;
  for (std::size_t i = 0; i < prediction.points.count; ++i)
    if (is_beyond(prediction.points.coordinates[time][i], until, prediction.box)) ++beyond;
  if (beyond == 0) return;
  const std::string fact = fmt::format(
      "{} of {} points lie beyond {} = {:.6g}, up to which the run is trained (window {} of {})", beyond,
      prediction.points.count, prediction.box.names[time], until, solution.num_windows(), run.problem.windows.count);
  const std::string hint = fmt::format("go on with `pecann resume {}`", shortened(run.folder.path(), kLongestPath));
  if (given) throw InputError({.place = {.file = run.folder.path()}, .rule = fact, .hint = hint});
  prediction.note = fact + ": values there are NaN; " + hint;
}

/// The points of the cells of a domain's mesh, at as many times as the evaluation grid has.
void take_mesh_points(const problem::Problem& problem, Prediction& prediction) {
  const sampling::Box& box = problem.box;
  const int times = box.time < 0 ? 1 : problem.evaluate.grid[static_cast<std::size_t>(box.time)];
  prediction.mesh_nodes = sampling::nodes_of_cells(*prediction.mesh);
  prediction.points = sampling::points_of_nodes(*prediction.mesh, prediction.mesh_nodes, box, times);
}

}  // namespace

std::vector<expr::Expr> parse_fields(const problem::Problem& problem, std::span<const std::string> texts) {
  const expr::Scope scope = problem::scope_of(problem);
  std::vector<expr::Expr> expressions;
  for (const std::string& text : texts) {
    try {
      expressions.push_back(expr::parse(text, scope));
    } catch (const InputError& error) {
      InputError::Parts parts = error.parts();
      parts.place.file = "command line";
      parts.key = "--fields";
      parts.value = text;
      throw InputError(std::move(parts));
    }
  }
  return expressions;
}

Prediction predict_values(const PredictRequest& request) {
  const Run run = open_run(request.folder);
  const sampling::Box& box = run.problem.box;
  Prediction prediction;
  prediction.box = box;
  prediction.names = request.expressions.empty() ? problem::field_names(run.problem) : request.expressions;
  const std::vector<expr::Expr> expressions = parse_fields(run.problem, prediction.names);
  if (!request.points_file.empty() && !request.grid.empty())
    throw InputError({.place = {.file = "command line"}, .rule = "give --grid or --points, not both"});
  if (request.on_mesh && request.points_file.empty() && request.grid.empty())
    prediction.mesh = run.problem.domain->mesh("");
  if (prediction.mesh) {
    take_mesh_points(run.problem, prediction);
  } else if (request.points_file.empty()) {
    prediction.grid = request.grid.empty() ? run.problem.evaluate.grid : request.grid;
    check_grid(prediction.grid, box);
    require_memory(prediction);
    prediction.points = sampling::grid_points(box, prediction.grid);
  } else {
    prediction.points = sampling::points_of(sampling::read_table(request.points_file), box);
  }
  const train::Solution solution = train::load_solution(run.problem, request.folder, chosen_trial(run, request.trial));
  mark_untrained(run, solution, !request.points_file.empty(), prediction);
  solution.evaluate(expressions, prediction.points, prediction.values);
  sampling::hide_outside(*run.problem.domain, prediction.points, prediction.values);
  return prediction;
}

std::vector<std::string> write_prediction(const Prediction& prediction, const std::string& path) {
  const std::string ending = ending_of(path);
  if (ending == ".vti") return write_vti(prediction, path);
  if (ending == ".vtu" && prediction.mesh) return write_mesh_vtu(prediction, path);
  if (ending == ".npy") {
    const std::size_t columns = prediction.box.names.size() + prediction.names.size();
    const std::vector<std::size_t> shape = {prediction.points.count, columns};
    write_text_file(path, npy_bytes(shape, table_rows(prediction)));
  } else {
    write_text_file(path, ending == ".csv" ? csv_text(prediction) : vtu_text(prediction));
  }
  return {path};
}

std::vector<std::string> predict(const PredictRequest& request, const std::function<void(const std::string&)>& warn) {
  const std::string ending = ending_of(request.output);
  if (ending == ".vti" && !request.points_file.empty())
    throw InputError({.place = {.file = request.output},
                      .rule = ".vti is VTK image data: a grid, not a list of points",
                      .hint = "give --grid, or write .vtu, .csv or .npy"});
  PredictRequest own = request;
  own.on_mesh = ending == ".vtu";
  const Prediction prediction = predict_values(own);
  if (warn && !prediction.note.empty()) warn(prediction.note);
  return write_prediction(prediction, request.output);
}

}  // namespace pecann::results
