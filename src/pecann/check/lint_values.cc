#include "pecann/check/lint_values.h"

namespace pecann::check {

std::vector<double> values_on(const expr::Expr& expression, const sampling::Box& box,
                              const sampling::PointSet& points) {
  std::map<std::string, const double*> coordinates;
  for (int c = 0; c < box.dimension(); ++c) coordinates[box.names[c]] = points.coordinates[c].data();
  for (const auto& [name, column] : points.columns) coordinates[name] = column.data();
  std::vector<double> values(points.padded());
  double* const results[] = {values.data()};
  expr::evaluate_columns(std::span(&expression, 1), coordinates, points.count, results);
  values.resize(points.count);
  return values;
}

sampling::PointSet points_from(const std::vector<std::vector<double>>& coordinates) {
  sampling::PointSet points;
  points.count = coordinates.front().size();
  for (const std::vector<double>& values : coordinates) {
    auto& column = points.coordinates.emplace_back(values.begin(), values.end());
    column.resize(points.padded(), values.back());
  }
  return points;
}

std::vector<double> point_at(const sampling::PointSet& points, std::size_t index) {
  std::vector<double> point;
  for (const auto& column : points.coordinates) point.push_back(column[index]);
  return point;
}

}  // namespace pecann::check
