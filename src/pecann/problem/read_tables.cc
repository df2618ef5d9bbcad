// [tables]: functions of coordinates that are interpolated between the nodes of a file's grid.
#include <algorithm>
#include <cmath>

#include "pecann/base/memory.h"
#include "pecann/base/read_file.h"
#include "pecann/base/toml_number.h"
#include "pecann/problem/sections.h"
#include "pecann/sampling/grid_table.h"

namespace pecann::problem {
namespace {

// Bytes of memory per byte of an image: its text, its numbers, and the grid made of them.
constexpr double kImageMemoryPerByte = 24;

std::vector<std::string> table_coordinates(const Item& item, const Problem& problem) {
  const std::vector<std::string> names = item.texts();
  if (names.empty() || names.size() > expr::Interpolant::kMostCoordinates)
    item.refuse("a table is a function of one to three coordinates");
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (problem.box.index_of(names[i]) < 0)
      item.refuse("'" + shortened(names[i]) + "' is no coordinate", hint_for(names[i], problem.box.names));
    if (std::find(names.begin(), names.begin() + static_cast<std::ptrdiff_t>(i), names[i]) !=
        names.begin() + static_cast<std::ptrdiff_t>(i))
      item.refuse("'" + names[i] + "' comes twice");
  }
  return names;
}

void read_ranges(Section& section, TableSpec& spec) {
  for (const std::string& name : spec.coordinates) {
    const auto item = section.find(name);
    if (!item) continue;
    const std::vector<double> ends = item->numbers();
    if (ends.size() != 2 || !(ends[0] < ends[1]))
      item->refuse("the nodes of an array have a range from a smaller to a larger number, as in [0, 1]");
    spec.ranges[name] = {ends[0], ends[1]};
  }
}

sampling::GridTable read_array(const TableSpec& spec, const Problem& problem) {
  std::vector<std::pair<double, double>> ranges;
  for (const std::string& name : spec.coordinates) {
    const auto own = spec.ranges.find(name);
    const int c = problem.box.index_of(name);
    ranges.push_back(own != spec.ranges.end() ? own->second : Range{problem.box.lower[c], problem.box.upper[c]});
  }
  return sampling::grid_of(read_npy(spec.file, expr::Interpolant::kMostCoordinates), ranges, spec.file);
}

sampling::GridTable read_grid(const Item& item, const TableSpec& spec, const Problem& problem) {
  if (const auto given = problem.tables.find(spec.file); given != problem.tables.end())
    return sampling::grid_of(*given->second, spec.coordinates, spec.value);
  if (spec.file.ends_with(".npy")) {
    if (!spec.value.empty()) item.refuse("an array has one value for each node: leave out value");
    return read_array(spec, problem);
  }
  if (!spec.ranges.empty())
    item.refuse("the file says itself where its nodes are: a range is for arrays (.npy)",
                "leave out " + spec.ranges.begin()->first + " = […]");
  if (!spec.file.ends_with(".vti"))
    return sampling::grid_of(sampling::read_table(spec.file), spec.coordinates, spec.value);
  sampling::GridTable grid =
      sampling::parse_vti(read_file(spec.file, available_memory() / kImageMemoryPerByte), spec.value, spec.file);
  if (grid.axes.size() != spec.coordinates.size())
    item.refuse("the image has " + std::to_string(grid.axes.size()) +
                " directions with more than one node, the table " + std::to_string(spec.coordinates.size()) +
                " coordinates");
  return grid;
}

/// Refuses a table that ends more than one of its steps before the range of a coordinate does: pixels have their values
/// in the middle, half a step inside.
void refuse_too_small(const Item& item, const TableSpec& spec, const sampling::GridTable& grid,
                      const Problem& problem) {
  for (std::size_t axis = 0; axis < grid.axes.size(); ++axis) {
    const std::vector<double>& nodes = grid.axes[axis];
    const int c = problem.box.index_of(spec.coordinates[axis]);
    const double slack = 1 + 1e-6;
    if (nodes.front() - problem.box.lower[c] <= slack * (nodes[1] - nodes[0]) &&
        problem.box.upper[c] - nodes.back() <= slack * (nodes.back() - nodes[nodes.size() - 2]))
      continue;
    item.refuse("the table has " + spec.coordinates[axis] + " from " + toml_number(nodes.front()) + " to " +
                toml_number(nodes.back()) + ", the problem from " + toml_number(problem.box.lower[c]) + " to " +
                toml_number(problem.box.upper[c]) + ": there are no values for the rest");
  }
}

}  // namespace

void read_tables(Section& root, Problem& problem, Names& names) {
  auto section = root.section("tables");
  if (!section) return;
  for (const auto& [name, item] : section->entries()) {
    names.add(item, name, "table");
    Section table = item.table();
    TableSpec spec;
    const std::string file = table.require("file", "as in file = \"kappa.npy\"").text();
    spec.file = problem.tables.contains(file) ? file : resolved_path(file, problem.source);
    spec.coordinates = table_coordinates(table.require("coordinates", "as in coordinates = [\"x\", \"y\"]"), problem);
    table.read("interpolate", spec.interpolate);
    if (const auto value = table.find("value"))
      spec.value = value->is_text() ? value->text() : std::to_string(value->integer({.low = 1}));
    read_ranges(table, spec);
    table.finish();
    try {
      sampling::GridTable grid = read_grid(item, spec, problem);
      refuse_too_small(item, spec, grid, problem);
      spec.interpolant = std::make_shared<const expr::Interpolant>(name, spec.coordinates, std::move(grid.axes),
                                                                   std::move(grid.values), spec.interpolate);
    } catch (const InputError& error) {
      if (error.parts().key == item.path()) throw;
      item.refuse(error.what());
    }
    problem.interpolated.emplace(name, std::move(spec));
  }
}

}  // namespace pecann::problem
