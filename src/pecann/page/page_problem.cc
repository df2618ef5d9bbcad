#include "pecann/page/page_problem.h"

#include <algorithm>
#include <cmath>

#include "pecann/problem/joints.h"
#include "pecann/train/window.h"
#include "pecann/verdict/problem_text.h"

namespace pecann::page {
namespace {

using Json = nlohmann::ordered_json;

/// The number in the last row of a column; 0 where there is none.
double last_in(const results::HistoryTable& history, const char* name) {
  const std::vector<double>* const column = history.find(name);
  return column == nullptr || column->empty() || std::isnan(column->back()) ? 0 : column->back();
}

/// How many epochs all windows of a trial have, if none ends early.
double epochs_of_trial(const problem::Problem& problem) {
  return static_cast<double>(train::planned_epochs(problem, problem.windows.first)) +
         static_cast<double>(problem.windows.count - 1) *
             static_cast<double>(train::planned_epochs(problem, problem.windows.usual));
}

}  // namespace

Json page_problem(const problem::Problem& problem) {
  Json coordinates = Json::array(), networks = Json::array(), parameters = Json::array();
  for (int c = 0; c < problem.box.dimension(); ++c)
    coordinates.push_back({{"name", problem.box.names[c]},
                           {"low", problem.box.lower[c]},
                           {"high", problem.box.upper[c]},
                           {"time", c == problem.box.time},
                           {"space", problem.box.in_space(c)}});
  for (const problem::NetworkSpec& network : problem.networks)
    networks.push_back({{"name", network.name}, {"fields", network.fields}, {"text", verdict::network_text(network)}});
  for (const problem::ParameterSpec& parameter : problem.parameters) parameters.push_back(parameter.name);
  Json functions = Json::object(), shapes = Json::object();
  for (const auto& [name, function] : problem.functions) {
    std::string arguments;
    for (const std::string& argument : function.arguments) arguments += (arguments.empty() ? "" : ", ") + argument;
    functions[arguments.empty() ? name : name + "(" + arguments + ")"] = function.body;
  }
  for (const auto& [name, text] : problem.domain->shape_texts()) shapes[name] = text;
  return {{"coordinates", coordinates},
          {"domain", problem.domain->text()},
          {"shapes", shapes},
          {"functions", functions},
          {"constants", problem.constants},
          {"units", problem.units.empty() ? Json::object() : Json(problem.units)},
          {"parameters", parameters},
          {"exact", problem.exact_texts},
          {"networks", networks},
          {"training", verdict::training_text(problem)},
          {"recommendation", problem.recommendation},
          {"planes", problem.decompose.planes},
          {"parts", problem::parts_words(problem)},
          {"windows", problem.windows.count}};
}

namespace {

/// The last numbers of the columns of relative errors, the largest of them; null where none was measured.
Json last_error(const results::HistoryTable& history) {
  double largest = -1;
  for (std::size_t c = 0; c < history.names.size(); ++c) {
    if (!history.names[c].starts_with("error.") || !history.names[c].ends_with(".relative_l2")) continue;
    const std::vector<double>& column = history.columns[c];
    const auto last = std::find_if(column.rbegin(), column.rend(), [](double value) { return !std::isnan(value); });
    if (last != column.rend()) largest = std::max(largest, *last);
  }
  return largest < 0 ? Json() : Json(largest);
}

Json largest_residual(const verdict::RunReport& report) {
  double largest = -1;
  for (const results::TermResidual& term : report.residuals)
    if (!std::isnan(term.relative)) largest = std::max(largest, term.relative);
  return largest < 0 ? Json() : Json(largest);  // null where it is infinite, too
}

}  // namespace

Json page_progress(const verdict::RunReport& report) {
  const problem::Problem& problem = report.run.problem;
  const double whole = epochs_of_trial(problem);
  double share = 0, seconds = 0;
  Json result = Json::object();
  for (std::size_t t = 0; t < report.histories.size(); ++t) {
    const results::HistoryTable& history = report.histories[t];
    if (history.rows() == 0) continue;
    const double epochs = history.running_epochs().back(), spent = last_in(history, "seconds");
    double own = whole > 0 ? epochs / whole : 0;
    if (problem.stop.seconds && *problem.stop.seconds > 0) own = std::max(own, spent / *problem.stop.seconds);
    share += std::min(1.0, own) / std::max(1, problem.trials);
    seconds += spent;
    const auto phase = static_cast<std::size_t>(std::max(1.0, last_in(history, "phase")));
    result = {{"trial", report.run.trials[t]},
              {"trials", problem.trials},
              {"window", std::max(1.0, last_in(history, "window"))},
              {"windows", problem.windows.count},
              {"phase", phase <= problem.phases.size() ? problem.phases[phase - 1].optimizer : ""},
              {"epoch", epochs},
              {"epochs", whole},
              {"error", last_error(history)}};
  }
  result["share"] = share;
  result["seconds"] = seconds;
  result["residual"] = largest_residual(report);
  result["left"] = share > 0 ? Json(seconds * (1 - share) / share) : Json();
  return result;
}

}  // namespace pecann::page
