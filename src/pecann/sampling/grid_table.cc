#include "pecann/sampling/grid_table.h"

#include <algorithm>
#include <cmath>

#include "pecann/base/input_error.h"

namespace pecann::sampling {
namespace {

[[noreturn]] void refuse_grid(const std::string& file, std::string value, std::string rule, std::string hint = "") {
  throw InputError(
      {.place = {.file = file}, .value = std::move(value), .rule = std::move(rule), .hint = std::move(hint)});
}

/// Written digits differ in their last place: values closer than this share of the range are one node.
constexpr double kSameNode = 1e-9;

std::vector<double> nodes_of(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  const double apart = kSameNode * (values.back() - values.front());
  std::vector<double> nodes;
  for (const double value : values)
    if (nodes.empty() || value - nodes.back() > apart) nodes.push_back(value);
  return nodes;
}

std::size_t node_near(const std::vector<double>& nodes, double value) {
  const auto above = std::lower_bound(nodes.begin(), nodes.end(), value);
  if (above == nodes.begin()) return 0;
  const auto place = static_cast<std::size_t>(above - nodes.begin());
  return above == nodes.end() || value - nodes[place - 1] < nodes[place] - value ? place - 1 : place;
}

const std::vector<double>& value_column(const Table& table, const std::vector<std::string>& coordinates,
                                        const std::string& value) {
  if (!value.empty()) return table.column(value);
  std::vector<std::string> others;
  for (const std::string& name : table.names)
    if (std::find(coordinates.begin(), coordinates.end(), name) == coordinates.end()) others.push_back(name);
  if (others.size() == 1) return table.column(others.front());
  std::string listed;
  for (const std::string& name : others) listed += (listed.empty() ? "'" : ", '") + shortened(name, 40) + "'";
  refuse_grid(
      table.file, "",
      others.empty() ? "the file has no column besides the coordinates"
                     : "the file has several columns besides the coordinates: " + shortened(listed),
      others.empty() ? "" : "say which one holds the values, as in value = \"" + shortened(others.front(), 40) + "\"");
}

}  // namespace

GridTable grid_of(const Table& table, const std::vector<std::string>& coordinates, const std::string& value) {
  std::vector<const std::vector<double>*> columns;
  for (std::size_t c = 0; c < coordinates.size(); ++c)
    columns.push_back(&table.column(table.has_header ? coordinates[c] : std::to_string(c + 1)));
  const std::vector<double>& values = value_column(table, coordinates, value);
  GridTable grid;
  double nodes = 1;
  std::string counted;
  for (std::size_t c = 0; c < columns.size(); ++c) {
    grid.axes.push_back(nodes_of(*columns[c]));
    const std::size_t count = grid.axes.back().size();
    if (count < 2)
      refuse_grid(table.file, coordinates[c], "a table has at least two different values of every coordinate");
    nodes *= static_cast<double>(count);
    counted += (c == 0 ? "" : ", ") + std::to_string(count) + " of " + coordinates[c];
  }
  if (nodes != static_cast<double>(table.rows()))
    refuse_grid(
        table.file, "",
        "the rows are not the nodes of a grid: there are " + std::to_string(table.rows()) +
            " rows, and different values " + counted,
        "interpolate scattered values to a grid first, or compare at the points themselves with data = { file = … }");
  grid.values.assign(table.rows(), 0.0);
  std::vector<char> taken(table.rows(), 0);
  for (std::size_t row = 0; row < table.rows(); ++row) {
    std::size_t place = 0;
    for (std::size_t c = 0; c < columns.size(); ++c)
      place = place * grid.axes[c].size() + node_near(grid.axes[c], (*columns[c])[row]);
    if (taken[place] != 0) refuse_grid(table.file, "row " + std::to_string(row + 1), "a node of the grid comes twice");
    taken[place] = 1;
    grid.values[place] = values[row];
  }
  return grid;
}

GridTable grid_of(const NpyArray& array, const std::vector<std::pair<double, double>>& ranges,
                  const std::string& file) {
  if (array.shape.size() != ranges.size())
    refuse_grid(file, "",
                "the array has " + std::to_string(array.shape.size()) + " dimensions, the table " +
                    std::to_string(ranges.size()) + (ranges.size() == 1 ? " coordinate" : " coordinates"));
  GridTable grid;
  for (std::size_t axis = 0; axis < ranges.size(); ++axis) {
    const std::size_t count = array.shape[axis];
    if (count < 2) refuse_grid(file, std::to_string(count), "an array has at least two values along every dimension");
    const auto [lower, upper] = ranges[axis];
    std::vector<double>& nodes = grid.axes.emplace_back(count);
    for (std::size_t i = 0; i < count; ++i)
      nodes[i] = lower + (upper - lower) * (static_cast<double>(i) / static_cast<double>(count - 1));
    nodes.back() = upper;
    if (std::adjacent_find(nodes.begin(), nodes.end(), std::greater_equal<>()) != nodes.end())
      refuse_grid(file, std::to_string(count), "so many nodes in so small a range are not apart");
  }
  for (std::size_t i = 0; i < array.data.size(); ++i) {
    if (std::isfinite(array.data[i])) continue;
    std::string index;
    std::size_t rest = i;
    for (std::size_t axis = array.shape.size(); axis-- > 0; rest /= array.shape[axis])
      index = std::to_string(rest % array.shape[axis]) + (index.empty() ? "" : ", ") + index;
    refuse_grid(file, "[" + index + "]", "the value is not a finite number",
                "fill the gaps before: a table has a value at every node");
  }
  grid.values = array.data;
  return grid;
}

}  // namespace pecann::sampling
