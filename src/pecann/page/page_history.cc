#include "pecann/page/page_history.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>

#include "pecann/optim/registry.h"
#include "pecann/page/thinning.h"
#include "pecann/verdict/phase_rows.h"

namespace pecann::page {
namespace {

using Json = nlohmann::ordered_json;

/// Where phases (of a problem with windows: windows) begin, in running epochs.
Json marks_of(const problem::Problem& problem, const results::HistoryTable& history) {
  Json marks = Json::array();
  if (history.rows() == 0) return marks;
  const std::vector<double> epochs = history.running_epochs();
  if (const std::vector<double>* const windows = history.find("window")) {
    for (const std::size_t row : verdict::window_starts(history))
      if (row > 0 && row < history.rows())
        marks.push_back({{"x", epochs[row]}, {"label", fmt::format("window {}", static_cast<int>((*windows)[row]))}});
    return marks;
  }
  if (problem.phases.size() < 2) return marks;
  const std::vector<int> phases = verdict::phases_of_rows(problem, history);
  for (std::size_t i = 0; i < phases.size(); ++i)
    if (i == 0 || phases[i] != phases[i - 1])
      marks.push_back({{"x", i == 0 ? 1 : epochs[i - 1] + 1}, {"label", problem.phases[phases[i]].optimizer}});
  return marks;
}

/// The column of learning rates holds the damping in phases of Levenberg–Marquardt: two columns.
void split_damping(const problem::Problem& problem, results::HistoryTable& history) {
  const auto at = std::find(history.names.begin(), history.names.end(), "learning_rate");
  const bool any = std::any_of(problem.phases.begin(), problem.phases.end(), [](const problem::PhaseSpec& phase) {
    return optim::optimizer_row(phase.optimizer).least_squares;
  });
  if (!any || at == history.names.end()) return;
  const std::vector<int> phases = verdict::phases_of_rows(problem, history);
  const auto column = static_cast<std::size_t>(at - history.names.begin());
  std::vector<double> damping(history.rows(), std::numeric_limits<double>::quiet_NaN());
  bool rates_left = false;
  for (std::size_t i = 0; i < phases.size(); ++i) {
    if (optim::optimizer_row(problem.phases[phases[i]].optimizer).least_squares)
      std::swap(damping[i], history.columns[column][i]);
    else
      rates_left = true;
  }
  if (!rates_left) {
    history.names.erase(at);
    history.columns.erase(history.columns.begin() + static_cast<std::ptrdiff_t>(column));
  }
  history.names.push_back("damping");
  history.columns.push_back(std::move(damping));
}

/// The numbers that are there.
Series present(const std::vector<double>& x, const std::vector<double>& y, std::size_t begin, std::size_t end) {
  Series series;
  for (std::size_t i = begin; i < end; ++i) {
    if (std::isnan(y[i])) continue;
    series.x.push_back(x[i]);
    series.y.push_back(y[i]);
  }
  return series;
}

Json band_json(std::span<const Series> all, std::size_t limit) {
  const Band band = band_over_trials(all, limit);
  return {{"x", band.x},
          {"mean", five_digits(band.mean)},
          {"low", five_digits(band.low)},
          {"high", five_digits(band.high)}};
}

/// A column over the epochs of a window: mean and deviation over all windows of all trials.
Json window_band(std::span<const results::HistoryTable> histories, const std::string& name, std::size_t limit) {
  std::vector<Series> all;
  for (const results::HistoryTable& history : histories) {
    const std::vector<double>*const values = history.find(name), *const epochs = history.find("epoch");
    if (values == nullptr || epochs == nullptr) continue;
    const std::vector<std::size_t> starts = verdict::window_starts(history);
    for (std::size_t w = 0; w + 1 < starts.size(); ++w)
      all.push_back(present(*epochs, *values, starts[w], starts[w + 1]));
  }
  if (all.size() > 1 && all.back().x.size() < all.front().x.size()) all.pop_back();  // still training
  return band_json(all, limit);
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

Json page_history(const verdict::RunReport& report, std::size_t limit) {
  const problem::Problem& problem = report.run.problem;
  Json result = {{"columns", Json::array()}, {"marks", Json::array()}};
  std::vector<results::HistoryTable> histories = report.histories;
  for (results::HistoryTable& history : histories) split_damping(problem, history);
  const auto with_names = std::find_if(histories.begin(), histories.end(),
                                       [](const results::HistoryTable& history) { return history.rows() > 0; });
  if (with_names == histories.end()) return result;
  result["marks"] = marks_of(problem, report.histories[static_cast<std::size_t>(with_names - histories.begin())]);
  const bool windows = with_names->find("window") != nullptr;
  for (const std::string& name : with_names->names) {
    if (name == "epoch" || name == "window") continue;
    Json column = {{"name", name}, {"trials", Json::array()}};
    std::vector<Series> all;
    for (std::size_t t = 0; t < histories.size(); ++t) {
      const std::vector<double>* const values = histories[t].find(name);
      if (values == nullptr) continue;
      const std::vector<double> epochs = histories[t].running_epochs();
      const Series series = thinned(epochs, *values, limit);
      column["trials"].push_back({{"trial", report.run.trials[t]}, {"x", series.x}, {"y", five_digits(series.y)}});
      all.push_back(present(epochs, *values, 0, epochs.size()));
    }
    if (all.size() > 1) column["band"] = band_json(all, limit);
    if (windows && name != "seconds" && name != "evaluations") column["windows"] = window_band(histories, name, limit);
    result["columns"].push_back(std::move(column));
  }
  return result;
}

}  // namespace pecann::page
