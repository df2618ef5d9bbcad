#include "pecann/table.h"

#include "pecann/api/expression_data.h"
#include "pecann/api/table_of_columns.h"
#include "pecann/base/input_error.h"
#include "pecann/base/text_file.h"
#include "pecann/expr/interpolant.h"
#include "pecann/results/table_text.h"
#include "pecann/sampling/grid_table.h"

namespace pecann {

std::string api::text_of_columns(const std::vector<Column>& columns, const std::string& file) {
  std::vector<std::string> names;
  std::vector<std::vector<double>> numbers;
  for (const Column& column : columns) {
    if (column.second.size() != columns.front().second.size())
      throw InputError(
          {.place = {.file = file}, .key = column.first, .rule = "the columns of a table are equally long"});
    names.push_back(column.first);
    numbers.push_back(column.second);
  }
  return results::csv_text(names, numbers);
}

void write_table(const std::string& path, const std::vector<Column>& columns) {
  write_text_file(path, api::text_of_columns(columns, path));
}

namespace {

std::vector<std::vector<double>> equidistant(const std::string& name, const std::vector<Coordinate>& coordinates,
                                             const std::vector<int>& counts) {
  std::vector<std::vector<double>> axes;
  for (std::size_t i = 0; i < counts.size() && i < coordinates.size(); ++i) {
    if (counts[i] < 2)
      throw InputError({.key = "tables." + name, .rule = "a table has two nodes or more along every coordinate"});
    std::vector<double>& axis = axes.emplace_back();
    const double low = coordinates[i].lower(), range = coordinates[i].upper() - low;
    for (int k = 0; k < counts[i]; ++k) axis.push_back(low + range * k / (counts[i] - 1));
    axis.back() = coordinates[i].upper();
  }
  return axes;
}

std::shared_ptr<const api::ExpressionData> interpolated(const std::string& name, const std::vector<double>& values,
                                                        const std::vector<Coordinate>& coordinates,
                                                        const std::vector<std::vector<double>>& axes,
                                                        Interpolate rule) {
  static_assert(static_cast<int>(expr::Interpolate::Cubic) == static_cast<int>(Interpolate::Cubic) &&
                static_cast<int>(expr::Interpolate::Linear) == static_cast<int>(Interpolate::Linear));
  const auto refuse = [&](const std::string& text) { throw InputError({.key = "tables." + name, .rule = text}); };
  if (coordinates.empty() || coordinates.size() > expr::Interpolant::kMostCoordinates ||
      axes.size() != coordinates.size())
    refuse("a table is a function of one to three coordinates, and has nodes along each of them");
  std::size_t rows = 1;
  for (const std::vector<double>& axis : axes) rows *= axis.size();
  if (rows != values.size())
    refuse("the nodes are " + std::to_string(rows) + ", the values " + std::to_string(values.size()));
  api::Leaves leaves;
  std::vector<Column> columns;
  std::vector<expr::Expr> arguments;
  std::size_t repeated = rows;  // how often a node of an axis comes one after the other
  problem::TableSpec spec{
      .file = name + ".table.csv", .value = name, .interpolate = static_cast<expr::Interpolate>(rule)};
  for (std::size_t i = 0; i < axes.size(); ++i) {
    repeated /= axes[i].size();
    std::vector<double>& column = columns.emplace_back(coordinates[i].name(), std::vector<double>(rows)).second;
    for (std::size_t row = 0; row < rows; ++row) column[row] = axes[i][row / repeated % axes[i].size()];
    leaves.merge(coordinates[i].data().leaves);
    arguments.push_back(coordinates[i].data().tree);
    spec.coordinates.push_back(coordinates[i].name());
  }
  columns.emplace_back(name, values);
  auto table =
      std::make_shared<const sampling::Table>(sampling::parse_csv(api::text_of_columns(columns, spec.file), spec.file));
  sampling::GridTable grid = sampling::grid_of(*table, spec.coordinates, name);  // which refuses bad nodes
  auto interpolant = std::make_shared<const expr::Interpolant>(name, spec.coordinates, std::move(grid.axes),
                                                               std::move(grid.values), spec.interpolate);
  leaves.tables.emplace(name, std::make_shared<const api::TableData>(api::TableData{spec, std::move(table)}));
  return std::make_shared<const api::ExpressionData>(
      api::ExpressionData{expr::table_value(std::move(interpolant), std::move(arguments)), std::move(leaves)});
}

}  // namespace

Table::Table(const std::string& name, const std::vector<double>& values, const std::vector<Coordinate>& coordinates,
             const std::vector<int>& nodes, Interpolate interpolate)
    : Table(name, values, coordinates, equidistant(name, coordinates, nodes), interpolate) {}
Table::Table(const std::string& name, const std::vector<double>& values, const std::vector<Coordinate>& coordinates,
             const std::vector<std::vector<double>>& nodes, Interpolate interpolate)
    : Expression(interpolated(name, values, coordinates, nodes, interpolate)) {}

}  // namespace pecann
