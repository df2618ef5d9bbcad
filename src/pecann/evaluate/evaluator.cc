#include "pecann/evaluate/evaluator.h"

#include <algorithm>
#include <cmath>

#include "pecann/base/communicator.h"
#include "pecann/base/parallel.h"
#include "pecann/base/require.h"
#include "pecann/evaluate/evaluator_groups.h"

namespace pecann::evaluate {
namespace {

// Below this much work per thread another thread costs more than it brings (measured with 2x16 networks).
constexpr double kFlopsPerThread = 2e6;
constexpr std::size_t kReduceChunk = 1024;  // parameters
constexpr double kPointsOfItem = 16384;     // the gradient of an item costs nothing beside them
constexpr double kItemNumbers = 3e7;        // of all items' gradients, 240 MB

}  // namespace

double target_items(std::size_t parameters, double points) {
  const auto size = static_cast<double>(parameters);
  const double few = std::clamp(5e5 / size, 16.0, 64.0);
  return std::max(few, std::min(points / kPointsOfItem, kItemNumbers / size));
}

Evaluator::Evaluator(const Model& model, std::vector<Term> terms, const std::vector<sampling::PointSet>& points,
                     std::vector<std::string> coordinates)
    : model_(&model), terms_(std::move(terms)), coordinates_(std::move(coordinates)), packed_(model) {
  groups_.resize(points.size());
  for (auto& group : groups_) group = std::make_unique<Group>();
  values_.terms.resize(terms_.size());
  values_.plain.resize(terms_.size());
  for (std::size_t t = 0; t < terms_.size(); ++t) {
    const Term& term = terms_[t];
    require(term.point_set < points.size(), "a term refers to one of the point sets");
    if (!expr::has_integrals(term.residuals)) groups_[term.point_set]->terms.push_back(static_cast<int>(t));
  }
  make_integral_groups(points);
  for (std::size_t t = 0; t < terms_.size(); ++t) {
    const Term& term = terms_[t];
    const std::size_t count = expr::has_integrals(term.residuals) ? count_of(term) : points[term.point_set].count;
    if (term.role != problem::Role::Constraint) continue;
    const bool pointwise = term.aggregate == problem::Aggregate::Pointwise;
    require(!term.multiplied_inequality || (pointwise && term.residuals.size() == 1),
            "multipliers of inequalities are point-wise, one for each");
    entries_.push_back(
        {term.name, static_cast<int>(t), num_entries_, pointwise ? count : 1, pointwise, term.multiplied_inequality});
    num_entries_ += entries_.back().count;
  }
  values_.constraints.resize(num_entries_);

  for (std::size_t g = 0; g < points.size(); ++g) {
    Group& group = *groups_[g];
    std::vector<expr::Expr> residuals;
    int aggregated = 0, direct = 0, pointwise = 0;
    for (const int t : group.terms) {
      group.first_output.push_back(static_cast<int>(residuals.size()));
      residuals.insert(residuals.end(), terms_[t].residuals.begin(), terms_[t].residuals.end());
      if (terms_[t].role == problem::Role::Objective) {
        ++direct;
      } else if (terms_[t].aggregate == problem::Aggregate::Pointwise) {
        ++pointwise;
      } else {
        ++aggregated;
      }
    }
    if (aggregated == 1 && direct + pointwise == 0) {
      group.weights = ConstraintWeights::InFinalSum;
      group.unit_entry = constraint_of(group.terms[0])->first;
    } else if (aggregated > 0) {
      group.weights = ConstraintWeights::FromSums;
    } else if (pointwise > 0) {
      group.weights = ConstraintWeights::AtPoints;
    }
    group.bound = std::make_unique<BoundProgram>(model, residuals, coordinates_);
    bind(group, points[g]);
  }
  group_weights_.resize(groups_.size());
  pending_.reserve(groups_.size());
  cut_into_items();
}

Evaluator::~Evaluator() = default;

void Evaluator::cut_into_items() {
  items_.clear();
  const double total = flops();
  const double target = target_items(model_->num_parameters(), static_cast<double>(num_points()));
  for (std::size_t g = 0; g < groups_.size(); ++g) {
    Group& group = *groups_[g];
    group.items.clear();
    if (group.terms.empty()) continue;
    const std::size_t tiles = group.bound->num_tiles();
    const double share =
        total > 0 ? group.bound->flops_per_point() * static_cast<double>(group.bound->points().count) / total : 1;
    const std::size_t count = std::clamp<std::size_t>(static_cast<std::size_t>(std::ceil(target * share)), 1, tiles);
    for (std::size_t i = 0; i < count; ++i) {
      auto item = std::make_unique<Item>();
      item->group = g;
      item->first_tile = tiles * i / count;
      item->last_tile = tiles * (i + 1) / count;
      item->sums.resize(group.integrals ? group.integrals->values.size() : 2 * group.terms.size());
      group.items.push_back(items_.size());
      items_.push_back(std::move(item));
    }
  }
  number_rows();
  divide_items();
}

std::size_t Evaluator::num_points() const {
  std::size_t points = 0;
  for (const auto& group : groups_) points += group->terms.empty() ? 0 : group->bound->points().count;
  return points;
}

double Evaluator::flops() const {
  double sum = 0;
  for (const auto& group : groups_)
    if (!group->terms.empty())
      sum += group->bound->flops_per_point() * static_cast<double>(group->bound->points().count);
  return sum;
}

int Evaluator::threads_for(double work) const {
  return static_cast<int>(std::clamp(work / kFlopsPerThread, 1.0, static_cast<double>(thread_count())));
}

const BoundProgram& Evaluator::program(std::size_t point_set) const {
  for (const std::size_t g : integral_groups_)
    if (groups_[point_set]->terms.empty() && groups_[g]->integrals->point_set == point_set) return *groups_[g]->bound;
  return *groups_[point_set]->bound;
}

double Evaluator::share(const Term& term, std::size_t point) const {
  if (expr::has_integrals(term.residuals))
    return term.aggregate == problem::Aggregate::Mean ? 1 / static_cast<double>(count_of(term)) : 1.0;
  const Group& group = *groups_[term.point_set];
  const double weight = group.importance == nullptr ? 1.0 : group.importance[point];
  return term.aggregate == problem::Aggregate::Mean ? weight / static_cast<double>(group.bound->points().count)
                                                    : weight;
}

std::span<const double> Evaluator::row_scale() const {
  if (!row_scale_.empty()) return row_scale_;
  row_scale_.resize(num_rows());
  for (const RowRun& run : row_runs_)
    for (std::size_t i = 0; i < run.count; ++i)
      row_scale_[run.first_row + i] = std::sqrt(share(terms_[run.term], run.first_point + i));
  return row_scale_;
}

void Evaluator::bind(Group& group, const sampling::PointSet& points) {
  row_scale_.clear();
  group.bound->bind(points);
  if (group.integrals) {
    bind_integrals(group);
    return;
  }
  group.importance = group.bound->points().column(sampling::kImportanceColumn);
  for (const int t : group.terms)
    require(group.importance == nullptr || terms_[t].aggregate != problem::Aggregate::Pointwise,
            "the points of a point-wise term count alike");
}

void Evaluator::set_equation_weights(std::size_t term, std::span<const double> weights) {
  require(weights.size() == terms_[term].residuals.size(), "one weight per equation");
  terms_[term].equation_weights.assign(weights.begin(), weights.end());
  const bool integrals = expr::has_integrals(terms_[term].residuals);
  Group& group = integrals ? integral_group(terms_[term]) : *groups_[terms_[term].point_set];
  group.values_valid = group.gradient_valid = false;
}

void Evaluator::set_points(std::size_t point_set, const sampling::PointSet& points) {
  const bool same_size = points.count == groups_[point_set]->bound->points().count;
  for (std::size_t g = 0; g < groups_.size(); ++g) {
    Group& group = *groups_[g];
    if (g != point_set && !(group.integrals && group.integrals->point_set == point_set)) continue;
    bind(group, points);
    group.values_valid = group.gradient_valid = false;
    for (const int t : group.terms)
      require(same_size || terms_[t].aggregate != problem::Aggregate::Pointwise, "a point-wise term keeps its points");
  }
  if (same_size && model_->parts().count() == 1) return;  // the tiles are the same
  cut_into_items();
  for (auto& other : groups_) other->values_valid = other->gradient_valid = false;
}

void Evaluator::set_parameters(std::span<const double> parameters) {
  require(parameters.size() == model_->num_parameters(), "the parameter vector belongs to the model");
  if (std::equal(parameters.begin(), parameters.end(), parameters_.begin(), parameters_.end())) return;
  parameters_.assign(parameters.begin(), parameters.end());
  packed_.pack(parameters);
  for (auto& group : groups_) group->values_valid = group->gradient_valid = false;
}

const TermValues& Evaluator::values(std::span<const double> parameters, Next next) {
  set_parameters(parameters);
  if (next == Next::Gradient) {
    pending_.clear();
    for (std::size_t g = 0; g < groups_.size(); ++g)
      if (!groups_[g]->values_valid && !groups_[g]->weights_in_seeds()) pending_.push_back(g);
    run_backward(pending_, nullptr);
  }
  pending_.clear();
  for (std::size_t g = 0; g < groups_.size(); ++g)
    if (!groups_[g]->values_valid) pending_.push_back(g);
  run_forward(pending_);
  gather_values();
  return values_;
}

const TermValues& Evaluator::gradient(std::span<const double> parameters, const Multipliers& duals,
                                      std::span<double> gradient) {
  set_parameters(parameters);
  pending_.clear();
  for (std::size_t g = 0; g < groups_.size(); ++g)
    if (groups_[g]->weights == ConstraintWeights::FromSums && !groups_[g]->values_valid) pending_.push_back(g);
  if (!pending_.empty()) run_forward(pending_);
  gather_values();  // the weights read them, also where the sums were computed for residuals
  pending_.clear();
  for (std::size_t g = 0; g < groups_.size(); ++g) {
    Group& group = *groups_[g];
    if (group.weights_in_seeds() && group.gradient_valid)
      group.gradient_valid =
          std::equal(duals.multiplier.begin(), duals.multiplier.end(), group.seed_multiplier.begin(),
                     group.seed_multiplier.end()) &&
          std::equal(duals.penalty.begin(), duals.penalty.end(), group.seed_penalty.begin(), group.seed_penalty.end());
    if (!group.gradient_valid) pending_.push_back(g);
  }
  run_backward(pending_, &duals);
  gather_values();
  for (std::size_t g = 0; g < groups_.size(); ++g) {
    const Group& group = *groups_[g];
    const bool in_sum = group.weights == ConstraintWeights::InFinalSum;
    group_weights_[g] = in_sum ? duals.weight(group.unit_entry, values_.constraints) : 1.0;
  }
  reduce(group_weights_, gradient);
  add_scalar_slopes(gradient);
  return values_;
}

void Evaluator::gather_values() {
  for (const auto& group : groups_) {
    if (!group->values_valid) continue;
    if (group->integrals) {
      gather_integral_values(*group);
      continue;
    }
    const auto points = static_cast<double>(group->bound->points().count);
    for (std::size_t k = 0; k < group->terms.size(); ++k) {
      const Term& term = terms_[group->terms[k]];
      double sum = 0, plain = 0;
      for (const std::size_t i : group->items) {
        sum += items_[i]->sums[k];
        plain += items_[i]->sums[group->terms.size() + k];
      }
      const double share = term.aggregate == problem::Aggregate::Sum ? 1.0 : points;
      values_.terms[group->terms[k]] = sum / share;
      values_.plain[group->terms[k]] = plain / share;
    }
  }
  values_.objective = 0;
  for (std::size_t t = 0; t < terms_.size(); ++t)
    if (terms_[t].role == problem::Role::Objective) values_.objective += terms_[t].weight * values_.terms[t];
  for (const ConstraintEntries& entry : entries_)
    if (!entry.pointwise) values_.constraints[entry.first] = values_.terms[entry.term];
}

void Evaluator::reduce(std::span<const double> group_weights, std::span<double> gradient) {
  const std::size_t size = model_->num_parameters();
  const std::size_t chunks = (size + kReduceChunk - 1) / kReduceChunk;
  const double work = static_cast<double>(size) * static_cast<double>(items_.size());
  if (communicator().size() > 1) {
    sum_in_rank_order(communicator(), gradient,
                      [&](std::size_t begin, std::size_t end) { add_items(group_weights, begin, end, gradient); });
    return;
  }
  parallel_for(chunks, work < 1e5 ? 1 : thread_count(), [&](std::size_t chunk, int) {
    const std::size_t begin = chunk * kReduceChunk, end = std::min(size, begin + kReduceChunk);
    std::fill(gradient.begin() + begin, gradient.begin() + end, 0.0);
    add_items(group_weights, begin, end, gradient);
  });
}

}  // namespace pecann::evaluate
