#include "pecann/estimate/error_space.h"

#include <algorithm>

#include "pecann/base/aligned_vector.h"
#include "pecann/base/require.h"
#include "pecann/evaluate/evaluator.h"
#include "pecann/evaluate/field_values.h"
#include "pecann/expr/replace_fields.h"

namespace pecann::estimate {
namespace {

constexpr std::size_t kPanelPoints = 512;

/// The scales of features: steepness in coordinates that run over [−1, 1]; each band reaches down to 0.3 of it.
std::vector<double> scales_of(std::size_t inputs) {
  if (inputs == 1) return {4, 16, 128, 1000};
  return {1.5, 4, 16, 48};
}

/// Features of one scale for each field.
int features_per_scale(const problem::Problem& problem) {
  std::size_t fields = 0;
  for (const problem::NetworkSpec& network : problem.networks) fields += network.fields.size();
  return fields == 1 ? 90 : 50;
}

}  // namespace

std::string change_column(std::size_t leaf) { return "data.change." + std::to_string(leaf); }

expr::Expr with_changes(const expr::Expr& expression, std::span<const expr::Expr> leaves,
                        const std::function<expr::Expr(const expr::Expr& leaf)>& field) {
  return expr::replace_fields(expression, [&](const expr::Expr& leaf) {
    const auto found = std::ranges::find_if(leaves, [&](const expr::Expr& other) { return expr::same(leaf, other); });
    require(found != leaves.end(), "all leaves are known");
    return field(leaf) + expr::data_column(change_column(static_cast<std::size_t>(found - leaves.begin())));
  });
}

ErrorSpace::ErrorSpace(const problem::Problem& problem, const train::Window& window, std::uint64_t seed,
                       std::span<const double> trained, const std::string& draw)
    : problem_(&problem) {
  problem::Problem enriched;  // what a model reads of it
  enriched.networks = problem.networks;
  enriched.parameters = problem.parameters;
  std::size_t bands = 0;
  for (const problem::NetworkSpec& network : problem.networks) {
    const std::vector<double> scales = scales_of(network.inputs.size());
    for (std::size_t band = 0; band < scales.size(); ++band) {
      const std::string prefix = "error." + std::to_string(band) + ".";
      problem::NetworkSpec features;
      features.name = draw + "." + prefix + network.name;
      for (const std::string& field : network.fields) features.fields.push_back(prefix + field);
      features.inputs = network.inputs;
      features.hidden = {features_per_scale(problem)};
      features.activation = problem::Activation::Tanh;
      features.features.emplace();
      features.features->scale.assign(network.inputs.size(), scales[band]);
      enriched.networks.push_back(std::move(features));
    }
    bands = std::max(bands, scales.size());
  }
  for (std::size_t band = 0; band < bands; ++band) prefixes_.push_back("error." + std::to_string(band) + ".");
  model_ = std::make_unique<evaluate::Model>(enriched, train::normalisation_box(problem, window), seed);
  first_feature_ = trained.size() - problem.parameters.size();
  origin_.assign(model_->num_parameters(), 0.0);
  std::copy_n(trained.begin(), first_feature_, origin_.begin());
  std::copy_n(trained.end() - static_cast<std::ptrdiff_t>(problem.parameters.size()), problem.parameters.size(),
              origin_.begin() + static_cast<std::ptrdiff_t>(first_scalar()));
}

expr::Expr ErrorSpace::with_features(const expr::Expr& leaf) const {
  std::vector<expr::Expr> parts = {leaf};
  for (const std::string& prefix : prefixes_)
    if (model_->fields().contains(prefix + leaf->name)) parts.push_back(expr::renamed_field(leaf, prefix + leaf->name));
  return expr::sum(std::move(parts));
}

std::vector<std::vector<double>> ErrorSpace::change(std::span<const expr::Expr> leaves,
                                                    const sampling::PointSet& points,
                                                    std::span<const double> direction) const {
  std::vector<std::vector<double>> result(leaves.size(), std::vector<double>(points.count, 0.0));
  if (leaves.empty() || points.count == 0) return result;
  evaluate::Term term;
  for (const expr::Expr& leaf : leaves) term.residuals.push_back(with_features(leaf));
  evaluate::Evaluator evaluator(*model_, {term}, {points}, coordinates());
  const std::vector<double> ones(evaluator.num_rows(), 1.0);
  std::vector<double> rows(evaluator.num_rows(), 0.0);
  const std::span<const std::size_t> offsets = evaluator.row_offsets();
  AlignedVector<double> panel;
  for (std::size_t first = 0; first + 1 < offsets.size();) {
    std::size_t end = first + 1;
    while (end + 1 < offsets.size() && offsets[end + 1] - offsets[first] <= kPanelPoints) ++end;
    const std::size_t count = offsets[end] - offsets[first], stride = round_up(count, kLanes);
    if (panel.size() < size() * stride) panel.resize(size() * stride);
    evaluator.jacobian(origin_, ones, first, end - first, panel.data(), stride);
    for (std::size_t p = 0; p < size(); ++p) {
      if (direction[p] == 0) continue;
      const double* const column = panel.data() + p * stride;
      for (std::size_t j = 0; j < count; ++j) rows[offsets[first] + j] += direction[p] * column[j];
    }
    first = end;
  }
  for (const evaluate::Evaluator::RowRun& run : evaluator.row_runs())
    std::copy_n(rows.begin() + static_cast<std::ptrdiff_t>(run.first_row), run.count,
                result[static_cast<std::size_t>(run.equation)].begin() + static_cast<std::ptrdiff_t>(run.first_point));
  return result;
}

std::vector<std::vector<double>> ErrorSpace::corrected(std::span<const expr::Expr> expressions,
                                                       const sampling::PointSet& points,
                                                       std::span<const double> direction) const {
  const std::vector<expr::Expr> leaves = expr::field_leaves(expressions);
  const std::vector<std::vector<double>> changes = change(leaves, points, direction);
  sampling::PointSet located = points;
  for (std::size_t l = 0; l < leaves.size(); ++l) located.set_column(change_column(l), changes[l]);
  std::vector<expr::Expr> readings;
  for (const expr::Expr& expression : expressions)
    readings.push_back(with_changes(expression, leaves, [](const expr::Expr& leaf) { return leaf; }));
  std::vector<double> parameters = origin_;
  for (std::size_t s = first_scalar(); s < size(); ++s) parameters[s] += direction[s];
  std::vector<std::vector<double>> values;
  evaluate::FieldValues fields(*model_, readings, located, coordinates());
  fields.evaluate(parameters, values);
  return values;
}

}  // namespace pecann::estimate
