#include "pecann/report/page_history.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>

#include "pecann/report/thinning.h"

namespace pecann::report {
namespace {

using Json = nlohmann::ordered_json;

/// The epoch that phase p + 1 begins with. A phase may end before its time: then the jump of the learning
/// rate to that of the next one shows where (the last row of a phase is always in the history).
double next_phase(const HistoryTable& history, std::span<const double> epochs,
                  const problem::Problem& problem, std::size_t p, double begin) {
  const std::vector<double>* const rates = history.find("learning_rate");
  const double next = problem.phases[p + 1].learning_rate;
  for (std::size_t i = 1; rates != nullptr && i < epochs.size(); ++i)
    if (epochs[i] > begin && (*rates)[i] == next && (*rates)[i - 1] != next) return epochs[i - 1] + 1;
  return begin + problem.phases[p].epochs;
}

/// Where phases (of a problem with windows: windows) begin, in running epochs.
Json marks_of(const RunReport& report) {
  Json marks = Json::array();
  const problem::Problem& problem = report.run.problem;
  if (report.histories.empty() || report.histories[0].rows() == 0) return marks;
  const HistoryTable& history = report.histories[0];
  const std::vector<double> epochs = history.running_epochs();
  if (const std::vector<double>* const windows = history.find("window")) {
    for (std::size_t i = 1; i < epochs.size(); ++i)
      if ((*windows)[i] != (*windows)[i - 1])
        marks.push_back(
            {{"x", epochs[i]}, {"label", fmt::format("window {}", static_cast<int>((*windows)[i]))}});
    return marks;
  }
  double begin = 1;
  for (std::size_t p = 0; p < problem.phases.size() && begin <= epochs.back(); ++p) {
    if (problem.phases.size() > 1) marks.push_back({{"x", begin}, {"label", problem.phases[p].optimizer}});
    if (p + 1 < problem.phases.size()) begin = next_phase(history, epochs, problem, p, begin);
  }
  return marks;
}

}  // namespace

double five_digits(double value) {
  if (!std::isfinite(value)) return value;
  double rounded = 0;
  const std::string text = fmt::format("{:.4e}", value);
  std::from_chars(text.data(), text.data() + text.size(), rounded);
  return rounded;
}

Json five_digits(std::span<const double> values) {
  Json result = Json::array();
  for (const double value : values) result.push_back(five_digits(value));
  return result;
}

Json page_history(const RunReport& report, std::size_t limit) {
  Json result = {{"columns", Json::array()}, {"marks", marks_of(report)}};
  const auto with_names = std::find_if(report.histories.begin(), report.histories.end(),
                                       [](const HistoryTable& history) { return history.rows() > 0; });
  if (with_names == report.histories.end()) return result;
  for (const std::string& name : with_names->names) {
    if (name == "epoch" || name == "window") continue;
    Json column = {{"name", name}, {"trials", Json::array()}};
    std::vector<Series> all;
    for (std::size_t t = 0; t < report.histories.size(); ++t) {
      const std::vector<double>* const values = report.histories[t].find(name);
      if (values == nullptr) continue;
      const std::vector<double> epochs = report.histories[t].running_epochs();
      const Series series = thinned(epochs, *values, limit);
      column["trials"].push_back(
          {{"trial", report.run.trials[t]}, {"x", series.x}, {"y", five_digits(series.y)}});
      Series& whole = all.emplace_back();
      for (std::size_t i = 0; i < epochs.size(); ++i) {
        if (std::isnan((*values)[i])) continue;
        whole.x.push_back(epochs[i]);
        whole.y.push_back((*values)[i]);
      }
    }
    if (all.size() > 1) {
      const Band band = band_over_trials(all, limit);
      column["band"] = {{"x", band.x},
                        {"mean", five_digits(band.mean)},
                        {"low", five_digits(band.low)},
                        {"high", five_digits(band.high)}};
    }
    result["columns"].push_back(std::move(column));
  }
  return result;
}

}  // namespace pecann::report
