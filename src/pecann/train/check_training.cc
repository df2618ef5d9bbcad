#include "pecann/train/check_training.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "pecann/base/input_error.h"
#include "pecann/expr/integral.h"
#include "pecann/optim/registry.h"
#include "pecann/optim/schedule.h"
#include "pecann/penalty/registry.h"
#include "pecann/problem/joints.h"
#include "pecann/problem/with_constants.h"
#include "pecann/reference/registry.h"
#include "pecann/sampling/sampler.h"
#include "pecann/train/error_norms.h"
#include "pecann/train/window.h"

namespace pecann::train {
namespace {

double trained_points(const problem::Problem& problem, const problem::TermSpec& term) {
  const auto owner = std::find_if(problem.terms.begin(), problem.terms.end(),
                                  [&](const problem::TermSpec& other) { return other.name == term.points_of; });
  const problem::TermSpec& own = owner == problem.terms.end() ? term : *owner;
  const double drawn = own.points_table ? static_cast<double>(own.points_table->rows())
                                        : sampling::count_points(own.regions, own.points);
  const double all = drawn + (own.near ? static_cast<double>(own.near->count) : 0);
  return own.batch > 0 ? std::min(all, static_cast<double>(own.batch)) : all;
}

/// Rows at most: nodes that two pieces of a boundary share count twice.
optim::MatrixSizes sizes_of(const problem::Problem& problem) {
  const evaluate::Model model(problem, normalisation_box(problem, {0, problem.windows.count}), problem.seed);
  double rows = 0;
  for (const problem::TermSpec& term : problem.terms) {
    rows += trained_points(problem, term) * static_cast<double>(term.residuals.size());
    // The rank-one term μ g gᵀ of an aggregated constraint (lagrangian.h).
    if (term.role == problem::Role::Constraint && term.aggregate != problem::Aggregate::Pointwise) rows += 1;
  }
  return {model.num_parameters(), static_cast<std::size_t>(rows), model.front()};
}

void require_squares(const problem::PhaseSpec& spec, const problem::Problem& problem) {
  for (const problem::TermSpec& term : problem.terms)
    if (term.distance != problem::Distance::Square)
      throw InputError({.key = "term." + term.name + ".distance",
                        .value = "absolute",
                        .rule = "the optimizer '" + spec.optimizer + "' needs squares",
                        .hint = "use distance = \"square\", or another optimizer"});
}

/// The solve moves coefficients of fixed features only.
void require_features(const problem::PhaseSpec& spec, const problem::Problem& problem) {
  for (const problem::NetworkSpec& network : problem.networks)
    if (!network.features)
      throw InputError({.key = "optimizer",
                        .value = spec.optimizer,
                        .rule = "the hidden layers of '" + network.name +
                                "' are trainable, and this optimizer finds "
                                "the coefficients of fixed features only",
                        .hint = "write features = 800 instead of hidden, or use another optimizer such as lm"});
}

/// The sparse solve knows rows of parts only: a trainable scalar or an integral would tie all of them together.
void require_separable(const problem::PhaseSpec& spec, const problem::Problem& problem) {
  if (problem::count_parts(problem) == 1) return;
  std::string reason;
  if (!problem.parameters.empty()) reason = "the trainable scalar '" + problem.parameters.front().name + "'";
  for (const problem::TermSpec& term : problem.terms)
    if (expr::has_integrals(term.residuals)) reason = "the integral of term '" + term.name + "'";
  if (!reason.empty())
    throw InputError({.key = "optimizer",
                      .value = spec.optimizer,
                      .rule = reason + " depends on all parts of [decompose], which this optimizer solves one by one",
                      .hint = "leave [decompose] out, or use another optimizer such as lm"});
}

void check_phase(const problem::PhaseSpec& spec, const problem::Problem& problem, const optim::MatrixSizes& sizes,
                 const Extensions& extensions) {
  std::unique_ptr<optim::Optimizer> optimizer;
  if (extensions.make_optimizer) optimizer = extensions.make_optimizer(spec, sizes.parameters);
  if (!optimizer)
    optimizer = optim::make_optimizer({spec.optimizer, spec.mode, spec.learning_rate, spec.options}, sizes.parameters);
  if (optim::optimizer_row(spec.optimizer, spec.mode).features_only) {
    require_features(spec, problem);
    require_separable(spec, problem);
  }
  if (optimizer->needs_squares()) require_squares(spec, problem);
  optimizer->check_sizes(sizes);
  optim::make_schedule({spec.schedule.kind, spec.schedule.options, spec.epochs}, spec.learning_rate);
}

/// Makes the problem with the constants of each phase. Every variant takes as long as reading the equations, so that
/// only the first kMostVariants are made.
void check_constants(const problem::Problem& problem) {
  std::set<std::map<std::string, double>> seen = {{}};
  for (const problem::PhaseSpec& phase : problem.phases)
    if (seen.size() <= kMostVariants && seen.insert(phase.constants).second)
      problem::with_constants(problem, phase.constants);
}

/// Adds the number of the phase to its errors: an optimiser knows its options, not where they were written.
void check_phases(const problem::Problem& problem, const Extensions& extensions) {
  const optim::MatrixSizes sizes = sizes_of(problem);
  for (std::size_t i = 0; i < problem.phases.size(); ++i) {
    const problem::PhaseSpec& spec = problem.phases[i];
    try {
      check_phase(spec, problem, sizes, extensions);
    } catch (const InputError& error) {
      InputError::Parts parts = error.parts();
      if (parts.place.file.empty()) parts.place.file = problem.source;
      if (!parts.key.starts_with("term."))
        parts.key = fmt::format("phase.{}.{}{}", i + 1, spec.options.contains(parts.key) ? "options." : "", parts.key);
      throw InputError(std::move(parts));
    }
  }
}

}  // namespace

void check_training(const problem::Problem& problem, const Extensions& extensions) {
  const Window first{0, problem.windows.count, 0, problem.windows.first.grow};
  for (const problem::TermSpec& term : problem.terms)
    if (term.points_table) sampling::points_of(*term.points_table, window_box(problem, first));
  if (!extensions.make_strategy) penalty::make_strategy(problem.penalty);
  reference::make_reference(reference_subject(problem, window_box(problem, first), problem.evaluate.grid));
  check_phases(problem, extensions);
  check_constants(problem);
}

}  // namespace pecann::train
