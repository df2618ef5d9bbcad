#include "pecann/evaluate/field_values.h"

#include <algorithm>

#include "pecann/base/parallel.h"

namespace pecann::evaluate {

FieldValues::FieldValues(const Model& model, std::span<const expr::Expr> expressions, const sampling::PointSet& points,
                         const std::vector<std::string>& coordinates)
    : bound_(model, expressions, coordinates), packed_(model) {
  const problem::Parts& parts = model.parts();
  if (parts.count() == 1) {
    bound_.bind(points);
    return;
  }
  std::vector<const double*> columns;
  for (const auto& column : points.coordinates) columns.push_back(column.data());
  order_ = parts.order(columns, points.count);
  bound_.bind(sampling::subset(points, order_));
}

void FieldValues::evaluate(std::span<const double> parameters, std::vector<std::vector<double>>& values) {
  packed_.pack(parameters);
  values.resize(bound_.num_outputs());
  for (auto& column : values) column.resize(bound_.points().count);
  const int threads = std::min(thread_count(), static_cast<int>(bound_.num_tiles()));
  while (static_cast<int>(runners_.size()) < threads) runners_.push_back(std::make_unique<TileRunner>(bound_));
  parallel_for(bound_.num_tiles(), threads, [&](std::size_t tile, int thread) {
    TileRunner& runner = *runners_[thread];
    runner.forward(packed_, tile);
    for (int o = 0; o < bound_.num_outputs(); ++o) {
      const double* const output = runner.output(o);
      for (std::size_t i = 0; i < runner.count(); ++i) values[o][place_of(runner.first() + i)] = output[i];
    }
  });
}

}  // namespace pecann::evaluate
