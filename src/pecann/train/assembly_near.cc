// Points near a density (TermSpec::near) are drawn with the present parameters.
#include <cmath>

#include "pecann/base/input_error.h"
#include "pecann/evaluate/field_values.h"
#include "pecann/problem/scope.h"
#include "pecann/sampling/density_choice.h"
#include "pecann/train/assembly.h"

namespace pecann::train {

std::vector<double> Assembly::density_at(const Source& source, const sampling::PointSet& points,
                                         std::span<const double> parameters) const {
  if (parameters.empty()) return std::vector<double>(points.count, 1.0);
  sampling::PointSet located = points;
  std::vector<std::vector<double>> values;
  if (source.owner->near->density->reads_data) {
    add_data(source, located);
    const std::size_t term = static_cast<std::size_t>(source.owner - problem_->terms.data());
    located.set_column(problem::kResidual, residual_at(term, located, parameters));
  }
  const expr::Expr density[] = {source.owner->near->density};
  evaluate::FieldValues fields(model_, density, located, problem_->box.names);
  fields.evaluate(parameters, values);
  return values[0];
}

/// The columns that came with the points when they were drawn, besides what add_data computes anew.
std::vector<std::string> Assembly::drawn_columns(const Source& source) const {
  std::vector<std::string> names;
  for (int c = 0; c < box_.dimension() && source.wanted.normals; ++c)
    if (box_.in_space(c)) names.push_back(sampling::kNormalColumn + box_.names[c]);
  return names;
}

void Assembly::draw_near(Source& source, std::span<const double> parameters) {
  const problem::NearSpec& near = *source.owner->near;
  // The candidates are independent of each other: the draws lie at equal distances on the line of candidates, and every
  // k-th point of a Sobol sequence fills only a part of the domain.
  const sampling::PointRule candidates{.kind = sampling::PointRule::Kind::Uniform, .count = near.pool};
  const sampling::PointSet pool = sample(source, candidates);
  const sampling::DensityChoice choice =
      sampling::choose_by_density(density_at(source, source.full, parameters), density_at(source, pool, parameters),
                                  near.count, source.points_stream);
  source.full = sampling::with_chosen(std::move(source.full), pool, choice);
  source.near_drawn = !parameters.empty();
}

void Assembly::load_near(Source& source, const std::string& name, const StateReader& reader) {
  const std::vector<double> importance = reader.get(name + ".weights");
  const auto get = [&](const std::string& what) {
    std::vector<double> values = reader.get(name + "." + what);
    if (values.empty() || values.size() != importance.size())
      throw InputError({.rule = "the checkpoint's points near a density are not complete"});
    return values;
  };
  sampling::PointSet& full = source.full;
  full = {};
  full.count = importance.size();
  for (std::size_t c = 0; c < problem_->box.names.size(); ++c)
    full.coordinates.push_back(sampling::padded_column(get(std::to_string(c))));
  for (const std::string& column : drawn_columns(source)) full.set_column(column, get(column));
  full.set_column(sampling::kImportanceColumn, importance);
  source.points_stream.set_counter(reader.get_integer(name + ".after"));
  source.near_drawn = true;
  add_data(source, full);
}

}  // namespace pecann::train
