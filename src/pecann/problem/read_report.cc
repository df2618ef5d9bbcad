#include <algorithm>
#include <set>

#include "pecann/problem/sections.h"

namespace pecann::problem {
namespace {

constexpr std::size_t kMostPanels = 100;

/// Numbers of which each makes a picture, or lines in one.
std::vector<double> panels_at(const Item& item) {
  std::vector<double> places = item.numbers();
  if (places.size() > kMostPanels)
    item.refuse("the list has " + std::to_string(places.size()) + " numbers; at most " + std::to_string(kMostPanels) +
                " fit into a page");
  return places;
}

/// Places on a coordinate, each once, in the order written. Those outside of the domain are left out: an override
/// `--set coordinates.t=[0, 1]` is about the problem, and should not have to mind its pictures.
std::vector<double> places_on(const Item& item, const Problem& problem, int coordinate) {
  std::vector<double> places = panels_at(item);
  if (places.empty()) item.refuse("the list is empty");
  if (std::set<double>(places.begin(), places.end()).size() != places.size()) item.refuse("a value comes twice");
  std::erase_if(places, [&](double place) {
    return place < problem.box.lower[coordinate] || place > problem.box.upper[coordinate];
  });
  return places;
}

/// profiles = { t = [0, 1] }
void read_profiles(const Item& item, Problem& problem) {
  if (problem.box.dimension() != 2) item.refuse("profiles are cut out of maps: the problem needs two coordinates");
  Section section = item.table();
  for (const auto& [name, places] : section.entries()) {
    const int coordinate = problem.box.index_of(name);
    if (coordinate < 0) places.refuse("'" + shortened(name) + "' is no coordinate", hint_for(name, problem.box.names));
    problem.report.profiles[name] = places_on(places, problem, coordinate);
  }
}

/// contours = [0.5], or contours = { levels = [0.2, 0.8], t = [4, 8] }
void read_contours(const Item& item, Problem& problem) {
  if (problem.box.dimension() < 2) item.refuse("iso-lines need two coordinates");
  if (!item.is_table()) {
    problem.report.contours = panels_at(item);
    return;
  }
  Section section = item.table();
  problem.report.contours = panels_at(section.require("levels", "as in levels = [0.2, 0.8]"));
  if (const auto times = section.find("t")) {
    if (problem.box.time < 0 || problem.box.dimension() != 3)
      times->refuse("pictures at chosen times need two coordinates in space and t");
    problem.report.contour_times = places_on(*times, problem, problem.box.time);
  }
  section.finish();
}

/// What may have a unit: whatever pictures and tables show by its name.
std::vector<std::string> names_with_units(const Problem& problem) {
  std::vector<std::string> names = problem.box.names;
  for (const NetworkSpec& network : problem.networks)
    names.insert(names.end(), network.fields.begin(), network.fields.end());
  for (const auto& [name, value] : problem.constants) names.push_back(name);
  for (const ParameterSpec& parameter : problem.parameters) names.push_back(parameter.name);
  for (const auto& [name, function] : problem.functions)
    if (function.arguments.empty()) names.push_back(name);
  return names;
}

}  // namespace

void read_units(Section& root, Problem& problem) {
  auto section = root.section("units");
  if (!section) return;
  constexpr std::size_t kLongestUnit = 24;
  const std::vector<std::string> names = names_with_units(problem);
  for (const auto& [name, item] : section->entries()) {
    if (std::ranges::find(names, name) == names.end())
      item.refuse(
          "'" + shortened(name) + "' is no coordinate, field, constant, parameter or function without arguments",
          hint_for(name, names));
    const std::string unit = item.text();
    if (unit.empty() || unit.size() > kLongestUnit)
      item.refuse("a unit is a text of at most " + std::to_string(kLongestUnit) + " bytes, as in \"W/m\"");
    problem.units[name] = unit;
  }
}

void read_report(Section& root, Problem& problem) {
  auto section = root.section("report");
  if (!section) return;
  if (const auto profiles = section->find("profiles")) read_profiles(*profiles, problem);
  if (const auto snapshots = section->find("snapshots")) {
    if (problem.box.time < 0 || problem.box.dimension() != 3)
      snapshots->refuse("snapshots need two coordinates in space and t");
    problem.report.snapshots = places_on(*snapshots, problem, problem.box.time);
  }
  if (const auto contours = section->find("contours")) read_contours(*contours, problem);
  section->finish();
}

void read_origin(Section& root, Problem& problem) {
  auto section = root.section("origin");
  if (!section) return;
  if (const auto name = section->find("problem")) problem.origin = name->text();
  if (const auto recipe = section->find("recipe"); recipe && problem.recipe.empty()) problem.recipe = recipe->text();
  if (const auto training = section->find("training")) problem.recommendation = training->text();
  section->finish();
}

}  // namespace pecann::problem
