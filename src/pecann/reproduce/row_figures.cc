#include <algorithm>
#include <cmath>
#include <limits>
#include <set>

#include <fmt/format.h>

#include "pecann/reproduce/results_page.h"

namespace pecann::reproduce {
namespace {

double figure_of(const UnitResult& unit, const std::string& measure) {
  const std::size_t dot = measure.find('.');
  const std::string of = measure.substr(0, dot), name = measure.substr(dot + 1);
  if (of == "constraint") {
    const auto found = unit.violations.find(name);
    return found == unit.violations.end() ? std::numeric_limits<double>::quiet_NaN() : found->second;
  }
  const auto found = std::ranges::find(unit.trial.errors, of, &train::FieldError::field);
  return found == unit.trial.errors.end() ? std::numeric_limits<double>::quiet_NaN() : train::measure_of(*found, name);
}

/// Ascending numbers as ranges: "1–3, 5".
std::string ranges_text(const std::vector<std::uint64_t>& numbers) {
  std::string text;
  for (std::size_t i = 0; i < numbers.size();) {
    std::size_t end = i;
    while (end + 1 < numbers.size() && numbers[end + 1] == numbers[end] + 1) ++end;
    text += (text.empty() ? "" : ", ") +
            (end > i ? fmt::format("{}–{}", numbers[i], numbers[end]) : std::to_string(numbers[i]));
    i = end + 1;
  }
  return text;
}

}  // namespace

RowFigures figures_of(const RowResults& results, const std::vector<std::string>& measures) {
  RowFigures figures;
  figures.trials = static_cast<int>(results.units.size());
  figures.superseded = results.superseded;
  figures.errors.resize(measures.size());
  std::set<std::string> commits;
  std::vector<std::uint64_t> seeds;
  for (const UnitResult& unit : results.units) {
    for (std::size_t m = 0; m < measures.size(); ++m) figures.errors[m].push_back(figure_of(unit, measures[m]));
    figures.epochs += static_cast<double>(unit.trial.epochs) / figures.trials;
    figures.evaluations += static_cast<double>(unit.trial.evaluations) / figures.trials;
    figures.seconds += unit.processor_seconds.value_or(unit.trial.seconds) / figures.trials;
    figures.wall = figures.wall || !unit.processor_seconds;
    seeds.push_back(unit.trial.seed);
    commits.insert(unit.facts.commit);
    if (std::isfinite(unit.load)) figures.load = std::max(figures.load, unit.load);
  }
  figures.seeds = ranges_text(seeds);
  for (const std::string& commit : commits) figures.commits += (figures.commits.empty() ? "" : ", ") + commit;
  return figures;
}

std::string figure_text(double mean, double std) {
  if (!std::isfinite(mean)) return "not finite";
  if (mean == 0) return "0";
  int exponent = static_cast<int>(std::floor(std::log10(std::abs(mean))));
  if (std::abs(mean) / std::pow(10, exponent) >= 9.995) ++exponent;  // would be written 10.00
  const double unit = std::pow(10, exponent);
  const std::string power = exponent == 0 ? "" : fmt::format("e{}", exponent);
  return std::isnan(std) ? fmt::format("{:.2f}{}", mean / unit, power)
                         : fmt::format("({:.2f} ± {:.2f}){}", mean / unit, std / unit, power);
}

std::string published_text(const Published& published) {
  const double unknown = std::numeric_limits<double>::quiet_NaN();
  if (published.mean) return figure_text(*published.mean, published.std.value_or(unknown));
  if (!published.text.empty()) return published.text;
  return published.below ? "below " + figure_text(*published.below, unknown) : "–";
}

}  // namespace pecann::reproduce
