// Points that a program gives to a term, or asks to be drawn anew, between epochs (train/point_changes.h).
#include <cmath>

#include "pecann/base/input_error.h"
#include "pecann/base/require.h"
#include "pecann/evaluate/field_values.h"
#include "pecann/train/assembly.h"

namespace pecann::train {

std::vector<char> Assembly::contained(std::size_t point_set, const sampling::PointSet& points) const {
  const problem::TermSpec& owner = *sources_[point_set].owner;
  if (owner.regions.empty()) {  // its own points come from a file
    std::vector<char> inside = problem_->domain->mask(points);
    return inside.empty() ? std::vector<char>(points.count, 1) : inside;
  }
  std::vector<char> inside(points.count, 0);
  for (const sampling::RegionPointer& region : owner.regions) {
    const std::vector<char> here = region->within(box_)->contains(points);
    for (std::size_t i = 0; i < points.count; ++i) inside[i] = inside[i] || here[i];
  }
  return inside;
}

sampling::PointSet Assembly::with_columns(std::size_t point_set, const sampling::PointSet& points) const {
  const Source& source = sources_[point_set];
  sampling::PointSet result;
  if (source.wanted.normals) {
    std::vector<char> taken(points.count, 0);
    for (const sampling::RegionPointer& region : source.owner->regions) {
      const sampling::RegionPointer here = region->within(box_);
      const std::vector<char> inside = here->contains(points);
      std::vector<std::size_t> chosen;
      for (std::size_t i = 0; i < points.count; ++i)
        if (inside[i] && !taken[i]) chosen.push_back(i), taken[i] = 1;
      if (chosen.empty()) continue;
      sampling::PointSet part = sampling::subset(points, chosen);
      here->add_normals(part);
      sampling::append(part, result);
    }
    require(result.count == points.count, "points with normals lie in the term's regions");
  } else {
    result = points;
  }
  add_data(source, result);
  return result;
}

std::vector<double> Assembly::residual_at(std::size_t term, const sampling::PointSet& located,
                                          std::span<const double> parameters) const {
  evaluate::FieldValues residuals(model_, evaluator_->terms()[term].residuals, located, problem_->box.names);
  std::vector<std::vector<double>> values;
  residuals.evaluate(parameters, values);
  std::vector<double> size(located.count, 0.0);
  for (const std::vector<double>& residual : values)
    for (std::size_t i = 0; i < located.count; ++i) size[i] += residual[i] * residual[i];
  for (double& square : size) square = std::sqrt(square);
  return size;
}

void Assembly::draw_anew(std::size_t point_set, std::span<const double> parameters) {
  Source& source = sources_[point_set];
  draw(source, parameters);
  evaluator_->set_points(point_set, batch(source));
}

void Assembly::give(std::size_t point_set, const sampling::PointSet& points) {
  Source& source = sources_[point_set];
  source.full = with_columns(point_set, points);
  source.given = true;
  evaluator_->set_points(point_set, batch(source));
}

void Assembly::save_given(const Source& source, const std::string& name, StateWriter& writer) const {
  for (std::size_t c = 0; c < source.full.coordinates.size(); ++c)
    writer.put(name + ".given." + std::to_string(c), std::span(source.full.coordinates[c]).first(source.full.count));
}

void Assembly::load_given(std::size_t point_set, const std::string& name, const StateReader& reader) {
  sampling::PointSet points;
  for (std::size_t c = 0; c < problem_->box.names.size(); ++c) {
    const std::vector<double> values = reader.get(name + ".given." + std::to_string(c));
    if (values.empty() || (c > 0 && values.size() != points.count))
      throw InputError({.rule = "the checkpoint's given points are not complete"});
    points.count = values.size();
    points.coordinates.push_back(sampling::padded_column(values));
  }
  for (const char inside : contained(point_set, points))
    if (!inside) throw InputError({.rule = "the checkpoint's given points lie outside of their region"});
  Source& source = sources_[point_set];
  source.full = with_columns(point_set, points);
  source.given = true;
}

}  // namespace pecann::train
