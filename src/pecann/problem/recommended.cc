#include "pecann/problem/recommended.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <unordered_set>

#include <fmt/format.h>

#include "pecann/optim/registry.h"
#include "pecann/problem/inequality_terms.h"
#include "pecann/problem/integral_terms.h"
#include "pecann/sampling/sampler.h"

namespace pecann::problem {
namespace {

PhaseSpec phase(std::string optimizer, int epochs) {
  PhaseSpec spec;
  spec.optimizer = std::move(optimizer);
  spec.epochs = epochs;
  spec.learning_rate = optim::optimizer_row(spec.optimizer).learning_rate;
  return spec;
}

/// The first function that bends sharply in a field or a trainable scalar; "" when there is none. Jumps in the
/// coordinates alone do no harm: L stays smooth in the parameters.
std::string kink_of(const expr::Expr& expression) {
  static const std::map<expr::Kind, const char*> kKinks = {
      {expr::Kind::Abs, "abs"},           {expr::Kind::Sign, "sign"},         {expr::Kind::Min, "min"},
      {expr::Kind::Max, "max"},           {expr::Kind::Less, "a comparison"}, {expr::Kind::LessEqual, "a comparison"},
      {expr::Kind::Equal, "a comparison"}};
  std::unordered_set<const expr::Node*> seen;  // nodes are shared: without it the walk could be exponential
  std::vector<expr::Expr> open = {expression};
  while (!open.empty()) {
    const expr::Expr next = open.back();
    open.pop_back();
    if (next->coordinate_only || !seen.insert(&next.node()).second) continue;
    if (&next.node() == &expression.node() && is_violation(next)) {
      open.push_back(next->arguments[0]);
      continue;
    }
    if (const auto kink = kKinks.find(next->kind); kink != kKinks.end()) return kink->second;
    open.insert(open.end(), next->arguments.begin(), next->arguments.end());
  }
  return "";
}

}  // namespace

std::string kink_of(const Problem& problem) {
  for (const TermSpec& term : problem.terms) {
    if (term.distance == Distance::Absolute) return "the absolute distance of term '" + term.name + "'";
    for (const expr::Expr& residual : term.residuals)
      if (const std::string kink = kink_of(residual); !kink.empty())
        return kink + " of an unknown in term '" + term.name + "'";
  }
  return "";
}

double count_parameters(const NetworkSpec& network) {
  double count = 0;
  auto width = static_cast<double>(network.inputs.size());
  for (std::size_t layer = 0; layer < network.hidden.size(); ++layer) {
    const double next = network.hidden[layer];
    if (layer > 0 || !(network.fourier_sigma || network.features)) count += (width + 1) * next;
    width = next;
  }
  return count + (width + 1) * static_cast<double>(network.fields.size());
}

double count_residuals(const Problem& problem) {
  double rows = 0;
  for (const TermSpec& term : problem.terms) {
    const TermSpec* owner = &term;
    for (const TermSpec& other : problem.terms)
      if (other.name == term.points_of) owner = &other;
    if (is_integral(term)) {
      rows += integral_rows(problem, term) * static_cast<double>(term.residuals.size());
      continue;
    }
    const double near = owner->near ? static_cast<double>(owner->near->count) : 0;
    const double points = owner->points_table ? static_cast<double>(owner->points_table->rows())
                                              : sampling::count_points(owner->regions, owner->points) + near;
    rows += points * static_cast<double>(term.residuals.size());
  }
  return rows;
}

Recommendation recommended_training(const Problem& problem) {
  auto parameters = static_cast<double>(problem.parameters.size());
  for (const NetworkSpec& network : problem.networks) parameters += count_parameters(network);
  const double rows = count_residuals(problem), smaller = std::min(parameters, rows);
  const bool redrawn = std::ranges::any_of(problem.terms, [](const TermSpec& term) {
    return term.batch > 0 || (term.points.redraw_every > 0 && term.points.redraw_every < kFewEpochs);
  });
  const bool moving = std::ranges::any_of(problem.terms, [](const TermSpec& term) { return term.near.has_value(); });
  const bool long_steps = moving && parameters * rows * smaller > kProductsOfStep;
  const std::string kink = kink_of(problem);
  const double broyden_bytes = 8 * parameters * parameters;
  const std::string size = fmt::format("{:.0f} parameters, {:.0f} residuals", parameters, rows);
  if (redrawn) return {{phase("adam", 20000)}, "Adam, because points change every few epochs (" + size + ")"};
  if (!kink.empty())
    return {{phase("adam", 5000), phase("lbfgs", 500)},
            fmt::format("Adam, then L-BFGS: {} has a kink, which misleads methods of second order ({})", kink, size)};
  if (smaller <= 3500 && parameters * rows <= 2e8 && !long_steps)
    return {{phase("lbfgs", 15), phase("lm", moving ? 500 : 300)},
            fmt::format("L-BFGS, then Levenberg–Marquardt: smooth, and its matrix of {:.0f} × {:.0f} is small ({})",
                        smaller, smaller, size)};
  if (parameters <= 10000)
    return {{phase("lbfgs", 15), phase("ssbroyden", 500)},
            fmt::format("L-BFGS, then self-scaled Broyden: smooth, and its matrix takes {:.0f} MB ({})",
                        broyden_bytes / 1e6, size)};
  return {{phase("adam", 5000), phase("lbfgs", 500)},
          fmt::format("Adam, then L-BFGS: dense matrices would be too large ({})", size)};
}

std::vector<std::map<std::string, double>> continued_constants(const Problem& problem) {
  if (problem.training_open || problem.recommendation.empty()) return {};
  const std::vector<PhaseSpec> recommended = recommended_training(problem).phases;
  std::vector<std::map<std::string, double>> constants;
  for (std::size_t i = 0; i < problem.phases.size(); ++i) {
    const PhaseSpec &own = problem.phases[i], &like = recommended[i % recommended.size()];
    if (own.optimizer != like.optimizer || own.epochs != like.epochs || own.until) return {};
    if (i % recommended.size() == 0) constants.push_back(own.constants);
    if (own.constants != constants.back()) return {};
  }
  const bool whole = problem.phases.size() % recommended.size() == 0;
  return whole && constants.size() > 1 ? constants : std::vector<std::map<std::string, double>>{};
}

Recommendation with_epochs(Recommendation recommendation, int epochs) {
  double all = 0;
  for (const PhaseSpec& phase : recommendation.phases) all += phase.epochs;
  std::vector<PhaseSpec> phases;
  int left = epochs;
  for (std::size_t i = 0; i < recommendation.phases.size(); ++i) {
    PhaseSpec phase = recommendation.phases[i];
    const bool last = i + 1 == recommendation.phases.size();
    phase.epochs = last ? left : static_cast<int>(std::lround(epochs * (phase.epochs / all)));
    left -= phase.epochs;
    if (phase.epochs > 0) phases.push_back(std::move(phase));
  }
  recommendation.phases = std::move(phases);
  return recommendation;
}

}  // namespace pecann::problem
