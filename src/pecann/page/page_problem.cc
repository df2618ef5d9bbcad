#include "pecann/page/page_problem.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "pecann/train/window.h"

namespace pecann::page {
namespace {

using Json = nlohmann::ordered_json;

constexpr int kEpochsWithoutEnd = 100'000'000;  // of a training that its time ends

std::string network_text(const problem::NetworkSpec& network) {
  std::string widths;
  for (const int width : network.hidden) widths += (widths.empty() ? "" : " × ") + std::to_string(width);
  std::string text = fmt::format("hidden {}, {}", widths.empty() ? "none" : widths, word_of(network.activation));
  if (network.features) text += ", random features";
  if (network.fourier_sigma) text += fmt::format(", Fourier layer σ = {:g}", *network.fourier_sigma);
  std::string inputs;
  for (const std::string& name : network.inputs) inputs += (inputs.empty() ? "" : ", ") + name;
  return inputs.empty() ? text : text + " of " + inputs;
}

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

std::string training_text(const problem::Problem& problem) {
  std::string text;
  for (const problem::PhaseSpec& phase : problem.phases) {
    text += (text.empty() ? "" : ", then ") + phase.optimizer;
    if (phase.epochs < kEpochsWithoutEnd) text += fmt::format(" {}", phase.epochs);
  }
  return text;
}

Json page_problem(const problem::Problem& problem) {
  Json coordinates = Json::array(), networks = Json::array(), parameters = Json::array();
  for (int c = 0; c < problem.box.dimension(); ++c)
    coordinates.push_back({{"name", problem.box.names[c]},
                           {"low", problem.box.lower[c]},
                           {"high", problem.box.upper[c]},
                           {"time", c == problem.box.time},
                           {"space", problem.box.in_space(c)}});
  for (const problem::NetworkSpec& network : problem.networks)
    networks.push_back({{"name", network.name}, {"fields", network.fields}, {"text", network_text(network)}});
  for (const problem::ParameterSpec& parameter : problem.parameters) parameters.push_back(parameter.name);
  return {{"coordinates", coordinates},
          {"constants", problem.constants},
          {"parameters", parameters},
          {"exact", problem.exact_texts},
          {"networks", networks},
          {"training", training_text(problem)},
          {"recommendation", problem.recommendation},
          {"windows", problem.windows.count}};
}

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
              {"epochs", whole}};
  }
  result["share"] = share;
  result["seconds"] = seconds;
  result["left"] = share > 0 ? Json(seconds * (1 - share) / share) : Json();
  return result;
}

}  // namespace pecann::page
