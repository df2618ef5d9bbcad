#include "pecann/train/measured_data.h"

#include <cmath>

#include "pecann/base/input_error.h"
#include "pecann/base/require.h"
#include "pecann/expr/program.h"
#include "pecann/sampling/table.h"

namespace pecann::train {
namespace {

AlignedVector<double> padded(const std::vector<double>& values, std::size_t size) {
  AlignedVector<double> column(values.begin(), values.end());
  column.resize(size, column.empty() ? 0.0 : column.back());
  return column;
}

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
  return sampling::points_of(sampling::read_table(term.points_file), box);
}

void measured_data(const problem::TermSpec& term, const problem::Problem& problem, RandomStream& noise,
                   evaluate::TermPoints& points) {
  const std::size_t size = points.points.padded();
  if (!term.data->file.empty()) {
    const sampling::Table table = sampling::read_table(term.data->file);
    if (table.rows() != points.points.count)
      throw InputError({.place = {.file = term.data->file},
                        .key = "term." + term.name + ".data",
                        .value = std::to_string(table.rows()) + " rows",
                        .rule = "the term has " + std::to_string(points.points.count) + " points",
                        .hint = "take the points from the same file: points = { file = … }"});
    for (const auto& [name, column] : term.data->columns)
      points.data["data." + name] = padded(table.column(column), size);
    return;
  }
  for (const auto& [name, field] : term.data->columns) {
    std::vector<double> values = exact_values(problem, field, points.points);
    double squares = 0;
    for (const double value : values) squares += value * value;
    const double rms = std::sqrt(squares / static_cast<double>(values.size()));
    for (double& value : values) {
      const double scale = term.data->noise_scale == problem::NoiseScale::Value ? value : rms;
      value += term.data->noise * scale * noise.normal();
    }
    points.data["data." + name] = padded(values, size);
  }
}

}  // namespace pecann::train
