#include "pecann/page/page_residuals.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "pecann/page/page_history.h"
#include "pecann/page/page_state.h"
#include "pecann/train/held_out.h"

namespace pecann::page {
namespace {

using Json = nlohmann::ordered_json;

constexpr double kResidualPoints = 1500;  // of a term, about: enough for a picture

/// Points of one term with the size of its residual there.
struct Failures {
  std::vector<std::vector<double>> columns;
  std::vector<double> values;
};

/// The places of a term's residuals: its points; of integrals over space the times, at no place in space (NaN).
std::vector<std::vector<double>> places_of(const sampling::PointSet& points, std::size_t residuals, int time) {
  std::vector<std::vector<double>> places;
  for (const auto& column : points.coordinates)
    places.emplace_back(column.begin(), column.begin() + static_cast<std::ptrdiff_t>(points.count));
  if (residuals >= points.count) return places;
  for (std::size_t c = 0; c < places.size(); ++c) {
    if (static_cast<int>(c) == time) {
      std::ranges::sort(places[c]);
      places[c].erase(std::ranges::unique(places[c]).begin(), places[c].end());
    } else {
      places[c].clear();
    }
    places[c].resize(residuals, std::numeric_limits<double>::quiet_NaN());
  }
  return places;
}

/// Adds the residuals of all terms at the points of an assembly.
void add_failures(train::Assembly& assembly, std::span<const double> parameters, int time,
                  std::vector<Failures>& terms) {
  evaluate::Evaluator& evaluator = assembly.evaluator();
  std::vector<double> rows(evaluator.num_rows());
  evaluator.residuals(parameters, rows);
  for (std::size_t t = 0; t < terms.size(); ++t) {
    const sampling::PointSet& points = evaluator.program(evaluator.terms()[t].point_set).points();
    const std::vector<std::vector<double>> places = places_of(points, evaluator.count_of(evaluator.terms()[t]), time);
    std::vector<double> squares(points.count);
    std::vector<bool> met(points.count);
    for (const evaluate::Evaluator::RowRun& run : evaluator.row_runs()) {
      if (static_cast<std::size_t>(run.term) != t) continue;
      for (std::size_t i = 0; i < run.count; ++i) {
        const double residual = evaluate::violation(evaluator.terms()[t], rows[run.first_row + i]);
        squares[run.first_point + i] += residual * residual;
        met[run.first_point + i] = true;
      }
    }
    terms[t].columns.resize(points.coordinates.size());
    for (std::size_t i = 0; i < places[0].size(); ++i) {
      if (!met[i]) continue;
      for (std::size_t c = 0; c < places.size(); ++c) terms[t].columns[c].push_back(places[c][i]);
      terms[t].values.push_back(std::sqrt(squares[i]));
    }
  }
}

/// Some of the points, and the worst one, which is what people look for.
Json failures_json(const std::string& term, const Failures& failures) {
  std::vector<std::size_t> shown = shown_points(failures.values.size(), static_cast<std::size_t>(kResidualPoints));
  const auto worst = static_cast<std::size_t>(std::max_element(failures.values.begin(), failures.values.end()) -
                                              failures.values.begin());
  if (std::ranges::find(shown, worst) == shown.end()) shown.push_back(worst);
  const auto picked = [&](const std::vector<double>& all) {
    std::vector<double> values;
    for (const std::size_t i : shown) values.push_back(all[i]);
    return five_digits(values);
  };
  Json columns = Json::array();
  for (const std::vector<double>& column : failures.columns) columns.push_back(picked(column));
  return {{"term", term}, {"columns", columns}, {"values", picked(failures.values)}};
}

}  // namespace

Json page_residuals(const verdict::RunReport& report) {
  Json list = Json::array();
  if (!report.residual_note.empty()) return {{"residual_points", list}};
  const problem::Problem& problem = report.run.problem;
  const results::TrainedState state = results::load_state(problem, report.run.folder, report.best);
  const double share = kResidualPoints / (state.window.index + 1);
  const problem::Problem fresh = train::held_out_problem(problem, share, share);
  std::vector<Failures> terms(problem.terms.size());
  train::Solution before(problem, state.seed);
  for (int w = 0; w <= state.window.index; ++w) {
    const bool last = w == state.window.index;
    const std::span<const double> parameters =
        last ? std::span<const double>(state.parameters) : state.finished->parameters(w);
    train::Assembly assembly(fresh, state.seed, {w, state.window.count}, before);
    add_failures(assembly, parameters, problem.box.time, terms);
    if (!last) before.add_window({parameters.begin(), parameters.end()});
  }
  for (std::size_t t = 0; t < terms.size(); ++t)
    if (!terms[t].values.empty()) list.push_back(failures_json(problem.terms[t].name, terms[t]));
  return {{"residual_points", list}};
}

}  // namespace pecann::page
