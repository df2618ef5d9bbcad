#include "pecann/page/page_race.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "pecann/base/require.h"
#include "pecann/page/page.h"
#include "pecann/page/page_fields.h"
#include "pecann/page/page_history.h"
#include "pecann/page/page_problem.h"
#include "pecann/page/thinning.h"
#include "pecann/verdict/problem_text.h"
#include "pecann/verdict/solve_text.h"

namespace pecann::page {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t kCurveSamples = 600, kRaceHistoryNumbers = 20'000, kRaceFieldNumbers = 2'000;

double median_value(const verdict::RaceRow& row) {
  std::vector<double> values;
  for (const verdict::RaceTrial& trial : row.trials) values.push_back(trial.final_value());
  return verdict::race_median(values);
}

Json race_row_json(const verdict::RaceRow& row, const problem::Problem& problem, std::span<const double> levels) {
  std::vector<double> values, seconds;
  Json trials = Json::array(), to = Json::array();
  for (const verdict::RaceTrial& trial : row.trials) {
    values.push_back(trial.final_value());
    seconds.push_back(trial.seconds);
    std::vector<double> at, error;
    for (const verdict::RacePoint& point : trial.curve) {
      at.push_back(std::max(point.seconds, 1e-9));  // thinning wants positive places
      error.push_back(point.value);
    }
    const Series curve = thinned(at, error, kCurveSamples);
    trials.push_back({{"seconds_at", five_digits(curve.x)}, {"values", five_digits(curve.y)}});
  }
  for (const double level : levels) {
    std::vector<double> times;
    for (const verdict::RaceTrial& trial : row.trials) times.push_back(trial.seconds_to(level));
    to.push_back(verdict::race_median(times));
  }
  std::ranges::sort(values, [](double a, double b) { return a < b || (std::isnan(b) && !std::isnan(a)); });
  return {{"name", row.name},
          {"median", median_value(row)},
          {"best", values.front()},
          {"worst", values.back()},
          {"seconds", verdict::race_median(seconds)},
          {"to", to},
          {"training", verdict::training_text(problem)},
          {"strategy", verdict::is_solve(problem) ? "–" : problem.penalty.strategy},
          {"trials", trials}};
}

}  // namespace

std::string race_page(const RaceView& race) {
  require(!race.rows.empty() && race.rows.size() == race.folders.size(), "a race has a folder for each row");
  std::vector<std::size_t> order(race.rows.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, [&](std::size_t a, std::size_t b) {
    const double first = median_value(race.rows[a]), second = median_value(race.rows[b]);
    return first < second || (std::isnan(second) && !std::isnan(first));
  });
  std::vector<verdict::RunReport> reports;
  std::vector<Json> solutions;
  Json rows = Json::array();
  for (const std::size_t i : order) {
    reports.push_back(verdict::gather_report(race.folders[i]));
    Json solution = page_fields(reports.back(), kRaceFieldNumbers);  // only its lines are compared
    solutions.push_back({{"profiles", solution["profiles"]}});
    rows.push_back(race_row_json(race.rows[i], reports.back().run.problem, race.levels));
  }
  const Json more = {{"race",
                      {{"title", reports.front().run.problem.title},
                       {"by_error", race.by_error},
                       {"seconds", race.seconds},
                       {"levels", race.levels},
                       {"rows", rows}}}};
  return page_with(page_data(reports, solutions, Mode::Final, kRaceHistoryNumbers, more));
}

}  // namespace pecann::page
