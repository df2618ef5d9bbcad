#include "pecann/page/profile_view.h"

#include <algorithm>
#include <cmath>

#include "pecann/base/require.h"
#include "pecann/page/field_view.h"
#include "pecann/results/picture_grid.h"
#include "pecann/results/statistics.h"
#include "pecann/sampling/grid.h"
#include "pecann/train/error_norms.h"

namespace pecann::page {
namespace {

constexpr int kLeastProfileNodes = 201, kMostProfileNodes = 1001, kDefaultCuts = 5;

struct Cut {
  std::string along, across;  // across is empty for fields of one coordinate
  double place = 0;
};

std::vector<Cut> cuts_of(const problem::Problem& problem, const std::vector<std::string>& coordinates) {
  if (coordinates.size() == 1) return {{coordinates[0], "", 0}};
  std::vector<Cut> cuts;
  if (coordinates.size() != 2) return cuts;
  for (const auto& [name, places] : problem.report.profiles)
    for (const double place : places)
      cuts.push_back({name == coordinates[0] ? coordinates[1] : coordinates[0], name, place});
  const sampling::Box& box = problem.box;
  if (cuts.empty() && box.time >= 0 && coordinates[1] == box.names[box.time])
    for (int i = 0; i < kDefaultCuts; ++i) {
      const double share = static_cast<double>(i) / (kDefaultCuts - 1);
      cuts.push_back(
          {coordinates[0], coordinates[1], box.lower[box.time] + share * (box.upper[box.time] - box.lower[box.time])});
    }
  return cuts;
}

sampling::PointSet points_on(const problem::Problem& problem, const std::string& field, const Cut& cut) {
  const sampling::Box& box = problem.box;
  std::vector<int> grid(box.names.size(), 1);
  const int along = box.index_of(cut.along);
  grid[along] = std::clamp(problem.evaluate.grid[along], kLeastProfileNodes, kMostProfileNodes);
  sampling::PointSet points = sampling::grid_points(box, grid);
  const auto hold = [&](const std::string& name, double value) {
    auto& column = points.coordinates[box.index_of(name)];
    std::fill(column.begin(), column.end(), value);
  };
  if (const auto frozen = problem.evaluate.at.find(field); frozen != problem.evaluate.at.end())
    for (const auto& [name, value] : frozen->second) hold(name, value);
  if (!cut.across.empty()) hold(cut.across, cut.place);
  return points;
}

/// True where the exact solution is known on the cut; in `final_only` problems it holds at the last time only.
bool exact_holds(const problem::Problem& problem, const Cut& cut) {
  const sampling::Box& box = problem.box;
  return !problem.evaluate.final_only ||
         (box.time >= 0 && cut.across == box.names[box.time] && cut.place == box.upper[box.time]);
}

std::vector<float> rounded(const std::vector<double>& values) { return {values.begin(), values.end()}; }

Profile profile_on(const problem::Problem& problem, std::span<const train::Solution> trials, std::size_t best,
                   const std::string& field, const Cut& cut) {
  const sampling::PointSet points = points_on(problem, field, cut);
  const auto& axis = points.coordinates[problem.box.index_of(cut.along)];
  Profile profile{field,
                  cut.along,
                  cut.across,
                  cut.place,
                  {axis.begin(), axis.begin() + static_cast<std::ptrdiff_t>(points.count)}};
  const auto exact = problem.exact.find(field);
  std::vector<std::vector<double>> lines;  // [trial][node]
  for (std::size_t t = 0; t < trials.size(); ++t) {
    std::vector<expr::Expr> read = {train::evaluation_reading(problem, field)};
    if (t == 0 && exact != problem.exact.end() && exact_holds(problem, cut)) read.push_back(exact->second);
    std::vector<std::vector<double>> values;
    trials[t].evaluate(read, points, values);
    sampling::hide_outside(*problem.domain, points, values);
    lines.push_back(std::move(values[0]));
    if (values.size() > 1) profile.exact = rounded(values[1]);
  }
  profile.best = rounded(lines[best]);
  if (trials.size() == 1) return profile;
  std::vector<double> column(trials.size());
  for (std::size_t i = 0; i < points.count; ++i) {
    for (std::size_t t = 0; t < trials.size(); ++t) column[t] = lines[t][i];
    const results::Spread spread = results::spread_of(column);
    profile.mean.push_back(static_cast<float>(spread.mean));
    profile.deviation.push_back(static_cast<float>(spread.std));
  }
  return profile;
}

}  // namespace

std::vector<Profile> field_profiles(const problem::Problem& problem, std::span<const train::Solution> trials,
                                    std::size_t best) {
  require(best < trials.size(), "the best trial is one of them");
  std::vector<Profile> profiles;
  for (const problem::NetworkSpec& network : shown_networks(problem))
    for (const std::string& field : network.fields)
      for (const Cut& cut : cuts_of(problem, results::field_coordinates(problem, network, field)))
        profiles.push_back(profile_on(problem, trials, best, field, cut));
  return profiles;
}

}  // namespace pecann::page
