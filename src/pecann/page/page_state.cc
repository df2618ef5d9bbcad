#include "pecann/page/page_state.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numbers>
#include <numeric>

#include "pecann/page/page_history.h"
#include "pecann/results/statistics.h"
#include "pecann/train/trial.h"
#include "pecann/verdict/solve_text.h"

namespace pecann::page {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t kMostPoints = 2000;  // at most so many are shown of a set
constexpr int kHistogramBins = 40, kDensityBins = 24;
constexpr double kDensityReach = 3;  // standard deviations

Json histogram_json(const std::string& name, std::span<const double> values) {
  double low = values[0], high = values[0];
  for (const double value : values) low = std::min(low, value), high = std::max(high, value);
  const double width = high > low ? (high - low) / kHistogramBins : 1;
  std::vector<double> centres;
  std::vector<int> counts(high > low ? kHistogramBins : 1);
  for (std::size_t b = 0; b < counts.size(); ++b)
    centres.push_back(five_digits(high > low ? low + (static_cast<double>(b) + 0.5) * width : low));
  for (const double value : values)
    if (std::isfinite(value)) ++counts[std::min(counts.size() - 1, static_cast<std::size_t>((value - low) / width))];
  return {{"name", name}, {"centres", centres}, {"counts", counts}, {"width", five_digits(width)}};
}

/// The coordinates of some points.
Json coordinates_json(const sampling::PointSet& points, const std::vector<std::size_t>& shown) {
  Json columns = Json::array();
  for (const auto& coordinate : points.coordinates) {
    std::vector<double> values;
    for (const std::size_t i : shown) values.push_back(coordinate[i]);
    columns.push_back(five_digits(values));
  }
  return columns;
}

/// One entry for each set of points, with the names of the terms that share it.
Json points_json(const evaluate::Evaluator& evaluator) {
  std::map<std::size_t, std::string> names;
  std::vector<std::size_t> order;
  for (const evaluate::Term& term : evaluator.terms()) {
    std::string& name = names[term.point_set];
    if (name.empty()) order.push_back(term.point_set);
    name += (name.empty() ? "" : ", ") + term.name;
  }
  Json result = Json::array();
  for (const std::size_t point_set : order) {
    const sampling::PointSet& set = evaluator.program(point_set).points();
    const Json columns = coordinates_json(set, shown_points(set.count, kMostPoints));
    result.push_back({{"term", names[point_set]}, {"count", set.count}, {"columns", columns}});
  }
  return result;
}

/// Coordinates of some points and a number of each; {} where there is not one number for each point.
Json map_json(const sampling::PointSet& points, std::span<const double> values) {
  if (points.count != values.size()) return Json::object();
  const std::vector<std::size_t> shown = shown_points(points.count, kMostPoints);
  std::vector<double> chosen;
  for (const std::size_t i : shown) chosen.push_back(values[i]);
  return {{"columns", coordinates_json(points, shown)}, {"values", five_digits(chosen)}};
}

/// Measured values of a data term beside the trained field of the same name and its exact solution, where there are
/// such, in the order of the only coordinate that varies ("" where several do).
Json measured_json(const verdict::RunReport& report, const train::Solution& solution, const problem::TermSpec& term,
                   const std::string& name, const sampling::PointSet& points) {
  const problem::Problem& problem = report.run.problem;
  std::string along;
  int varying = 0;
  Json fixed = Json::object();
  for (std::size_t c = 0; c < problem.box.names.size(); ++c) {
    const auto& column = points.coordinates[c];
    const auto [low, high] = std::minmax_element(column.begin(), column.end());
    if (*low == *high) {
      fixed[problem.box.names[c]] = *low;
    } else {
      ++varying;
      along = problem.box.names[c];
    }
  }
  if (varying != 1) along.clear();
  std::vector<std::size_t> order(points.count);
  std::iota(order.begin(), order.end(), std::size_t{0});
  if (!along.empty()) {
    const auto& column = points.coordinates[problem.box.index_of(along)];
    std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return column[a] < column[b]; });
  }
  const std::size_t stride = (order.size() + kMostPoints - 1) / kMostPoints;
  const auto shown = [&](const auto& values) {
    std::vector<double> result;
    for (std::size_t i = 0; i < order.size(); i += stride) result.push_back(values[order[i]]);
    return five_digits(result);
  };
  Json result = {{"term", term.name}, {"name", name}, {"coordinate", along}, {"fixed", fixed}};
  result["measured"] = shown(points.columns.at("data." + name));
  if (!along.empty()) result["x"] = shown(points.coordinates[problem.box.index_of(along)]);
  const bool field = std::any_of(problem.networks.begin(), problem.networks.end(), [&](const auto& network) {
    return std::find(network.fields.begin(), network.fields.end(), name) != network.fields.end();
  });
  if (!field) return result;
  std::vector<expr::Expr> read = {train::evaluation_reading(problem, name)};
  if (const auto exact = problem.exact.find(name); exact != problem.exact.end()) read.push_back(exact->second);
  std::vector<std::vector<double>> values;
  solution.evaluate(read, points, values);
  result["predicted"] = shown(values[0]);
  if (values.size() > 1) result["exact"] = shown(values[1]);
  return result;
}

