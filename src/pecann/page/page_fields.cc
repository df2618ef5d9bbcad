#include "pecann/page/page_fields.h"

#include <algorithm>

#include "pecann/page/domain_surface.h"
#include "pecann/page/field_view.h"
#include "pecann/page/page_history.h"
#include "pecann/page/profile_view.h"
#include "pecann/results/base64.h"
#include "pecann/train/trial.h"

namespace pecann::page {
namespace {

using Json = nlohmann::ordered_json;

Json axes_json(const std::vector<std::vector<double>>& nodes) {
  Json axes = Json::array();
  for (const std::vector<double>& axis : nodes) axes.push_back(five_digits(axis));
  return axes;
}

Json outline_json(const std::vector<std::vector<std::vector<double>>>& curves) {
  Json outline = Json::array();
  for (const auto& curve : curves) outline.push_back({five_digits(curve[0]), five_digits(curve[1])});
  return outline;
}

/// True for pictures whose coordinates are all lengths: time and the parameter of a family have other units.
bool shows_space(const problem::Problem& problem, const std::vector<std::string>& coordinates) {
  return std::ranges::all_of(coordinates,
                             [&](const std::string& name) { return problem.box.in_space(problem.box.index_of(name)); });
}

std::string time_of(const problem::Problem& problem) {
  return problem.box.time >= 0 ? problem.box.names[problem.box.time] : "";
}

/// What a view and a map of an error have in common: nodes, frames and their names.
template <class Picture>
Json picture_json(const problem::Problem& problem, const std::string& name, const Picture& picture) {
  return {{"name", name},
          {"coordinates", picture.coordinates},
          {"axes", axes_json(picture.axes)},
          {"time", time_of(problem)},
          {"space", shows_space(problem, picture.coordinates)},
          {"slider", picture.slider},
          {"frames", five_digits(picture.frames)},
          {"fixed", picture.fixed}};
}

Json view_json(const problem::Problem& problem, const FieldView& view) {
  Json json = picture_json(problem, view.name, view);
  // The level ½ of a field in [0, 1] is an interface, whatever the problem file says.
  json["contours"] = problem.report.contours;
  if (problem.report.contours.empty() && view.sigmoid) json["contours"] = Json::array({0.5});
  json["outline"] = outline_json(view.outline);
  json["prediction"] = results::base64_floats(view.prediction);
  json["error"] = results::base64_floats(view.error);
  return json;
}

/// The map of an estimated error, in the shape of a view whose values are the error.
Json error_map_json(const problem::Problem& problem, const results::ErrorMap& map) {
  Json json = picture_json(problem, map.field, map);
  json["contours"] = Json::array();
  json["outline"] = outline_json(map_outline(problem, map.coordinates));
  json["prediction"] = results::base64_floats(map.values);
  json["error"] = "";
  return json;
}

Json profile_json(const Profile& profile) {
  return {{"field", profile.field},
          {"coordinate", profile.coordinate},
          {"cut", profile.cut},
          {"place", profile.place},
          {"axis", five_digits(profile.axis)},
          {"best", results::base64_floats(profile.best)},
          {"mean", results::base64_floats(profile.mean)},
          {"deviation", results::base64_floats(profile.deviation)},
          {"exact", results::base64_floats(profile.exact)}};
}

}  // namespace

Json page_fields(const verdict::RunReport& report, std::size_t budget) {
  const problem::Problem& problem = report.run.problem;
  std::vector<train::Solution> trials;  // that means are over, and the best one
  std::size_t best = 0;
  for (const int trial : report.run.trials) {
    if (trial != report.best && !report.counts(trial)) continue;
    if (trial == report.best) best = trials.size();
    trials.push_back(train::load_solution(problem, report.run.folder, trial));
  }
  if (!three_in_space(problem.box).empty()) budget /= 2;  // the body has as many again (page_surface.h)
  Json fields = Json::array(), profiles = Json::array(), snapshots = Json::array();
  for (const FieldView& view : field_views(problem, trials[best], budget)) fields.push_back(view_json(problem, view));
  for (const Profile& profile : field_profiles(problem, trials, best)) profiles.push_back(profile_json(profile));
  for (const FieldView& view : snapshot_views(problem, trials[best])) snapshots.push_back(view_json(problem, view));
  Json maps = Json::array();
  if (report.estimate)
    for (const results::ErrorMap& map : report.estimate->maps) maps.push_back(error_map_json(problem, map));
  return {{"fields", fields},
          {"error_maps", maps},
          {"profiles", profiles},
          {"snapshots", snapshots},
          {"snapshot_times", problem.report.snapshots},
          {"contour_times", problem.report.contour_times}};
}

}  // namespace pecann::page
