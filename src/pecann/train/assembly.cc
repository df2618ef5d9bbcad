#include "pecann/train/assembly.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "pecann/base/check.h"
#include "pecann/expr/program.h"
#include "pecann/sampling/sampler.h"
#include "pecann/sampling/subset.h"
#include "pecann/train/measured_data.h"

namespace pecann::train {
namespace {

std::string stream_name(const char* use, const std::string& term, const Window& window) {
  std::string name = std::string(use) + "." + term;
  return window.index == 0 ? name : name + ".window-" + std::to_string(window.index + 1);
}

std::string handed_over_name(const problem::TermSpec& term, std::size_t equation) {
  return "data.previous." + term.name + "." + std::to_string(equation);
}

double default_eta(const problem::Problem& problem) {
  if (problem.penalty.eta) return *problem.penalty.eta;
  // Levenberg–Marquardt makes a constraint fall faster than its running mean, so that μC stays below η: a larger η (measured on
  // the Helmholtz problem).
  for (const problem::PhaseSpec& phase : problem.phases)
    if (phase.optimizer == "lm") return 100;
  return !problem.phases.empty() && problem.phases.front().optimizer == "adam" ? 0.01 : 1.0;
}

/// The first time of the whole problem, as `initial` or as a face.
bool is_start(const sampling::Region& region, const sampling::Box& box) {
  if (region.kind == sampling::Region::Kind::Initial) return true;
  return region.kind == sampling::Region::Kind::Face && box.time >= 0 && region.coordinate == box.time &&
         region.value == box.lower[box.time];
}

/// Grids of the same nodes need not go through the networks twice.
bool same_grid(const problem::TermSpec& a, const problem::TermSpec& b) {
  return a.points.kind == sampling::PointRule::Kind::Grid && b.points.kind == sampling::PointRule::Kind::Grid &&
         a.points.grid == b.points.grid && a.regions == b.regions && a.points_file.empty() && b.points_file.empty() &&
         a.batch == 0 && b.batch == 0 && !a.data && !b.data;
}

}  // namespace

Assembly::Assembly(const problem::Problem& problem, std::uint64_t seed, const Window& window, const Solution& finished)
    : problem_(&problem),
      seed_(seed),
      window_(window),
      finished_(&finished),
      box_(window_box(problem, window)),
      model_(problem, normalisation_box(problem, window), seed) {
  std::vector<evaluate::Term> terms;
  for (const problem::TermSpec& spec : problem.terms) {
    evaluate::Term term{spec.name, spec.role, spec.aggregate, spec.distance, spec.weight, spec.residuals, source_of(spec)};
    if (handed_over(spec)) {
      // The initial condition E(u) = 0 becomes E(u) = E(u of the window before), whatever the equation is.
      sources_[term.point_set].handed_over.push_back(&spec);
      for (std::size_t e = 0; e < term.residuals.size(); ++e)
        term.residuals[e] = term.residuals[e] - expr::coordinate(handed_over_name(spec, e));
    }
    terms.push_back(std::move(term));
  }
  std::vector<evaluate::TermPoints> points;
  for (Source& source : sources_) {
    draw(source);
    points.push_back(batch(source));
  }
  evaluator_ = std::make_unique<evaluate::Evaluator>(model_, std::move(terms), std::move(points), problem.box.names);
  for (const evaluate::ConstraintEntries& entries : evaluator_->constraints())
    eta_.insert(eta_.end(), entries.count, problem.terms[entries.term].eta.value_or(default_eta(problem)));
}

bool Assembly::handed_over(const problem::TermSpec& term) const {
  return window_.index > 0 && std::all_of(term.regions.begin(), term.regions.end(), [&](const sampling::Region& region) {
           return is_start(region, problem_->box);
         });
}

std::vector<sampling::Region> Assembly::regions_of(const problem::TermSpec& term) const {
  std::vector<sampling::Region> regions = term.regions;
  for (sampling::Region& region : regions)
    if (region.kind == sampling::Region::Kind::Face && is_start(region, problem_->box)) region.value = box_.lower[box_.time];
  return regions;
}

std::size_t Assembly::source_of(const problem::TermSpec& term) {
  const problem::TermSpec* owner = &term;
  for (const problem::TermSpec& other : problem_->terms)
    if (other.name == term.points_of) owner = &other;
  for (std::size_t i = 0; i < sources_.size(); ++i)
    if (sources_[i].owner == owner || (owner == &term && same_grid(*sources_[i].owner, term))) return i;
  sources_.push_back({owner, {}, RandomStream(seed_, stream_name("points", owner->name, window_)),
                      RandomStream(seed_, stream_name("batch", owner->name, window_))});
  return sources_.size() - 1;
}

void Assembly::draw(Source& source) {
  source.points_counter = source.points_stream.counter();
  const problem::TermSpec& owner = *source.owner;
  source.full.data.clear();
  source.full.points = owner.points_file.empty() ? sampling::sample(box_, regions_of(owner), owner.points, source.points_stream)
                                                 : points_from_file(owner, box_);
  add_data(source);
}

void Assembly::add_data(Source& source) {
  const problem::TermSpec& owner = *source.owner;
  if (owner.data) {
    RandomStream noise(seed_, stream_name("noise", owner.name, window_));
    measured_data(owner, *problem_, noise, source.full);
  }
  for (const problem::TermSpec* term : source.handed_over) {
    std::vector<std::vector<double>> values;
    // The points lie at the first time of this window: the last of the one before, which Solution prefers where two meet.
    finished_->evaluate(term->residuals, source.full.points, values);
    for (std::size_t e = 0; e < values.size(); ++e) {
      AlignedVector<double>& column = source.full.data[handed_over_name(*term, e)];
      column.assign(values[e].begin(), values[e].end());
      column.resize(source.full.points.padded(), column.empty() ? 0.0 : column.back());
    }
  }
}

evaluate::TermPoints Assembly::batch(Source& source) {
  source.batch_counter = source.batch_stream.counter();
  const std::size_t wanted = source.owner->batch, count = source.full.points.count;
  if (wanted == 0 || wanted >= count) return source.full;
  std::vector<std::size_t> order(count);
  std::iota(order.begin(), order.end(), std::size_t{0});
  for (std::size_t i = 0; i < wanted; ++i) std::swap(order[i], order[i + source.batch_stream.below(count - i)]);
  order.resize(wanted);
  std::sort(order.begin(), order.end());
  evaluate::TermPoints chosen{sampling::subset(source.full.points, order), {}};
  for (const auto& [name, values] : source.full.data) {
    AlignedVector<double>& column = chosen.data[name];
    for (const std::size_t i : order) column.push_back(values[i]);
    column.resize(chosen.points.padded(), column.back());
  }
  return chosen;
}

bool Assembly::redraws_before(long epoch) const {
  return std::any_of(sources_.begin(), sources_.end(), [&](const Source& source) {
    const int every = source.owner->points.redraw_every;
    return epoch > 1 && (source.owner->batch > 0 || (every > 0 && (epoch - 1) % every == 0));
  });
}

bool Assembly::redraws() const {
  return std::any_of(sources_.begin(), sources_.end(),
                     [](const Source& source) { return source.owner->batch > 0 || source.owner->points.redraw_every > 0; });
}

bool Assembly::redraw(long epoch) {
  if (!redraws_before(epoch)) return false;
  for (std::size_t s = 0; s < sources_.size(); ++s) {
    Source& source = sources_[s];
    const int every = source.owner->points.redraw_every;
    const bool points_due = every > 0 && (epoch - 1) % every == 0;
    if (points_due) draw(source);
    if (points_due || source.owner->batch > 0) evaluator_->set_points(s, batch(source));
  }
  return true;
}

void Assembly::save(StateWriter& writer) const {
  for (std::size_t s = 0; s < sources_.size(); ++s) {
    writer.put_integer("points." + std::to_string(s), sources_[s].points_counter);
    writer.put_integer("batch." + std::to_string(s), sources_[s].batch_counter);
  }
}

void Assembly::load(const StateReader& reader) {
  for (std::size_t s = 0; s < sources_.size(); ++s) {
    sources_[s].points_stream.set_counter(reader.get_integer("points." + std::to_string(s)));
    sources_[s].batch_stream.set_counter(reader.get_integer("batch." + std::to_string(s)));
    draw(sources_[s]);
    evaluator_->set_points(s, batch(sources_[s]));
  }
}

}  // namespace pecann::train
