#include "pecann/estimate/equation_rows.h"

#include <algorithm>

#include "pecann/base/aligned_vector.h"
#include "pecann/estimate/fresh_points.h"
#include "pecann/expr/replace_fields.h"
#include "pecann/train/assembly.h"
#include "pecann/train/handed_over.h"

namespace pecann::estimate {
namespace {

constexpr std::size_t kRowsOfPanel = 512;

}  // namespace

WindowPoints window_points(const problem::Problem& problem, const train::Solution& solution, std::uint64_t seed,
                           int window, const WindowError* before, const std::string& use, double inside) {
  const problem::Problem fresh = with_fresh_points(problem, use, inside);
  train::Solution finished(problem, seed);
  for (int w = 0; w < window; ++w) finished.add_window({solution.parameters(w).begin(), solution.parameters(w).end()});
  train::Assembly assembly(fresh, seed, {window, problem.windows.count}, finished);
  assembly.redraw(1, solution.parameters(window));  // the points near large residuals
  WindowPoints result;
  const std::span<const evaluate::Term> terms = assembly.evaluator().terms();
  result.terms.assign(terms.begin(), terms.end());
  std::size_t sets = 0;
  for (const evaluate::Term& term : terms) sets = std::max(sets, term.point_set + 1);
  for (std::size_t s = 0; s < sets; ++s) result.points.push_back(assembly.points_of(s));
  for (std::size_t t = 0; t < fresh.terms.size() && before != nullptr; ++t) {
    sampling::PointSet& points = result.points[terms[t].point_set];
    if (points.column(train::handed_over_name(fresh.terms[t], 0)) == nullptr) continue;
    const std::vector<std::vector<double>> values =
        before->space->corrected(problem.terms[t].residuals, points, before->direction);
    for (std::size_t e = 0; e < values.size(); ++e)
      points.set_column(train::handed_over_name(fresh.terms[t], e), values[e]);
  }
  return result;
}

EquationRows::EquationRows(const ErrorSpace& space, const WindowPoints& window, bool linear)
    : space_(&space), parameters_(space.origin()) {
  std::vector<evaluate::Term> terms = window.terms;
  std::vector<sampling::PointSet> points = window.points;
  for (std::size_t s = 0; s < points.size(); ++s) {
    Set& set = sets_.emplace_back();
    std::vector<expr::Expr> residuals;
    for (const evaluate::Term& term : terms)
      if (term.point_set == s) residuals.insert(residuals.end(), term.residuals.begin(), term.residuals.end());
    if (!linear) set.leaves = expr::field_leaves(residuals);
    set.changes.assign(set.leaves.size(), std::vector<double>(points[s].count, 0.0));
    for (std::size_t l = 0; l < set.leaves.size(); ++l) points[s].set_column(change_column(l), set.changes[l]);
    set.points = points[s];
  }
  const auto enriched = [&](const expr::Expr& leaf) { return space.with_features(leaf); };
  for (evaluate::Term& term : terms)
    for (expr::Expr& residual : term.residuals)
      residual = linear ? expr::replace_fields(residual, enriched)
                        : with_changes(residual, sets_[term.point_set].leaves, enriched);
  evaluator_ = std::make_unique<evaluate::Evaluator>(space.model(), std::move(terms), points, space.coordinates());
  rows_ = std::make_unique<train::ResidualRows>(*evaluator_);
}

std::vector<int> EquationRows::equations() const {
  std::vector<int> result(rows_->num_rows());
  for (const optim::Residuals::Run& run : rows_->runs())
    std::fill_n(result.begin() + static_cast<std::ptrdiff_t>(run.first_row), run.count, run.equation);
  return result;
}

std::vector<double> EquationRows::values() {
  std::vector<double> result(rows_->num_rows());
  rows_->values(parameters_, result);
  return result;
}

void EquationRows::for_panels(const std::function<void(double*, std::size_t, std::size_t, std::size_t)>& work) {
  const std::span<const std::size_t> offsets = rows_->row_offsets();
  AlignedVector<double> panel;
  for (std::size_t first = 0; first + 1 < offsets.size();) {
    std::size_t end = first + 1;
    while (end + 1 < offsets.size() && offsets[end + 1] - offsets[first] <= kRowsOfPanel) ++end;
    const std::size_t count = offsets[end] - offsets[first];
    const std::size_t stride = round_up(std::max(count, kRowsOfPanel), kLanes) + kLanes;
    if (panel.size() < space_->size() * stride) panel.resize(space_->size() * stride);
    rows_->jacobian(parameters_, first, end - first, panel.data(), stride);
    work(panel.data(), offsets[first], count, stride);
    first = end;
  }
}

EquationRows::Change EquationRows::change_along(std::span<const double> direction) const {
  Change change;
  for (const Set& set : sets_) change.by_set.push_back(space_->change(set.leaves, set.points, direction));
  change.scalars.assign(direction.begin() + static_cast<std::ptrdiff_t>(space_->first_scalar()), direction.end());
  return change;
}

void EquationRows::add(const Change& change, double share) {
  for (std::size_t s = 0; s < sets_.size(); ++s) {
    Set& set = sets_[s];
    for (std::size_t l = 0; l < set.leaves.size(); ++l) {
      for (std::size_t i = 0; i < set.points.count; ++i) set.changes[l][i] += share * change.by_set[s][l][i];
      set.points.set_column(change_column(l), set.changes[l]);
    }
    if (!set.leaves.empty()) evaluator_->set_points(s, set.points);
  }
  for (std::size_t k = 0; k < change.scalars.size(); ++k)
    parameters_[space_->first_scalar() + k] += share * change.scalars[k];
}

}  // namespace pecann::estimate
