#include "pecann/train/solution.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "pecann/base/input_error.h"
#include "pecann/base/require.h"
#include "pecann/evaluate/field_values.h"
#include "pecann/train/handed_over.h"

namespace pecann::train {

void Solution::add_window(std::vector<double> parameters) {
  const Window window{num_windows(), problem_->windows.count};
  auto model = std::make_unique<evaluate::Model>(*problem_, normalisation_box(*problem_, window), seed_);
  if (parameters.size() != model->num_parameters())  // a folder whose problem.toml was changed by hand
    throw InputError({.rule = "the checkpoint has " + std::to_string(parameters.size()) + " parameters, the problem " +
                              std::to_string(model->num_parameters()),
                      .hint = "the problem must be the one that the run was begun with"});
  pieces_.push_back({std::move(model), std::move(parameters)});
}

double Solution::trained_until() const {
  if (num_windows() == problem_->windows.count) return std::numeric_limits<double>::infinity();
  const sampling::Box box = window_box(*problem_, {std::max(num_windows() - 1, 0), problem_->windows.count});
  return box.upper[box.time];
}

int window_of_time(const problem::Problem& problem, double time, int trained) {
  const sampling::Box& box = problem.box;
  const double position =
      (time - box.lower[box.time]) / (box.upper[box.time] - box.lower[box.time]) * problem.windows.count;
  const int window = static_cast<int>(std::ceil(position - 1e-9)) - 1;
  return std::clamp(window, 0, trained - 1);
}

int Solution::window_of(double time) const { return window_of_time(*problem_, time, problem_->windows.count); }

void Solution::evaluate(std::span<const expr::Expr> expressions, const sampling::PointSet& points,
                        std::vector<std::vector<double>>& values) const {
  require(num_windows() > 0, "a solution has at least one window");
  const sampling::Box& box = problem_->box;
  if (problem_->windows.count == 1) {
    evaluate::FieldValues fields(model(0), expressions, points, box.names);
    fields.evaluate(parameters(0), values);
    return;
  }
  values.assign(expressions.size(), std::vector<double>(points.count, std::numeric_limits<double>::quiet_NaN()));
  for (int window = 0; window < num_windows(); ++window) {
    std::vector<std::size_t> own;
    for (std::size_t i = 0; i < points.count; ++i)
      if (window_of(points.coordinates[box.time][i]) == window) own.push_back(i);
    if (own.empty()) continue;
    evaluate::FieldValues fields(model(window), expressions, sampling::subset(points, own), box.names);
    std::vector<std::vector<double>> part;
    fields.evaluate(parameters(window), part);
    for (std::size_t e = 0; e < part.size(); ++e)
      for (std::size_t i = 0; i < own.size(); ++i) values[e][own[i]] = part[e][i];
  }
}

}  // namespace pecann::train
