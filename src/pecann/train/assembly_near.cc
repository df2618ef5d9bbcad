// Points near a density (TermSpec::near): drawn with the present parameters.
#include <cmath>

#include "pecann/base/input_error.h"
#include "pecann/evaluate/field_values.h"
#include "pecann/problem/scope.h"
#include "pecann/sampling/density_choice.h"
#include "pecann/sampling/subset.h"
#include "pecann/train/assembly.h"

namespace pecann::train {
namespace {

void append(const sampling::PointSet& more, sampling::PointSet& points) {
  const std::size_t count = points.count + more.count;
  for (std::size_t c = 0; c < points.coordinates.size(); ++c) {
    AlignedVector<double>& column = points.coordinates[c];
    column.resize(points.count);
    column.insert(column.end(), more.coordinates[c].begin(),
                  more.coordinates[c].begin() + static_cast<std::ptrdiff_t>(more.count));
    column.resize(round_up(count, kLanes), column[count - 1]);
  }
  points.count = count;
}

}  // namespace

std::vector<double> Assembly::density_at(const Source& source, const sampling::PointSet& points,
                                         std::span<const double> parameters) const {
  if (parameters.empty()) return std::vector<double>(points.count, 1.0);
  evaluate::TermPoints located{points, {}};
  std::vector<std::vector<double>> values;
  if (source.owner->near->density->reads_data) {
    add_data(source, located);
    const std::size_t term = static_cast<std::size_t>(source.owner - problem_->terms.data());
    evaluate::FieldValues residuals(model_, evaluator_->terms()[term].residuals, points, problem_->box.names,
                                    located.data);
    residuals.evaluate(parameters, values);
    AlignedVector<double>& size = located.data[problem::kResidual];
    size.assign(points.padded(), 0.0);
    for (const std::vector<double>& residual : values)
      for (std::size_t i = 0; i < points.count; ++i) size[i] += residual[i] * residual[i];
    for (double& square : size) square = std::sqrt(square);
  }
  const expr::Expr density[] = {source.owner->near->density};
  evaluate::FieldValues fields(model_, density, points, problem_->box.names, located.data);
  fields.evaluate(parameters, values);
  return values[0];
}

void Assembly::draw_near(Source& source, std::span<const double> parameters) {
  const problem::NearSpec& near = *source.owner->near;
  sampling::PointSet& points = source.full.points;
  // Independent candidates: draws lie at equal distances on their line, and every so-many-th point of a Sobol sequence
  // fills only a part of the domain.
  const sampling::PointRule candidates{.kind = sampling::PointRule::Kind::Uniform, .count = near.pool};
  const sampling::PointSet pool = sampling::sample(box_, regions_of(*source.owner), candidates, source.points_stream);
  sampling::DensityChoice choice = sampling::choose_by_density(
      density_at(source, points, parameters), density_at(source, pool, parameters), near.count, source.points_stream);
  append(sampling::subset(pool, choice.chosen), points);
  source.full.weights = std::move(choice.weights);
  source.near_drawn = !parameters.empty();
}

void Assembly::load_near(Source& source, const std::string& name, const StateReader& reader) {
  evaluate::TermPoints& full = source.full;
  full = {};
  full.weights = reader.get(name + ".weights");
  full.points.count = full.weights.size();
  for (std::size_t c = 0; c < problem_->box.names.size(); ++c) {
    const std::vector<double> values = reader.get(name + "." + std::to_string(c));
    if (values.empty() || values.size() != full.weights.size())
      throw InputError({.rule = "the checkpoint's points near a density are not complete"});
    AlignedVector<double>& column = full.points.coordinates.emplace_back(values.begin(), values.end());
    column.resize(full.points.padded(), column.back());
  }
  source.points_stream.set_counter(reader.get_integer(name + ".after"));
  source.near_drawn = true;
  add_data(source, full);
}

}  // namespace pecann::train
