#include <algorithm>

#include "pecann/base/toml_number.h"
#include "pecann/problem/scope.h"
#include "pecann/problem/sections.h"

namespace pecann::problem {
namespace {

using sampling::GridChoice;
using sampling::RegionPointer;

constexpr std::string_view kInside = "inside ";
constexpr std::size_t kMostRegions = 1000;

std::string trimmed(const std::string& text) {
  const std::size_t begin = text.find_first_not_of(' ');
  return begin == std::string::npos ? "" : text.substr(begin, text.find_last_not_of(' ') - begin + 1);
}

std::string range_hint(const sampling::Box& box, int coordinate) {
  return "it goes from " + toml_number(box.lower[coordinate]) + " to " + toml_number(box.upper[coordinate]);
}

RegionPointer plane_of(const Item& item, const std::string& text, std::size_t equals, const Problem& problem,
                       GridChoice choice) {
  const sampling::Box& box = problem.box;
  const std::string name = trimmed(text.substr(0, equals)), place = trimmed(text.substr(equals + 1));
  const int coordinate = box.index_of(name);
  if (coordinate < 0) item.refuse("'" + name + "' is no coordinate", hint_for(name, box.names));
  double value = 0;
  try {
    value = evaluate_constant(place, problem.constants);
  } catch (const InputError& error) {
    item.refuse("'" + place + "' is not a number: " + error.parts().rule, error.parts().hint);
  }
  const double lower = box.lower[coordinate], upper = box.upper[coordinate], tolerance = 1e-12 * (upper - lower);
  if (!(value >= lower - tolerance && value <= upper + tolerance))
    item.refuse("the plane lies outside the range of '" + name + "'", range_hint(box, coordinate));
  return problem.domain->plane(coordinate, value, choice);
}

RegionPointer region_of(const Item& item, const std::string& text, const Problem& problem, GridChoice choice) {
  const std::size_t equals = text.find('=');
  if (equals != std::string::npos) return plane_of(item, text, equals, problem, choice);
  const std::string name = trimmed(text);
  std::vector<std::string> known = problem.domain->shape_names();
  std::string listed;
  for (const sampling::RegionWord& word : sampling::region_words()) {
    known.emplace_back(word.word);
    listed += "\"" + known.back() + "\", ";
    if (word.word != name) continue;
    if (word.needs_time && problem.box.time < 0)
      item.refuse("the problem has no time", "name a coordinate t, or write a face: \"x = 0\"");
    if (word.needs_space && expr::space_of(scope_of(problem)).empty())
      item.refuse("the problem has no space, hence no boundary", "use \"initial\" or \"final\"");
    return (*problem.domain.*word.region)(choice);
  }
  if (const RegionPointer part = problem.domain->on_shape(name, choice)) return part;
  if (name.starts_with(kInside)) {
    const std::string shape = trimmed(name.substr(kInside.size()));
    if (const RegionPointer part = problem.domain->inside_shape(shape, choice)) return part;
    item.refuse("there is no shape '" + shortened(shape) + "'", hint_for(shape, problem.domain->shape_names()));
  }
  if (!problem.domain->shape_names().empty()) listed += "a shape, \"inside\" and a shape, ";
  const auto near = nearest_name(name, known);
  item.refuse("must be " + listed + "a face as in \"x = 0\", a point as in { x = 0, y = 0 }, or a list of these",
              near ? "did you mean '" + *near + "'?" : "");
}

/// { x = 0.5, y = 0.5 }: one point, at all times where time is left out.
RegionPointer point_of(const Item& item, const Problem& problem) {
  Section section = item.table();
  const sampling::Box& box = problem.box;
  sampling::FlatPart place(box.names.size());
  std::vector<double> inside;
  for (int c = 0; c < box.dimension(); ++c) {
    if (c != box.time) section.require(box.names[c], "a point has all coordinates in space");
    if (const auto value = section.find(box.names[c])) {
      place[c] = value->number();
      if (!(*place[c] >= box.lower[c] && *place[c] <= box.upper[c]))
        value->refuse("the point lies outside the range of '" + box.names[c] + "'", range_hint(box, c));
    }
    inside.push_back(place[c].value_or(box.lower[c]));
  }
  section.finish();
  if (!problem.domain->contains(inside))
    item.refuse("the point lies outside the domain \"" + problem.domain->text() + "\"");
  return problem.domain->point(place);
}

bool names_a_coordinate(Section& section, const sampling::Box& box) {
  return std::any_of(box.names.begin(), box.names.end(), [&](const std::string& name) { return section.has(name); });
}

/// The region that a text names; where nothing of the domain lies there, the text is refused.
RegionPointer region_at(const Item& item, const Problem& problem, GridChoice choice) {
  try {
    return region_of(item, item.text(), problem, choice);
  } catch (const InputError& error) {
    if (!error.parts().place.file.empty() || error.parts().key != "region") throw;
    item.refuse(error.parts().rule, error.parts().hint);
  }
}

}  // namespace

sampling::Regions read_regions(const Item& item, const Problem& problem, GridChoice choice) {
  if (item.is_list()) {
    sampling::Regions regions;
    for (const Item& element : item.items()) {
      if (element.is_list()) element.refuse("a list of regions holds texts and tables, not lists");
      const auto more = read_regions(element, problem, choice);
      regions.insert(regions.end(), more.begin(), more.end());
      if (regions.size() > kMostRegions)
        item.refuse("the list has " + std::to_string(item.items().size()) + " regions; at most " +
                    std::to_string(kMostRegions));
    }
    if (regions.empty()) item.refuse("the list of regions is empty");
    return regions;
  }
  if (!item.is_table()) return {region_at(item, problem, choice)};
  Section section = item.table();
  if (!section.has("region") && names_a_coordinate(section, problem.box)) return {point_of(item, problem)};
  const Item name = section.require("region", "as in { region = \"initial\", closed = true }");
  GridChoice own;
  section.read("closed", own.closed);
  section.read("after_start", own.after_start);
  const RegionPointer region =
      region_at(name, problem, {own.closed || choice.closed, own.after_start || choice.after_start});
  section.finish();
  return {region};
}

}  // namespace pecann::problem
