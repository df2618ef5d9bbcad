#include "pecann/page/page_history.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <iterator>
#include <string_view>

#include "pecann/page/thinning.h"
#include "pecann/verdict/solve_text.h"

namespace pecann::page {
namespace {

using Json = nlohmann::ordered_json;

/// Where phases (of a problem with windows: windows) begin, in running epochs.
Json marks_of(const problem::Problem& problem, const results::HistoryTable& history) {
  Json marks = Json::array();
  if (history.rows() == 0) return marks;
  const std::vector<double> epochs = history.running_epochs();
  if (const std::vector<double>* const windows = history.find("window")) {
    for (const std::size_t row : history.starts_of("window"))
      if (row > 0 && row < history.rows())
        marks.push_back({{"x", epochs[row]}, {"label", fmt::format("window {:.0f}", (*windows)[row])}});
    return marks;
  }
  const std::vector<double>* const phases = history.find("phase");
  if (problem.phases.size() < 2 || phases == nullptr) return marks;
  for (const std::size_t row : history.starts_of("phase")) {
    if (row == history.rows()) continue;
    const double phase = (*phases)[row];
    if (!(phase >= 1 && phase <= static_cast<double>(problem.phases.size()))) continue;
    marks.push_back({{"x", row == 0 ? 1 : epochs[row - 1] + 1},
                     {"label", problem.phases[static_cast<std::size_t>(phase) - 1].optimizer}});
  }
  return marks;
}

/// True for columns that say where training stood, not what came out.
bool is_place(const std::string& name) {
  constexpr std::string_view kPlaces[] = {"window", "epoch", "phase", "part", "try"};
  return std::ranges::find(kPlaces, name) != std::end(kPlaces);
}

/// True for columns that a solve has only because every history has them: its loss is weighed by nothing that it used.
bool is_of_training(const std::string& name) {
  return name == "loss" || name == "learning_rate" || name == "damping" || name.starts_with("multiplier.") ||
         name.starts_with("penalty.");
}

/// True when a column holds nothing, as the damping of optimisers that have none.
bool is_empty(std::span<const results::HistoryTable> histories, const std::string& name) {
  return std::ranges::all_of(histories, [&](const results::HistoryTable& history) {
    const std::vector<double>* const values = history.find(name);
    return values == nullptr || std::ranges::all_of(*values, [](double value) { return std::isnan(value); });
  });
}

/// The points of a column between two rows where it holds a number.
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
    const std::vector<std::size_t> starts = history.starts_of("window");
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
  const std::vector<results::HistoryTable>& histories = report.histories;
  const auto with_names = std::find_if(histories.begin(), histories.end(),
                                       [](const results::HistoryTable& history) { return history.rows() > 0; });
  if (with_names == histories.end()) return result;
  result["marks"] = marks_of(problem, *with_names);
  const bool windows = with_names->find("window") != nullptr, solve = verdict::is_solve(problem);
  std::vector<results::HistoryTable> sound;  // what means are over
  for (std::size_t t = 0; windows && t < histories.size(); ++t)
    if (report.counts(report.run.trials[t])) sound.push_back(histories[t]);
  for (const std::string& name : with_names->names) {
    if (is_place(name) || is_empty(histories, name) || (solve && is_of_training(name))) continue;
    Json column = {{"name", name}, {"trials", Json::array()}};
    std::vector<Series> all;
    for (std::size_t t = 0; t < histories.size(); ++t) {
      const std::vector<double>* const values = histories[t].find(name);
      if (values == nullptr) continue;
      const std::vector<double> epochs = histories[t].running_epochs();
      const Series series = thinned(epochs, *values, limit);
      column["trials"].push_back({{"trial", report.run.trials[t]}, {"x", series.x}, {"y", five_digits(series.y)}});
      if (report.counts(report.run.trials[t])) all.push_back(present(epochs, *values, 0, epochs.size()));
    }
    if (all.size() > 1) column["band"] = band_json(all, limit);
    if (windows && name != "seconds" && name != "evaluations") column["windows"] = window_band(sound, name, limit);
    result["columns"].push_back(std::move(column));
  }
  return result;
}

}  // namespace pecann::page
