#include "pecann/train/measured_data.h"

#include <cmath>

#include "pecann/base/require.h"
#include "pecann/expr/program.h"
#include "pecann/sampling/table.h"

namespace pecann::train {
namespace {

std::vector<double> exact_values(const problem::Problem& problem, const std::string& name,
                                 const sampling::PointSet& points) {
  const auto exact = problem.exact.find(name);
  require(exact != problem.exact.end(), "synthesised data needs an exact solution; checked when the problem is read");
  std::map<std::string, const double*> coordinates;
  for (std::size_t i = 0; i < problem.box.names.size(); ++i)
    coordinates[problem.box.names[i]] = points.coordinates[i].data();
  std::vector<double> values(points.count);
  double* const result = values.data();
  expr::evaluate_columns(std::span(&exact->second, 1), coordinates, points.count, std::span(&result, 1));
  return values;
}

}  // namespace

sampling::PointSet points_from_file(const problem::TermSpec& term, const sampling::Box& box) {
  return sampling::points_of(*term.points_table, box);
}

void measured_data(const problem::TermSpec& term, const problem::Problem& problem, RandomStream& noise,
                   sampling::PointSet& points) {
  if (!term.data->file.empty()) {
    const sampling::Table& table = *term.data->table;
    require(table.rows() == points.count, "as many rows as points; checked when the problem is read");
    for (const auto& [name, column] : term.data->columns) points.set_column("data." + name, table.column(column));
    return;
  }
  for (const auto& [name, field] : term.data->columns) {
    std::vector<double> values = exact_values(problem, field, points);
    double squares = 0;
    for (const double value : values) squares += value * value;
    const double rms = std::sqrt(squares / static_cast<double>(values.size()));
    for (double& value : values) {
      const double scale = term.data->noise_scale == problem::NoiseScale::Value ? value : rms;
      value += term.data->noise * scale * noise.normal();
    }
    points.set_column("data." + name, values);
  }
}

}  // namespace pecann::train
