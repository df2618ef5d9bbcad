// The evaluator's terms of integrals: sums over points, residuals that are functions of them, and their seeds.
#include <algorithm>
#include <cmath>
#include <map>

#include "pecann/base/require.h"
#include "pecann/evaluate/evaluator.h"
#include "pecann/evaluate/evaluator_groups.h"

namespace pecann::evaluate {

/// One group for the terms of integrals on each point set.
void Evaluator::make_integral_groups(const std::vector<sampling::PointSet>& points) {
  for (std::size_t set = 0; set < points.size(); ++set) {
    auto group = std::make_unique<Group>();
    std::vector<expr::Expr> residuals, integrands;
    std::vector<int> first_equation;
    for (std::size_t t = 0; t < terms_.size(); ++t) {
      const Term& term = terms_[t];
      if (term.point_set != set || !expr::has_integrals(term.residuals)) continue;
      group->terms.push_back(static_cast<int>(t));
      first_equation.push_back(static_cast<int>(residuals.size()));
      residuals.insert(residuals.end(), term.residuals.begin(), term.residuals.end());
    }
    if (group->terms.empty()) continue;
    const bool timed = std::ranges::find(coordinates_, "t") != coordinates_.end();
    group->integrals = std::make_unique<Integrals>();
    Integrals& own = *group->integrals;
    own.equations = expr::separate_integrals(residuals, timed ? "t" : "");
    own.point_set = set;
    own.first_equation = std::move(first_equation);
    for (const std::string& name : own.equations.scalars) own.scalars.push_back(model_->scalar_index(name));
    for (const auto& integrand : own.equations.integrands) integrands.push_back(integrand.expression);
    group->weights = ConstraintWeights::FromSums;
    group->bound = std::make_unique<BoundProgram>(*model_, integrands, coordinates_);
    bind(*group, points[set]);
    integral_groups_.push_back(groups_.size());
    groups_.push_back(std::move(group));
  }
}

Evaluator::Group& Evaluator::integral_group(const Term& term) const {
  const auto found = std::ranges::find_if(
      integral_groups_, [&](std::size_t g) { return groups_[g]->integrals->point_set == term.point_set; });
  require(found != integral_groups_.end(), "a term of integrals has its group");
  return *groups_[*found];
}

std::size_t Evaluator::count_of(const Term& term) const {
  if (expr::has_integrals(term.residuals)) return integral_group(term).integrals->slices;
  return groups_[term.point_set]->bound->points().count;
}

/// Finds the slices of new points: points of the same time.
void Evaluator::bind_integrals(Group& group) {
  Integrals& own = *group.integrals;
  const sampling::PointSet& points = group.bound->points();
  own.weight = points.column(sampling::kWeightColumn);
  require(own.weight != nullptr, "the points of integrals have quadrature weights");
  std::vector<expr::Expr> residuals;
  for (const int t : group.terms)
    residuals.insert(residuals.end(), terms_[t].residuals.begin(), terms_[t].residuals.end());
  own.times.clear();
  own.slice_of.clear();
  if (expr::integrates_space(residuals)) {
    const auto time = std::ranges::find(coordinates_, "t");
    require(time != coordinates_.end(), "integrals over space have a time");
    const AlignedVector<double>& t = points.coordinates[time - coordinates_.begin()];
    own.times.assign(t.begin(), t.begin() + static_cast<std::ptrdiff_t>(points.count));
    std::ranges::sort(own.times);
    own.times.erase(std::ranges::unique(own.times).begin(), own.times.end());
    for (std::size_t i = 0; i < points.count; ++i)
      own.slice_of.push_back(static_cast<std::uint32_t>(std::ranges::lower_bound(own.times, t[i]) - own.times.begin()));
  }
  own.slices = std::max<std::size_t>(1, own.times.size());
  own.measure.assign(own.slices, 0.0);
  for (std::size_t i = 0; i < points.count; ++i) own.measure[own.slice(i)] += own.weight[i];
  const std::size_t integrands = own.equations.integrands.size(), equations = own.equations.outer.size(),
                    scalars = own.scalars.size();
  own.values.resize(integrands * own.slices);
  own.residuals.resize(equations * own.slices);
  own.by_integral.resize(equations * integrands * own.slices);
  own.by_scalar.resize(equations * scalars * own.slices);
  own.factor.resize(integrands * own.slices);
  own.scalar_slope.resize(scalars);
}

void Evaluator::add_integral_tile(const Group& group, const TileRunner& runner, Item& item) {
  const Integrals& own = *group.integrals;
  const double* const weight = own.weight + runner.first();
  for (std::size_t k = 0; k < own.equations.integrands.size(); ++k) {
    const double* const f = runner.output(static_cast<int>(k));
    double* const sums = item.sums.data() + k * own.slices;
    if (own.slice_of.empty()) {
      double sum = 0;
      for (std::size_t i = 0; i < runner.count(); ++i) sum += weight[i] * f[i];
      sums[0] += sum;
    } else {
      for (std::size_t i = 0; i < runner.count(); ++i) sums[own.slice_of[runner.first() + i]] += weight[i] * f[i];
    }
  }
}

/// Called when the sums of all items are known: the integrals, the residuals and their slopes.
void Evaluator::finish_integrals(Group& group) {
  Integrals& own = *group.integrals;
  const std::size_t slices = own.slices;
  std::fill(own.values.begin(), own.values.end(), 0.0);
  for (const std::size_t i : group.items)
    for (std::size_t j = 0; j < own.values.size(); ++j) own.values[j] += items_[i]->sums[j];
  std::map<std::string, const double*> columns;
  for (std::size_t k = 0; k < own.equations.integrands.size(); ++k) {
    double* const values = own.values.data() + k * slices;
    if (own.equations.integrands[k].mean)
      for (std::size_t s = 0; s < slices; ++s) values[s] /= own.measure[s];
    columns[expr::integral_name(k)] = values;
  }
  std::vector<std::vector<double>> scalars;
  for (const int index : own.scalars) scalars.emplace_back(slices, packed_.scalar(index).value);
  for (std::size_t i = 0; i < scalars.size(); ++i) columns[expr::scalar_name(i)] = scalars[i].data();
  if (!own.times.empty()) columns["t"] = own.times.data();

  std::vector<expr::Expr> expressions = own.equations.outer;
  std::vector<double*> results;
  const auto add = [&](const std::vector<std::vector<expr::Expr>>& partials, std::vector<double>& to) {
    for (std::size_t e = 0; e < partials.size(); ++e)
      for (std::size_t k = 0; k < partials[e].size(); ++k) {
        expressions.push_back(partials[e][k]);
        results.push_back(to.data() + (e * partials[e].size() + k) * slices);
      }
  };
  for (std::size_t e = 0; e < own.equations.outer.size(); ++e) results.push_back(own.residuals.data() + e * slices);
  add(own.equations.by_integral, own.by_integral);
  add(own.equations.by_scalar, own.by_scalar);
  expr::evaluate_columns(expressions, columns, slices, results);
}

void Evaluator::gather_integral_values(const Group& group) {
  const Integrals& own = *group.integrals;
  for (std::size_t k = 0; k < group.terms.size(); ++k) {
    const Term& term = terms_[group.terms[k]];
    double* const entries = entries_of(group.terms[k]);
    if (entries != nullptr) std::fill_n(entries, own.slices, 0.0);
    double sum = 0, plain = 0;
    for (std::size_t e = 0; e < term.residuals.size(); ++e) {
      const double* const r = own.residuals.data() + (static_cast<std::size_t>(own.first_equation[k]) + e) * own.slices;
      for (std::size_t s = 0; s < own.slices; ++s) {
        const double part = distance(term.distance, r[s]);
        plain += part;
        sum += part * term.equation_weight(e);
        if (entries != nullptr) entries[s] += part * term.equation_weight(e);
      }
    }
    const double share = term.aggregate == problem::Aggregate::Sum ? 1.0 : static_cast<double>(own.slices);
    values_.terms[group.terms[k]] = sum / share;
    values_.plain[group.terms[k]] = plain / share;
  }
}

/// Turns ∂L/∂r, by equation and slice, into the seeds of the integrands and the slopes by scalars outside of them.
void Evaluator::weigh_integrals(Group& group, std::span<const double> by_residual) {
  Integrals& own = *group.integrals;
  const std::size_t slices = own.slices, integrands = own.equations.integrands.size(), scalars = own.scalars.size();
  std::fill(own.factor.begin(), own.factor.end(), 0.0);
  std::fill(own.scalar_slope.begin(), own.scalar_slope.end(), 0.0);
  for (std::size_t e = 0; e < own.equations.outer.size(); ++e) {
    for (std::size_t s = 0; s < slices; ++s) {
      const double slope = by_residual[e * slices + s];
      if (slope == 0) continue;  // a residual that nobody asks for may have slopes that are not finite
      for (std::size_t k = 0; k < integrands; ++k)
        own.factor[k * slices + s] += slope * own.by_integral[(e * integrands + k) * slices + s];
      for (std::size_t i = 0; i < scalars; ++i)
        own.scalar_slope[i] += slope * own.by_scalar[(e * scalars + i) * slices + s];
    }
  }
  for (std::size_t k = 0; k < integrands; ++k)
    if (own.equations.integrands[k].mean)
      for (std::size_t s = 0; s < slices; ++s) own.factor[k * slices + s] /= own.measure[s];
}

/// The seeds of ∇L. The values of all terms are known.
void Evaluator::seed_integrals(Group& group, const Multipliers* duals) {
  const Integrals& own = *group.integrals;
  std::vector<double> by_residual(own.residuals.size());
  for (std::size_t k = 0; k < group.terms.size(); ++k) {
    const Term& term = terms_[group.terms[k]];
    const ConstraintEntries* const constraint = constraint_of(group.terms[k]);
    for (std::size_t e = 0; e < term.residuals.size(); ++e) {
      for (std::size_t s = 0; s < own.slices; ++s) {
        double weight = term.weight * share(term, s);
        if (constraint != nullptr) {
          weight = duals->weight(constraint->first + (constraint->pointwise ? s : 0), values_.constraints) *
                   (constraint->pointwise ? 1.0 : share(term, s));
        }
        const std::size_t row = (static_cast<std::size_t>(own.first_equation[k]) + e) * own.slices + s;
        by_residual[row] = weight * term.equation_weight(e) * distance_slope(term.distance, own.residuals[row]);
      }
    }
  }
  weigh_integrals(group, by_residual);
}

/// Returns false where nothing of the tile has a seed.
bool Evaluator::fill_integral_seeds(const Group& group, TileRunner& runner, std::size_t tile) {
  const Integrals& own = *group.integrals;
  const auto& [first, count, place] = group.bound->tile_at(tile);
  bool any = false;
  for (std::size_t k = 0; k < own.equations.integrands.size(); ++k) {
    double* const seed = runner.seed(static_cast<int>(k));
    const double* const factor = own.factor.data() + k * own.slices;
    for (std::size_t i = 0; i < count; ++i) {
      seed[i] = own.weight[first + i] * factor[own.slice(first + i)];
      any = any || seed[i] != 0;
    }
    std::fill(seed + count, seed + group.bound->tile(), 0.0);
  }
  return any;
}

void Evaluator::pull_back_integrals(const Group& group, Item& item, TileRunner& runner) {
  for (std::size_t tile = item.first_tile; tile < item.last_tile; ++tile) {
    if (!fill_integral_seeds(group, runner, tile)) continue;
    runner.forward(packed_, tile);
    runner.backward(packed_, item.gradient);
  }
}

/// Trainable scalars outside of integrals move the residuals without any point.
void Evaluator::add_scalar_slopes(std::span<double> gradient) const {
  for (const std::size_t g : integral_groups_) {
    if (group_weights_[g] == 0) continue;
    const Integrals& own = *groups_[g]->integrals;
    for (std::size_t i = 0; i < own.scalars.size(); ++i)
      gradient[model_->scalar_offset() + static_cast<std::size_t>(own.scalars[i])] +=
          own.scalar_slope[i] * packed_.scalar(own.scalars[i]).slope;
  }
}

/// Computes the integrals at the present parameters where that was not done.
void Evaluator::require_integrals() {
  pending_.clear();
  for (const std::size_t g : integral_groups_)
    if (!groups_[g]->values_valid) pending_.push_back(g);
  if (!pending_.empty()) run_forward(pending_);
}

}  // namespace pecann::evaluate
