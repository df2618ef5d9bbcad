#include "pecann/train/balance.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <unordered_set>
#include <utility>

#include "pecann/base/input_error.h"
#include "pecann/evaluate/curvature.h"
#include "pecann/expr/integral.h"

namespace pecann::train {
namespace {

/// The step after `steps` before which the curvatures are taken again: 1, 2, 3, 5, 8, 12, 18, 27, …
double due_after(double steps) {
  double due = 1;
  while (due <= steps) due = std::max(due + 1, std::floor(1.5 * due + 0.5));
  return due;
}

/// The order of the highest derivative of a field.
int order_of(const expr::Expr& expression, std::unordered_set<const expr::Node*>& seen) {
  if (!seen.insert(&expression.node()).second) return 0;
  int order = expr::order_of(expression->derivative);
  for (const expr::Expr& argument : expression->arguments) order = std::max(order, order_of(argument, seen));
  return order;
}

int order_of(const problem::TermSpec& term) {
  std::unordered_set<const expr::Node*> seen;  // nodes are shared: without it the walk could be exponential
  int order = 0;
  for (const expr::Expr& residual : term.residuals) order = std::max(order, order_of(residual, seen));
  return order;
}

double boost(double steps) { return std::max(1.0, Balance::kBoost * std::exp2(-steps / Balance::kBoostHalfLife)); }

}  // namespace

TermKind kind_of(const problem::Problem& problem, const problem::TermSpec& term) {
  const problem::TermSpec* owner = &term;
  for (const problem::TermSpec& other : problem.terms)
    if (other.name == term.points_of) owner = &other;
  if (owner->data || term.data) return TermKind::Data;
  if (expr::has_integrals(term.residuals)) return TermKind::Condition;  // few numbers, which pick the solution
  if (owner->regions.empty()) {                                         // points from a file, which may lie anywhere
    int highest = 0;
    for (const problem::TermSpec& other : problem.terms) highest = std::max(highest, order_of(other));
    return order_of(term) == highest ? TermKind::Equation : TermKind::Condition;
  }
  const bool interior = std::ranges::all_of(owner->regions, [&](const sampling::RegionPointer& region) {
    return region->dimension() == problem.box.dimension();
  });
  const bool start = std::ranges::all_of(
      owner->regions, [](const sampling::RegionPointer& region) { return region->times() == sampling::Times::Start; });
  return interior ? TermKind::Equation : start ? TermKind::Start : TermKind::Condition;
}

Balance::Balance(const problem::Problem& problem) {
  for (const problem::TermSpec& term : problem.terms) terms_.push_back({kind_of(problem, term), term.role});
  measured_ = std::ranges::any_of(terms_, [](const Term& term) { return term.kind == TermKind::Data; });
}

double Balance::prepare(double steps, evaluate::Evaluator& evaluator, std::span<const double> parameters) {
  const bool boosted = steps > 0 && boost(steps - 1) > 1;
  if (steps < next_due_ && !boosted && !changed_) return 1;
  if (steps >= next_due_) {
    base_ = equation_curvatures(evaluator, parameters);
    for (std::size_t t = 0; t < base_.size(); ++t) {
      const bool square = evaluator.terms()[t].distance == problem::Distance::Square;
      for (double& entry : base_[t])
        entry = entry > 0 && std::isfinite(entry) ? 1 / (square ? entry : std::sqrt(entry)) : 1;
    }
    next_due_ = due_after(steps);
  }
  const std::vector<std::vector<double>> before = weights_;
  compute_weights(steps, evaluator);
  apply(evaluator);
  changed_ = false;
  window_ = {};
  if (before.empty()) return 1;
  double least = std::numeric_limits<double>::infinity(), most = 0;
  for (std::size_t t = 0; t < before.size(); ++t) {
    for (std::size_t e = 0; e < before[t].size(); ++e) {
      least = std::min(least, weights_[t][e] / before[t][e]);
      most = std::max(most, weights_[t][e] / before[t][e]);
    }
  }
  return most / least;
}

void Balance::compute_weights(double steps, const evaluate::Evaluator& evaluator) {
  weights_ = base_;
  double largest = 0, any = 0;
  for (std::size_t t = 0; t < terms_.size(); ++t) {
    const evaluate::Term& term = evaluator.terms()[t];
    const bool mean = term.aggregate == problem::Aggregate::Mean;
    const bool boosted = terms_[t].kind == TermKind::Condition || terms_[t].kind == TermKind::Data;
    double factor = (boosted ? boost(steps) : 1) * terms_[t].relief;
    if (!mean) factor /= static_cast<double>(evaluator.count_of(term));
    for (double& weight : weights_[t]) {
      weight *= factor;
      any = std::max(any, weight);
      if (term.role == problem::Role::Objective) largest = std::max(largest, weight);
    }
  }
  const bool at_floor = !measured_ && std::ranges::any_of(terms_, [](const Term& term) {
    return term.role == problem::Role::Objective && term.lowest_stalled > 0;
  });
  for (std::size_t t = 0; at_floor && t < terms_.size(); ++t)  // of several objectives the file says the trade-off
    if (terms_[t].role == problem::Role::Objective) std::ranges::fill(weights_[t], largest);
  unit_ = largest > 0 ? largest : any;
}

void Balance::apply(evaluate::Evaluator& evaluator) const {
  for (std::size_t t = 0; t < weights_.size(); ++t) evaluator.set_equation_weights(t, weights_[t]);
}

void Balance::see(double steps, std::span<const double> parts, const evaluate::TermValues& values) {
  if (steps < kReliefStart || leave_plateau(values)) return;
  const double loss = std::accumulate(parts.begin(), parts.end(), 0.0);
  double constraints = 0;
  for (std::size_t t = 0; t < terms_.size(); ++t)
    if (terms_[t].role == problem::Role::Constraint) constraints += parts[t];
  if (window_.epochs == 0) window_ = {0, loss, loss, loss, constraints};
  const bool stands = !measured_ && window_.epochs > 0 && loss == window_.least_loss;  // no step lowers L any more
  window_.least_loss = std::min(window_.least_loss, loss);
  window_.most_loss = std::max(window_.most_loss, loss);
  if (window_.epochs++ < kStallEpochs && !stands) return;
  const Window seen = std::exchange(window_, {});
  if (measured_) {
    if (loss > kStall * seen.first_loss) relieve_data(parts, values);
  } else if (stands || (seen.most_loss - seen.least_loss < kSolved * seen.most_loss &&
                        constraints > kStall * seen.first_constraints)) {
    strengthen_constraints(parts, values);
  }
}

void Balance::relieve_data(std::span<const double> parts, const evaluate::TermValues& values) {
  double equations = 0;
  for (std::size_t t = 0; t < terms_.size(); ++t)
    if (terms_[t].kind == TermKind::Equation) equations += parts[t];
  for (std::size_t t = 0; t < terms_.size(); ++t) {
    Term& term = terms_[t];
    if (term.kind != TermKind::Data || term.closed) continue;
    const double misfit = values.plain[t];
    if (term.reliefs > 0 && misfit > kFloorRise * term.lowest_stalled) {
      term.relief *= kRelief;
      term.closed = changed_ = true;
      continue;
    }
    term.lowest_stalled = term.lowest_stalled > 0 ? std::min(term.lowest_stalled, misfit) : misfit;
    if (term.reliefs == kMostReliefs || !(parts[t] > kRelief * equations)) continue;
    term.relief /= kRelief;
    ++term.reliefs;
    changed_ = true;
  }
}

void Balance::strengthen_constraints(std::span<const double> parts, const evaluate::TermValues& values) {
  const double loss = std::accumulate(parts.begin(), parts.end(), 0.0);
  for (std::size_t t = 0; t < terms_.size(); ++t) {
    Term& term = terms_[t];
    const double share = parts[t] / loss;
    const bool paid = term.reliefs == 0 || share < kStall * term.lowest_stalled;  // by the last weight, that is
    if (term.role != problem::Role::Constraint || term.reliefs == kMostReliefs || !(share > kMatters) || !paid)
      continue;
    term.relief *= kRelief;
    ++term.reliefs;
    term.lowest_stalled = share;
    changed_ = true;
  }
  if (!changed_) return;
  for (std::size_t t = 0; t < terms_.size(); ++t)
    if (terms_[t].role == problem::Role::Objective && terms_[t].lowest_stalled == 0)
      terms_[t].lowest_stalled = values.plain[t];
}

bool Balance::leave_plateau(const evaluate::TermValues& values) {
  if (measured_) return false;
  bool left = false;
  for (std::size_t t = 0; t < terms_.size(); ++t)
    left = left || (terms_[t].role == problem::Role::Objective && values.plain[t] < kStall * terms_[t].lowest_stalled);
  if (!left) return false;
  for (Term& term : terms_) term = {term.kind, term.role};
  changed_ = true;
  return true;
}

void Balance::save(StateWriter& writer) const {
  std::vector<double> flat;
  for (const auto& term : base_) flat.insert(flat.end(), term.begin(), term.end());
  writer.put("balance.base", flat);
  flat.clear();
  for (const auto& term : weights_) flat.insert(flat.end(), term.begin(), term.end());
  writer.put("balance.weights", flat);
  flat.clear();
  for (const Term& term : terms_)
    flat.insert(flat.end(),
                {term.relief, term.lowest_stalled, term.closed ? 1.0 : 0.0, static_cast<double>(term.reliefs)});
  writer.put("balance.terms", flat);
  writer.put("balance.window",
             std::vector<double>{next_due_, changed_ ? 1.0 : 0.0, unit_, static_cast<double>(window_.epochs),
                                 window_.first_loss, window_.least_loss, window_.most_loss, window_.first_constraints});
}

void Balance::load(const StateReader& reader, const evaluate::Evaluator& evaluator) {
  const auto by_equation = [&](const char* name) {
    const std::vector<double> flat = reader.get(name);
    std::vector<std::vector<double>> entries;
    auto next = flat.begin();
    for (const evaluate::Term& term : evaluator.terms()) {
      if (flat.empty()) break;  // saved before the first step
      if (flat.end() - next < static_cast<std::ptrdiff_t>(term.residuals.size()))
        throw InputError({.key = name, .rule = "the checkpoint has fewer equations than the problem"});
      entries.emplace_back(next, next + static_cast<std::ptrdiff_t>(term.residuals.size()));
      next += static_cast<std::ptrdiff_t>(term.residuals.size());
    }
    return entries;
  };
  base_ = by_equation("balance.base");
  weights_ = by_equation("balance.weights");
  std::vector<double> numbers(4 * terms_.size());
  reader.get("balance.terms", numbers);
  for (std::size_t t = 0; t < terms_.size(); ++t)
    terms_[t] = {terms_[t].kind,     terms_[t].role,          numbers[4 * t],
                 numbers[4 * t + 1], numbers[4 * t + 2] != 0, static_cast<int>(numbers[4 * t + 3])};
  double window[8];
  reader.get("balance.window", window);
  // Curvatures are taken at step 0: only a state from before it has none.
  if (base_.empty() != weights_.empty() || (base_.empty() && window[0] != 0) || std::isnan(window[0]))
    throw InputError({.key = "balance.base", .rule = "the checkpoint has no curvatures for its weights"});
  next_due_ = window[0];
  changed_ = window[1] != 0;
  unit_ = window[2];
  window_ = {static_cast<int>(window[3]), window[4], window[5], window[6], window[7]};
}

}  // namespace pecann::train
