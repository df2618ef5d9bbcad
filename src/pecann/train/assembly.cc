#include "pecann/train/assembly.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "pecann/base/require.h"
#include "pecann/expr/integral.h"
#include "pecann/expr/program.h"
#include "pecann/problem/inequality_terms.h"
#include "pecann/problem/penalty_defaults.h"
#include "pecann/problem/scope.h"
#include "pecann/sampling/sampler.h"
#include "pecann/train/handed_over.h"
#include "pecann/train/measured_data.h"

namespace pecann::train {
namespace {

std::string stream_name(const std::string& use, const std::string& term, const Window& window) {
  std::string name = use + "." + term;
  return window.index == 0 ? name : name + ".window-" + std::to_string(window.index + 1);
}

/// True for terms on grids of the same nodes, which need not go through the networks twice.
bool same_grid(const problem::TermSpec& a, const problem::TermSpec& b) {
  return a.points.is_product() && a.points.kind == b.points.kind && a.points.grid == b.points.grid &&
         sampling::same_regions(a.regions, b.regions) && a.points_file.empty() && b.points_file.empty() &&
         a.batch == 0 && b.batch == 0 && !a.data && !b.data;
}

}  // namespace

std::string handed_over_name(const problem::TermSpec& term, std::size_t equation) {
  return "data.previous." + term.name + "." + std::to_string(equation);
}

Assembly::Assembly(const problem::Problem& problem, std::uint64_t seed, const Window& window, const Solution& finished,
                   const std::string& use)
    : problem_(&problem),
      seed_(seed),
      use_(use),
      window_(window),
      finished_(&finished),
      box_(window_box(problem, window)),
      model_(problem, normalisation_box(problem, window), seed) {
  std::vector<evaluate::Term> terms;
  for (const problem::TermSpec& spec : problem.terms) {
    evaluate::Term term{spec.name,   spec.role,      spec.aggregate, spec.distance,
                        spec.weight, spec.residuals, source_of(spec)};
    sampling::WantedColumns& wanted = sources_[term.point_set].wanted;
    wanted.weights = wanted.weights || expr::has_integrals(spec.residuals);
    wanted.normals = wanted.normals || std::any_of(spec.residuals.begin(), spec.residuals.end(), problem::reads_normal);
    if (problem::has_inequality_multipliers(problem, spec)) {
      term.multiplied_inequality = true;
      term.residuals = {expr::Expr(spec.residuals[0]->arguments[0])};
    }
    if (handed_over(spec)) {
      // The initial condition E(u) = 0 becomes E(u) = E(u of the window before), whatever the equation is.
      sources_[term.point_set].handed_over.push_back(&spec);
      for (std::size_t e = 0; e < term.residuals.size(); ++e)
        term.residuals[e] = term.residuals[e] - expr::data_column(handed_over_name(spec, e));
    }
    terms.push_back(std::move(term));
  }
  std::vector<sampling::PointSet> points;
  for (Source& source : sources_) {
    draw(source, {});
    points.push_back(batch(source));
  }
  evaluator_ = std::make_unique<evaluate::Evaluator>(model_, std::move(terms), points, problem.box.names);
  for (const evaluate::ConstraintEntries& entries : evaluator_->constraints())
    eta_.insert(eta_.end(), entries.count, problem.terms[entries.term].eta.value_or(problem::default_eta(problem)));
}

bool Assembly::handed_over(const problem::TermSpec& term) const {
  return window_.index > 0 &&
         std::all_of(term.regions.begin(), term.regions.end(),
                     [](const sampling::RegionPointer& region) { return region->times() == sampling::Times::Start; });
}

std::size_t Assembly::source_of(const problem::TermSpec& term) {
  const problem::TermSpec* owner = &term;
  for (const problem::TermSpec& other : problem_->terms)
    if (other.name == term.points_of) owner = &other;
  const bool slices = expr::integrates_space(term.residuals);  // their weights are other ones
  for (std::size_t i = 0; i < sources_.size(); ++i)
    if (sources_[i].wanted.slices == slices &&
        (sources_[i].owner == owner || (owner == &term && same_grid(*sources_[i].owner, term))))
      return i;
  sources_.push_back({owner,
                      {},
                      RandomStream(seed_, stream_name(use_, owner->name, window_)),
                      RandomStream(seed_, stream_name("batch", owner->name, window_))});
  sources_.back().wanted.slices = slices;
  return sources_.size() - 1;
}

sampling::PointSet Assembly::sample(Source& source, const sampling::PointRule& rule) const {
  sampling::Regions regions;
  for (const sampling::RegionPointer& region : source.owner->regions) regions.push_back(region->within(box_));
  sampling::PointSet points = sampling::sample(regions, rule, source.points_stream, source.wanted);
  if (model_.parts().count() > 1 && !rule.is_product() && !source.wanted.weights && problem_->domain->text().empty())
    spread_over_parts(*source.owner, points);
  return points;
}

/// Every part of a box gets as many points as any other, however small it is: it has as many features.
void Assembly::spread_over_parts(const problem::TermSpec& term, sampling::PointSet& points) const {
  for (std::size_t c = 0; c < points.coordinates.size(); ++c) {
    const bool fixed = std::ranges::any_of(term.regions, [&](const sampling::RegionPointer& region) {
      return std::ranges::any_of(region->flat_parts(), [&](const sampling::FlatPart& flat) {
        return flat[c] && *flat[c] > problem_->box.lower[c] && *flat[c] < problem_->box.upper[c];
      });
    });
    if (fixed) continue;
    for (double& place : points.coordinates[c]) place = model_.parts().spread(static_cast<int>(c), place);
  }
}

void Assembly::draw(Source& source, std::span<const double> parameters) {
  source.points_counter = source.points_stream.counter();
  source.given = false;
  const problem::TermSpec& owner = *source.owner;
  source.full = owner.points_file.empty() ? sample(source, owner.points) : points_from_file(owner, box_);
  if (owner.near) draw_near(source, parameters);
  if (model_.parts().count() > 1) source.full = by_part(source.full);
  add_data(source, source.full);
}

/// The points part by part, so that a tile of them reads the networks of few parts.
sampling::PointSet Assembly::by_part(const sampling::PointSet& points) const {
  std::vector<const double*> columns;
  for (const auto& column : points.coordinates) columns.push_back(column.data());
  return sampling::subset(points, model_.parts().order(columns, points.count));
}

void Assembly::add_data(const Source& source, sampling::PointSet& points) const {
  const problem::TermSpec& owner = *source.owner;
  if (owner.data) {
    RandomStream noise(seed_, stream_name("noise", owner.name, window_));
    measured_data(owner, *problem_, noise, points);
  }
  for (const problem::TermSpec* term : source.handed_over) {
    std::vector<std::vector<double>> values;
    // The points lie at the first time of this window, which is the last time of the window before: Solution takes the
    // earlier window where two meet.
    finished_->evaluate(term->residuals, points, values);
    for (std::size_t e = 0; e < values.size(); ++e) points.set_column(handed_over_name(*term, e), values[e]);
  }
}

sampling::PointSet Assembly::batch(Source& source) {
  source.batch_counter = source.batch_stream.counter();
  const std::size_t wanted = source.owner->batch, count = source.full.count;
  if (wanted == 0 || wanted >= count) return source.full;
  std::vector<std::size_t> order(count);
  std::iota(order.begin(), order.end(), std::size_t{0});
  for (std::size_t i = 0; i < wanted; ++i) std::swap(order[i], order[i + source.batch_stream.below(count - i)]);
  order.resize(wanted);
  std::sort(order.begin(), order.end());
  return sampling::subset(source.full, order);
}

bool Assembly::due(const Source& source, long epoch) const {
  if (source.owner->near && !source.near_drawn) return true;
  const int every = source.owner->points.redraw_every;
  return epoch > 1 && every > 0 && (epoch - 1) % every == 0;
}

bool Assembly::redraws_before(long epoch) const {
  return std::any_of(sources_.begin(), sources_.end(), [&](const Source& source) {
    return due(source, epoch) || (epoch > 1 && source.owner->batch > 0);
  });
}

bool Assembly::redraws() const {
  return std::any_of(sources_.begin(), sources_.end(), [](const Source& source) {
    return source.owner->batch > 0 || source.owner->points.redraw_every > 0;
  });
}

bool Assembly::redraw(long epoch, std::span<const double> parameters) {
  if (!redraws_before(epoch)) return false;
  for (std::size_t s = 0; s < sources_.size(); ++s) {
    Source& source = sources_[s];
    const bool points_due = due(source, epoch);
    if (points_due) draw(source, parameters);
    if (points_due || source.owner->batch > 0) evaluator_->set_points(s, batch(source));
  }
  return true;
}

void Assembly::save(StateWriter& writer) const {
  for (std::size_t s = 0; s < sources_.size(); ++s) {
    const Source& source = sources_[s];
    const std::string name = "points." + std::to_string(s);
    writer.put_integer(name, source.points_counter);
    writer.put_integer("batch." + std::to_string(s), source.batch_counter);
    if (source.given) save_given(source, name, writer);
    if (!source.near_drawn || source.given) continue;
    writer.put_integer(name + ".after", source.points_stream.counter());
    const auto put = [&](const std::string& what, const AlignedVector<double>& values) {
      writer.put(name + "." + what, std::span(values).first(source.full.count));
    };
    put("weights", source.full.columns.at(sampling::kImportanceColumn));
    for (std::size_t c = 0; c < source.full.coordinates.size(); ++c) put(std::to_string(c), source.full.coordinates[c]);
    for (const std::string& column : drawn_columns(source)) put(column, source.full.columns.at(column));
  }
}

void Assembly::load(const StateReader& reader) {
  for (std::size_t s = 0; s < sources_.size(); ++s) {
    Source& source = sources_[s];
    const std::string name = "points." + std::to_string(s);
    source.points_counter = reader.get_integer(name);
    source.points_stream.set_counter(source.points_counter);
    source.batch_stream.set_counter(reader.get_integer("batch." + std::to_string(s)));
    if (source.owner->near && reader.has(name + ".weights")) {
      load_near(source, name, reader);
    } else {
      draw(source, {});  // also where points are given: the stream goes on behind the last draw
    }
    if (reader.has(name + ".given.0")) load_given(s, name, reader);
    evaluator_->set_points(s, batch(source));
  }
}

}  // namespace pecann::train
