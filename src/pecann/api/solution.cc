#include "pecann/solution.h"

#include <algorithm>

#include "pecann/api/check_threads.h"
#include "pecann/api/solution_data.h"
#include "pecann/base/input_error.h"
#include "pecann/base/parallel.h"
#include "pecann/base/text_file.h"
#include "pecann/problem/problem_file.h"
#include "pecann/results/export_header.h"
#include "pecann/results/prediction.h"
#include "pecann/results/run.h"
#include "pecann/sampling/grid.h"
#include "pecann/train/trial.h"

namespace pecann {
namespace {

std::vector<expr::Expr> parsed(const problem::Problem& problem, std::span<const std::string> texts) {
  try {
    return results::parse_fields(problem, texts);
  } catch (const InputError& error) {  // written in a program, not on a command line
    InputError::Parts parts = error.parts();
    parts.place.file.clear();
    parts.key = "expression";
    throw InputError(std::move(parts));
  }
}

/// Points [point][coordinate] by coordinate.
std::vector<Strided> by_coordinate(const problem::Problem& problem, std::span<const double> points) {
  const std::size_t dimension = problem.box.names.size();
  if (points.empty() || points.size() % dimension != 0)
    throw InputError(
        {.value = std::to_string(points.size()) + " numbers",
         .rule = "points are given as one number per coordinate; the problem has " + std::to_string(dimension)});
  std::vector<Strided> coordinates;
  for (std::size_t c = 0; c < dimension; ++c)
    coordinates.push_back({points.data() + c, static_cast<std::ptrdiff_t>(dimension)});
  return coordinates;
}

/// A copy of at least one point.
sampling::PointSet points_at(const problem::Problem& problem, std::span<const Strided> coordinates, std::size_t count) {
  const std::size_t dimension = problem.box.names.size();
  if (coordinates.size() != dimension)
    throw InputError({.key = "coordinates",
                      .value = std::to_string(coordinates.size()) + " of them",
                      .rule = "the problem has " + std::to_string(dimension)});
  sampling::PointSet set;
  set.count = count;
  set.coordinates.assign(dimension, AlignedVector<double>(set.padded()));
  for (std::size_t c = 0; c < dimension && count > 0; ++c)
    for (std::size_t i = 0; i < set.padded(); ++i)
      set.coordinates[c][i] =
          coordinates[c].first[static_cast<std::ptrdiff_t>(std::min(i, count - 1)) * coordinates[c].step];
  return set;
}

}  // namespace

Solution Solution::open(const std::string& folder, int trial) {
  const results::Run run = results::open_run(folder);
  auto problem = std::make_shared<const problem::Problem>(run.problem);
  train::Solution solution = train::load_solution(*problem, folder, results::chosen_trial(run, trial));
  return Solution(std::make_shared<const api::SolutionData>(api::SolutionData{problem, std::move(solution)}));
}

std::vector<double> Solution::evaluate(const std::string& expression, std::span<const double> points) const {
  const std::vector<Strided> coordinates = by_coordinate(*data_->problem, points);
  return std::move(evaluate({&expression, 1}, coordinates, points.size() / coordinates.size()).front());
}

std::vector<std::vector<double>> Solution::evaluate(std::span<const std::string> expressions,
                                                    std::span<const Strided> coordinates, std::size_t count,
                                                    int threads) const {
  const sampling::PointSet set = points_at(*data_->problem, coordinates, count);
  std::vector<std::vector<double>> values(expressions.size());
  const std::vector<expr::Expr> parsed_expressions = parsed(*data_->problem, expressions);
  api::check_threads(threads);
  if (count == 0) return values;
  const ThreadShare share(threads);
  data_->solution.evaluate(parsed_expressions, set, values);
  return values;
}

std::vector<char> Solution::inside(std::span<const double> points) const {
  const std::vector<Strided> coordinates = by_coordinate(*data_->problem, points);
  return inside(coordinates, points.size() / coordinates.size());
}

std::vector<char> Solution::inside(std::span<const Strided> coordinates, std::size_t count) const {
  const sampling::Box& box = data_->problem->box;
  const sampling::PointSet set = points_at(*data_->problem, coordinates, count);
  std::vector<char> inside(count, 1);
  if (count == 0) return inside;
  if (std::vector<char> mask = data_->problem->domain->mask(set); !mask.empty()) inside = std::move(mask);
  for (int c = 0; c < box.dimension(); ++c)
    for (std::size_t i = 0; i < count; ++i) {
      const double at = set.coordinates[static_cast<std::size_t>(c)][i];
      if (!(at >= box.lower[static_cast<std::size_t>(c)] && at <= box.upper[static_cast<std::size_t>(c)]))
        inside[i] = 0;
    }
  return inside;
}

std::vector<double> Solution::evaluate(const Expression& expression, std::span<const double> points) const {
  return evaluate(expression.text(), points);
}

double Solution::value(const Expression& expression, std::initializer_list<double> point) const {
  return evaluate(expression, std::span<const double>(point.begin(), point.size())).front();
}

const std::vector<std::string>& Solution::coordinates() const { return data_->problem->box.names; }

std::vector<std::string> Solution::fields() const {
  std::vector<std::string> names;
  for (const problem::NetworkSpec& network : data_->problem->networks)
    names.insert(names.end(), network.fields.begin(), network.fields.end());
  return names;
}

std::string Solution::problem_text() const { return problem::write_problem(*data_->problem); }

std::vector<double> Solution::parameters(int window) const {
  if (window < 0 || window >= data_->solution.num_windows())
    throw InputError(
        {.key = "window",
         .value = std::to_string(window),
         .rule = "the solution has " + std::to_string(data_->solution.num_windows()) + " windows, counted from 0"});
  const std::span<const double> all = data_->solution.parameters(window);
  return {all.begin(), all.end()};
}

void Solution::write(const std::string& path, const std::vector<Expression>& expressions,
                     const std::vector<int>& grid) const {
  std::vector<std::string> texts;
  for (const Expression& expression : expressions) texts.push_back(expression.text());
  write_texts(path, texts, grid);
}

void Solution::write_texts(const std::string& path, const std::vector<std::string>& expressions,
                           const std::vector<int>& grid) const {
  const problem::Problem& problem = *data_->problem;
  results::Prediction prediction;
  prediction.box = problem.box;
  prediction.grid = grid.empty() ? problem.evaluate.grid : grid;
  if (prediction.grid.size() != problem.box.names.size())
    throw InputError(
        {.key = "grid",
         .value = std::to_string(grid.size()) + " numbers",
         .rule = "one number of nodes for each of the " + std::to_string(problem.box.names.size()) + " coordinates"});
  if (std::ranges::any_of(prediction.grid, [](int nodes) { return nodes < 1; }))
    throw InputError({.key = "grid", .rule = "a grid has at least one node in each coordinate"});
  prediction.names = expressions.empty() ? fields() : expressions;
  prediction.points = sampling::grid_points(problem.box, prediction.grid);
  data_->solution.evaluate(parsed(problem, prediction.names), prediction.points, prediction.values);
  sampling::hide_outside(*problem.domain, prediction.points, prediction.values);
  results::write_prediction(prediction, path);
}

void Solution::write_header(const std::string& path, const std::string& name_space) const {
  write_text_file(path, results::export_header(*data_->problem, data_->solution, name_space, data_->problem->title));
}

}  // namespace pecann
