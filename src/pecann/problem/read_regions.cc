#include <charconv>

#include "pecann/problem/sections.h"

namespace pecann::problem {
namespace {

using sampling::Region;

const std::vector<std::pair<std::string, Region::Kind>> kNamed = {{"interior", Region::Kind::Interior},
                                                                  {"boundary", Region::Kind::Boundary},
                                                                  {"initial", Region::Kind::Initial},
                                                                  {"final", Region::Kind::Final}};

std::string trimmed(const std::string& text) {
  const std::size_t begin = text.find_first_not_of(' ');
  return begin == std::string::npos ? "" : text.substr(begin, text.find_last_not_of(' ') - begin + 1);
}

Region face_of(const Item& item, const std::string& text, std::size_t equals, const Problem& problem) {
  const sampling::Box& box = problem.box;
  const std::string name = trimmed(text.substr(0, equals)), value = trimmed(text.substr(equals + 1));
  Region region;
  region.kind = Region::Kind::Face;
  region.coordinate = box.index_of(name);
  if (region.coordinate < 0) item.refuse("'" + name + "' is no coordinate", hint_for(name, box.names));
  try {
    region.value = evaluate_constant(value, problem.constants);
  } catch (const InputError& error) {
    item.refuse("'" + value + "' is not a number: " + error.parts().rule, error.parts().hint);
  }
  const double lower = box.lower[region.coordinate], upper = box.upper[region.coordinate];
  const double tolerance = 1e-12 * (upper - lower);
  if (!(region.value >= lower - tolerance && region.value <= upper + tolerance)) {
    item.refuse("the plane lies outside the range of '" + name + "'");
  }
  return region;
}

Region region_of(const Item& item, const std::string& text, const Problem& problem) {
  const std::size_t equals = text.find('=');
  if (equals != std::string::npos) return face_of(item, text, equals, problem);
  std::vector<std::string> known;
  for (const auto& [name, kind] : kNamed) {
    known.push_back(name);
    if (name != trimmed(text)) continue;
    const bool in_time = kind == Region::Kind::Initial || kind == Region::Kind::Final;
    if (in_time && problem.box.time < 0)
      item.refuse("the problem has no time", "name a coordinate t, or write a face: \"x = 0\"");
    if (kind == Region::Kind::Boundary && problem.box.dimension() == 1 && problem.box.time == 0) {
      item.refuse("the problem has no space, hence no boundary", "use \"initial\" or \"final\"");
    }
    Region region;
    region.kind = kind;
    return region;
  }
  const auto near = nearest_name(trimmed(text), known);
  item.refuse(
      "must be \"interior\", \"boundary\", \"initial\", \"final\", a face as in \"x = 0\", or a list of "
      "these",
      near ? "did you mean '" + *near + "'?" : "");
}

}  // namespace

std::vector<Region> read_regions(const Item& item, const Problem& problem) {
  if (item.is_list()) {
    std::vector<Region> regions;
    for (const Item& element : item.items()) {
      if (element.is_list()) element.refuse("a list of regions holds texts and tables, not lists");
      const auto more = read_regions(element, problem);
      regions.insert(regions.end(), more.begin(), more.end());
    }
    if (regions.empty()) item.refuse("the list of regions is empty");
    return regions;
  }
  if (!item.is_table()) return {region_of(item, item.text(), problem)};
  Section section = item.table();
  const Item name = section.require("region", "as in { region = \"initial\", closed = true }");
  Region region = region_of(name, name.text(), problem);
  section.read("closed", region.closed);
  section.read("after_start", region.after_start);
  section.finish();
  return {region};
}

std::string write_region(const Region& region, const sampling::Box& box) {
  std::string text;
  for (const auto& [name, kind] : kNamed) {
    if (kind == region.kind) text = name;
  }
  if (region.kind == Region::Kind::Face) {
    char buffer[32];
    const auto [end, error] = std::to_chars(buffer, buffer + sizeof buffer, region.value);
    text = box.names[region.coordinate] + " = " + std::string(buffer, end);
  }
  text = "\"" + text + "\"";
  if (!region.closed && !region.after_start) return text;
  return "{ region = " + text + (region.closed ? ", closed = true" : "") +
         (region.after_start ? ", after_start = true" : "") + " }";
}

}  // namespace pecann::problem
