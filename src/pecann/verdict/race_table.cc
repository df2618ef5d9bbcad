#include "pecann/verdict/race_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "pecann/base/input_error.h"
#include "pecann/base/not_finite.h"
#include "pecann/results/table_text.h"

namespace pecann::verdict {
namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
constexpr std::size_t kMostLevels = 4;

std::vector<double> of_trials(const RaceRow& row, const auto& value) {
  std::vector<double> values;
  for (const RaceTrial& trial : row.trials) values.push_back(value(trial));
  return values;
}

std::string shown_name(const RaceRow& row) { return shortened(row.name, 40); }

double median_final(const RaceRow& row) {
  return race_median(of_trials(row, [](const RaceTrial& trial) { return trial.final_value(); }));
}

/// Seconds with three digits at most: 0.42, 3.1, 125.
std::string seconds_text(double seconds) {
  if (std::isnan(seconds)) return "–";
  return fmt::format("{:.{}f}", seconds, seconds < 1 ? 2 : seconds < 100 ? 1 : 0);
}

/// The text aligned to the right. The width counts characters, not bytes, of which the dash has three.
std::string right(const std::string& text, std::size_t width) {
  std::size_t characters = 0;
  for (const char c : text) characters += (static_cast<unsigned char>(c) & 0xC0) != 0x80 ? 1 : 0;
  return std::string(width > characters ? width - characters : 0, ' ') + text;
}

}  // namespace

double RaceTrial::final_value() const { return curve.empty() ? kNan : curve.back().value; }

double RaceTrial::seconds_to(double level) const {
  for (const RacePoint& point : curve)
    if (point.value <= level) return point.seconds;
  return kNan;
}

bool race_by_error(const problem::Problem& problem) { return !problem.exact.empty() || !problem.reference.empty(); }

RaceTrial race_trial(const problem::Problem& problem, const train::TrialSummary& summary,
                     const results::HistoryTable& history) {
  RaceTrial trial{{}, summary.seconds, summary.epochs};
  std::vector<const std::vector<double>*> measures;
  for (std::size_t c = 0; c < history.names.size(); ++c)
    if (race_by_error(problem) ? history.names[c].ends_with(".relative_l2") : history.names[c] == "held_out_residual")
      measures.push_back(&history.columns[c]);
  const std::vector<double>* const seconds = history.find("seconds");
  const std::vector<double>* const windows = history.find("window");
  for (std::size_t row = 0; seconds != nullptr && row < history.rows(); ++row) {
    if (windows != nullptr && (*windows)[row] != problem.windows.count) continue;
    double value = measures.empty() ? kNan : 0;
    for (const std::vector<double>* measure : measures) value = larger_or_nan(value, (*measure)[row]);
    if (!std::isnan(value)) trial.curve.push_back({(*seconds)[row], value});
  }
  if (windows != nullptr && (windows->empty() || windows->back() != problem.windows.count)) return trial;
  // A final value that is no number is the final value all the same: earlier ones do not stand in for it.
  if (!race_by_error(problem)) {
    if (summary.held_out) trial.curve.push_back({summary.seconds, summary.held_out->residual});
  } else if (!summary.errors.empty()) {
    double largest = 0;
    for (const train::FieldError& error : summary.errors) largest = larger_or_nan(largest, error.relative_l2);
    trial.curve.push_back({summary.seconds, largest});
  }
  return trial;
}

double race_median(std::vector<double> values) {
  if (values.empty()) return kNan;
  std::ranges::stable_sort(values, {}, not_finite_last);
  return values[(values.size() - 1) / 2];
}