/// The density of the entries of a network's Fourier matrix in units of their standard deviation σ: mean and deviation
/// over trials, beside the normal one that they are drawn from.
Json fourier_json(const verdict::RunReport& report, std::size_t network) {
  const problem::Problem& problem = report.run.problem;
  std::vector<std::vector<double>> densities(kDensityBins);  // [bin][trial]
  const double sigma = *problem.networks[network].fourier_sigma, width = 2 * kDensityReach / kDensityBins;
  std::size_t entries = 0;
  for (const int trial : report.run.trials) {
    const evaluate::Model model(problem, problem.box, train::trial_seed(problem, trial));
    const std::span<const double> stacked = model.networks()[network].frozen().weights;  // 2πB, twice
    const std::span<const double> matrix = stacked.first(stacked.size() / 2);
    entries = matrix.size();
    std::vector<double> counts(kDensityBins);
    for (const double entry : matrix) {
      const double bin = std::floor((entry / (2 * std::numbers::pi * sigma) + kDensityReach) / width);
      if (bin >= 0 && bin < kDensityBins) ++counts[static_cast<std::size_t>(bin)];
    }
    for (int b = 0; b < kDensityBins; ++b)
      densities[b].push_back(counts[b] / (width * static_cast<double>(matrix.size())));
  }
  std::vector<double> centres, mean, low, high, normal;
  for (int b = 0; b < kDensityBins; ++b) {
    const double at = -kDensityReach + (b + 0.5) * width;
    const results::Spread spread = results::spread_of(densities[b]);
    const double deviation = std::isnan(spread.std) ? 0 : spread.std;
    centres.push_back(at);
    mean.push_back(spread.mean);
    low.push_back(std::max(0.0, spread.mean - deviation));
    high.push_back(spread.mean + deviation);
    normal.push_back(std::exp(-0.5 * at * at) / std::sqrt(2 * std::numbers::pi));
  }
  return {{"network", problem.networks[network].name},
          {"sigma", sigma},
          {"entries", entries},
          {"centres", five_digits(centres)},
          {"mean", five_digits(mean)},
          {"low", five_digits(low)},
          {"high", five_digits(high)},
          {"normal", five_digits(normal)}};
}

}  // namespace

std::vector<std::size_t> shown_points(std::size_t count, std::size_t most) {
  std::vector<std::size_t> shown(std::min(count, most));
  std::iota(shown.begin(), shown.end(), std::size_t{0});
  if (count <= most) return shown;
  for (std::size_t& index : shown) {
    const double turns = static_cast<double>(index) * std::numbers::phi;
    index = static_cast<std::size_t>((turns - std::floor(turns)) * static_cast<double>(count));
  }
  return shown;
}

Json page_state(const verdict::RunReport& report) {
  const problem::Problem& problem = report.run.problem;
  Json points = Json::array(), multipliers = Json::array(), measured = Json::array(), fourier = Json::array();
  if (report.residual_note.empty()) {
    const results::TrainedState state = results::load_state(problem, report.run.folder, report.best);
    const train::Solution solution = train::load_solution(problem, report.run.folder, report.best);
    const evaluate::Evaluator& evaluator = std::as_const(*state.assembly).evaluator();
    points = points_json(evaluator);
    for (std::size_t t = 0; t < evaluator.terms().size(); ++t) {
      const evaluate::Term& term = evaluator.terms()[t];
      if (!problem.terms[t].data) continue;
      for (const auto& [name, column] : problem.terms[t].data->columns)
        measured.push_back(
            measured_json(report, solution, problem.terms[t], name, state.assembly->points_of(term.point_set)));
    }
    for (const evaluate::ConstraintEntries& entries : evaluator.constraints())
      if (entries.pointwise && !verdict::is_solve(problem)) {
        const std::span<const double> values = std::span(state.multipliers).subspan(entries.first, entries.count);
        multipliers.push_back(histogram_json(entries.name, values));
        const std::size_t set = evaluator.terms()[static_cast<std::size_t>(entries.term)].point_set;
        multipliers.back().update(map_json(evaluator.program(set).points(), values));
      }
  }
  for (std::size_t n = 0; n < problem.networks.size(); ++n)
    if (problem.networks[n].fourier_sigma) fourier.push_back(fourier_json(report, n));
  return {{"points", points}, {"multipliers", multipliers}, {"measured", measured}, {"fourier", fourier}};
}

}  // namespace pecann::page
