#include "pecann/train/held_out.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

#include "pecann/base/not_finite.h"
#include "pecann/expr/integral.h"
#include "pecann/sampling/sampler.h"

namespace pecann::train {
namespace {

const problem::TermSpec& owner_of_points(const problem::Problem& problem, const problem::TermSpec& term) {
  for (const problem::TermSpec& other : problem.terms)
    if (other.name == term.points_of) return other;
  return term;
}

/// The number of pieces, each with a rule's count of random points: the faces of a box's boundary, else one per region.
/// (The parts of a boundary with shapes share the count; a few tiny ones may have more than their share.)
double pieces_of(const problem::TermSpec& term) {
  constexpr std::size_t kMany = 1000;
  return sampling::count_points(term.regions, {.kind = sampling::PointRule::Kind::Sobol, .count = kMany}) / kMany;
}

double mean_of(std::span<const double> values) {
  return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

}  // namespace

double held_out_mean(std::span<const double> distances, bool squares) {
  if (!std::all_of(distances.begin(), distances.end(), [](double d) { return std::isfinite(d); }))
    return std::numeric_limits<double>::infinity();
  double sum = 0;
  for (const double distance : distances) sum += squares ? std::sqrt(distance) : distance;
  const double mean = sum / static_cast<double>(distances.size());
  return squares ? mean * mean : mean;
}

bool can_be_drawn_anew(const problem::Problem& problem, const problem::TermSpec& term) {
  const problem::TermSpec& owner = owner_of_points(problem, term);
  if (owner.data || term.data || !owner.points_file.empty()) return false;
  return std::all_of(owner.regions.begin(), owner.regions.end(),
                     [](const sampling::RegionPointer& region) { return region->dimension() > 0; });
}

sampling::PointRule fresh_quadrature(const sampling::PointRule& rule) {
  sampling::PointRule finer = rule;
  finer.redraw_every = 0;
  for (int& nodes : finer.grid) nodes += 1 + nodes / 4;
  return finer;
}

problem::Problem held_out_problem(const problem::Problem& problem, double least, double most) {
  problem::Problem fresh = problem;
  for (std::size_t t = 0; t < fresh.terms.size(); ++t) {
    problem::TermSpec& term = fresh.terms[t];
    term.batch = 0;
    term.points.redraw_every = 0;
    term.near.reset();
    const problem::TermSpec& owner = owner_of_points(problem, problem.terms[t]);
    if (!can_be_drawn_anew(problem, owner)) continue;
    // The streams of points are named after the terms; the seed, which fixes the Fourier features, must stay.
    if (expr::has_integrals(term.residuals)) {  // other nodes of the same rule: its accuracy is what the user chose
      term.points_of.clear();
      term.name += " held out";
      term.points = fresh_quadrature(owner.points);
      continue;
    }
    if (!term.points_of.empty()) {
      term.points_of += " held out";
      continue;
    }
    term.name += " held out";
    const double count = std::clamp(sampling::count_points(term.regions, problem.terms[t].points), least, most);
    term.points = {.kind = sampling::PointRule::Kind::Sobol,
                   .count = static_cast<std::size_t>(std::ceil(count / pieces_of(term))),
                   .graded = problem.terms[t].points.graded};
  }
  return fresh;
}

HeldOut::HeldOut(const problem::Problem& problem, std::uint64_t seed, const Window& window, const Solution& finished,
                 const evaluate::Evaluator& trained)
    : problem_(std::make_unique<problem::Problem>(held_out_problem(problem, kLeastPoints, kMostPoints))),
      assembly_(std::make_unique<Assembly>(*problem_, seed, window, finished)),
      entries_(trained.constraints().begin(), trained.constraints().end()),
      every_(problem.held_out.every) {
  for (const evaluate::Term& term : trained.terms())
    trained_points_.push_back(static_cast<double>(trained.count_of(term)));
  // The values cost a third of loss and gradient.
  evaluations_between_ = std::max(1.0, assembly_->evaluator().flops() / 3 / (kShareOfTime * trained.flops()));
}

void HeldOut::start(std::span<const double> parameters) {
  first_.clear();
  for (const TermMoments& moments : measure(parameters)) first_.push_back(moments.plain);
}

bool HeldOut::due(long epoch, int evaluations) {
  evaluations_since_ += evaluations;
  if (every_ > 0 ? epoch % every_ != 0 : static_cast<double>(evaluations_since_) < evaluations_between_) return false;
  evaluations_since_ = 0;
  return true;
}

HeldOut::Moments HeldOut::measure(std::span<const double> parameters) {
  evaluate::Evaluator& evaluator = assembly_->evaluator();
  std::vector<double> rows(evaluator.num_rows());
  evaluator.residuals(parameters, rows);
  std::vector<std::vector<double>> distances(evaluator.terms().size());  // by term and point, summed over equations
  std::vector<std::vector<double>> plain(distances.size());              // the same without weights
  for (const evaluate::Evaluator::RowRun& run : evaluator.row_runs()) {
    const evaluate::Term& term = evaluator.terms()[run.term];
    std::vector<double>& of_term = distances[run.term];
    of_term.resize(evaluator.count_of(term));
    plain[run.term].resize(of_term.size());
    const double weight = term.equation_weight(static_cast<std::size_t>(run.equation));
    for (std::size_t i = 0; i < run.count; ++i) {
      const double violation = evaluate::violation(term, rows[run.first_row + i]);
      const double distance = evaluate::distance(term.distance, violation);
      of_term[run.first_point + i] += term.multiplied_inequality ? violation : weight * distance;
      plain[run.term][run.first_point + i] += distance;
    }
  }
  Moments moments;
  for (std::size_t t = 0; t < distances.size(); ++t) {
    const bool squares = evaluator.terms()[t].distance == problem::Distance::Square;
    const double mean = held_out_mean(distances[t], squares);
    moments.push_back({mean, mean * mean, held_out_mean(plain[t], squares)});
  }
  return moments;
}

double HeldOut::lagrangian(const Moments& moments, const penalty::DualState& duals) const {
  double sum = 0;
  for (std::size_t t = 0; t < moments.size(); ++t) {
    const problem::TermSpec& term = problem_->terms[t];
    if (term.role == problem::Role::Objective)
      sum += term.weight * moments[t].mean * (term.aggregate == problem::Aggregate::Sum ? trained_points_[t] : 1);
  }
  for (const evaluate::ConstraintEntries& entries : entries_) {
    const TermMoments& m = moments[entries.term];
    const double lambda = mean_of(std::span(duals.multiplier).subspan(entries.first, entries.count));
    const double mu = mean_of(std::span(duals.penalty).subspan(entries.first, entries.count));
    if (entries.pointwise) {
      sum += static_cast<double>(entries.count) * penalty::lagrangian_part_of_means(lambda, mu, m.mean, m.square);
    } else {
      const bool of_sum = problem_->terms[entries.term].aggregate == problem::Aggregate::Sum;
      const double value = m.mean * (of_sum ? trained_points_[entries.term] : 1);
      sum += penalty::lagrangian_part(lambda, mu, value);
    }
  }
  return not_finite_last(sum);
}

void HeldOut::set_weights(const std::vector<std::vector<double>>& weights) {
  for (std::size_t t = 0; t < weights.size(); ++t) assembly_->evaluator().set_equation_weights(t, weights[t]);
  if (has_best()) best_.moments = measure(best_.parameters);
}

void HeldOut::look(long epoch, std::span<const double> parameters, const penalty::DualState& duals) {
  last_ = measure(parameters);
  last_loss_ = lagrangian(last_, duals);
  if (!std::isfinite(last_loss_)) return;  // never the best one, not even the first time
  if (has_best() && !(last_loss_ < lagrangian(best_.moments, duals))) return;
  best_ = {epoch, last_, {parameters.begin(), parameters.end()}};
}

double HeldOut::loss() const { return last_loss_; }

double HeldOut::residual_of(const Moments& moments) const {
  double sum = 0, terms = 0;
  for (std::size_t t = 0; t < moments.size(); ++t) {
    if (!std::isfinite(first_[t])) return std::numeric_limits<double>::infinity();  // nothing is small beside it
    if (first_[t] == 0) continue;
    const double share = moments[t].plain / first_[t];
    sum += problem_->terms[t].distance == problem::Distance::Square ? share : share * share;
    terms += 1;
  }
  return terms == 0 ? std::numeric_limits<double>::quiet_NaN() : not_finite_last(std::sqrt(sum / terms));
}

HeldOut::Comparison HeldOut::compare(std::span<const double> parameters, const penalty::DualState& duals) {
  const Moments moments = measure(parameters);
  const double last = lagrangian(moments, duals), best = lagrangian(best_.moments, duals);
  return {last == best ? 1 : last / best, residual_of(moments), residual_of(best_.moments)};
}

void HeldOut::save(StateWriter& writer) const {
  writer.put_integer("held_out.evaluations", evaluations_since_);
  writer.put("held_out.first", first_);
  if (!has_best()) return;
  writer.put_integer("held_out.epoch", best_.epoch);
  writer.put("held_out.parameters", best_.parameters);
}

void HeldOut::load(const StateReader& reader) {
  if (!reader.has("held_out.first")) return;  // the run was begun without a watch, which begins now
  evaluations_since_ = static_cast<long>(reader.get_integer("held_out.evaluations"));
  reader.get("held_out.first", first_);
  if (!reader.has("held_out.parameters")) return;
  best_.epoch = static_cast<long>(reader.get_integer("held_out.epoch"));
  best_.parameters.resize(assembly_->model().num_parameters());
  reader.get("held_out.parameters", best_.parameters);
  best_.moments = measure(best_.parameters);
}

}  // namespace pecann::train