std::vector<double> race_levels(std::span<const RaceRow> rows) {
  double smallest = std::numeric_limits<double>::infinity(), first = 0;
  for (const RaceRow& row : rows)
    for (const RaceTrial& trial : row.trials)
      for (const RacePoint& point : trial.curve) {
        if (point.value > 0) smallest = std::min(smallest, point.value);
        if (std::isfinite(point.value)) first = std::max(first, point.value);
      }
  std::vector<double> passed;  // from the largest
  if (!std::isfinite(smallest)) return passed;
  // The power is printed and read back, so that a level is exactly the number that its name says.
  for (int power = static_cast<int>(std::ceil(std::log10(smallest))) - 1;; ++power) {
    const double level = std::stod(fmt::format("1e{}", power));
    if (level >= first) break;
    if (level >= smallest) passed.insert(passed.begin(), level);
  }
  if (passed.size() <= kMostLevels) return passed;
  std::vector<double> levels;
  for (std::size_t i = 0; i < kMostLevels; ++i)
    levels.push_back(passed[(2 * i * (passed.size() - 1) + kMostLevels - 1) / (2 * (kMostLevels - 1))]);
  return levels;
}

std::string race_text(std::span<const RaceRow> rows, std::span<const double> levels, bool by_error) {
  std::vector<const RaceRow*> order;
  std::size_t width = 6;
  for (const RaceRow& row : rows) {
    order.push_back(&row);
    width = std::max(width, shown_name(row).size());
  }
  std::ranges::stable_sort(order, {}, [](const RaceRow* row) { return not_finite_last(median_final(*row)); });

  std::string text =
      by_error ? "relative l2 error (the largest of the fields); seconds to reach a level for the first time\n\n"
               : "residual on held-out points, relative to the start; seconds to reach a level for the first "
                 "time\n\n";
  text += fmt::format("{:<{}} {:>6} {:>9} {:>9}", "recipe", width, "trials", "median", "best");
  for (const double level : levels) text += fmt::format(" {:>8}", fmt::format("{:.0e}", level));
  text += fmt::format(" {:>8} {:>8}\n", "seconds", "epochs");
  for (const RaceRow* row : order) {
    const auto text_of = [](double v) { return !std::isfinite(v) ? std::string("–") : fmt::format("{:.2e}", v); };
    double best = kNan;
    for (const RaceTrial& trial : row->trials)
      if (const double value = trial.final_value(); std::isfinite(value) && !(best <= value)) best = value;
    text += fmt::format("{:<{}} {:>6} {} {}", shown_name(*row), width, row->trials.size(),
                        right(text_of(median_final(*row)), 9), right(text_of(best), 9));
    for (const double level : levels)
      text +=
          " " +
          right(seconds_text(race_median(of_trials(*row, [&](const RaceTrial& t) { return t.seconds_to(level); }))), 8);
    text += " " + right(seconds_text(race_median(of_trials(*row, [](const RaceTrial& t) { return t.seconds; }))), 8);
    const double epochs =
        race_median(of_trials(*row, [](const RaceTrial& t) { return static_cast<double>(t.epochs); }));
    text += " " + right(std::isnan(epochs) ? "–" : fmt::format("{:.0f}", epochs), 8) + "\n";
  }
  return text;
}

std::string race_csv(std::span<const RaceRow> rows, std::span<const double> levels, bool by_error) {
  std::string text = fmt::format("recipe,trial,{},seconds,epochs", by_error ? "error" : "held_out_residual");
  for (const double level : levels) text += fmt::format(",seconds_to_{:.0e}", level);
  text += "\n";
  const auto number = [](double value) { return std::isfinite(value) ? fmt::format("{}", value) : std::string(); };
  for (const RaceRow& row : rows)
    for (std::size_t t = 0; t < row.trials.size(); ++t) {
      const RaceTrial& trial = row.trials[t];
      text += fmt::format("{},{},{},{},{}", results::csv_field(row.name), t + 1, number(trial.final_value()),
                          number(trial.seconds), trial.epochs);
      for (const double level : levels) text += "," + number(trial.seconds_to(level));
      text += "\n";
    }
  return text;
}

}  // namespace pecann::verdict
