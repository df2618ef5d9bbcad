#include "pecann/problem/recommended.h"

#include <algorithm>

#include <fmt/format.h>

namespace pecann::problem {
namespace {

PhaseSpec phase(std::string optimizer, int epochs) {
  PhaseSpec spec;
  spec.optimizer = std::move(optimizer);
  spec.epochs = epochs;
  spec.learning_rate = spec.optimizer == "adam" ? 1e-3 : 1;
  return spec;
}

/// Residuals of all terms; a file of points counts as a thousand, since it is not opened here.
double count_residuals(const Problem& problem) {
  double rows = 0;
  for (const TermSpec& term : problem.terms) {
    const TermSpec* owner = &term;
    for (const TermSpec& other : problem.terms)
      if (other.name == term.points_of) owner = &other;
    const double points = owner->points_file.empty() ? sampling::count_points(problem.box, owner->regions, owner->points) : 1000;
    rows += points * static_cast<double>(term.equation_texts.size());
  }
  return rows;
}

}  // namespace

double count_parameters(const NetworkSpec& network) {
  double count = 0;
  auto width = static_cast<double>(network.inputs.size());
  for (std::size_t layer = 0; layer < network.hidden.size(); ++layer) {
    const double next = network.hidden[layer];
    if (layer > 0 || !network.fourier_sigma) count += (width + 1) * next;
    width = next;
  }
  return count + (width + 1) * static_cast<double>(network.fields.size());
}

void recommend_training(Problem& problem) {
  auto parameters = static_cast<double>(problem.parameters.size());
  for (const NetworkSpec& network : problem.networks) parameters += count_parameters(network);
  const double rows = count_residuals(problem);
  const bool squares = std::all_of(problem.terms.begin(), problem.terms.end(),
                                   [](const TermSpec& term) { return term.distance == Distance::Square; });
  const bool batches = std::any_of(problem.terms.begin(), problem.terms.end(), [](const TermSpec& term) {
    return term.batch > 0 || term.points.redraw_every > 0;
  });
  const std::string size = fmt::format("{:.0f} parameters, {:.0f} residuals", parameters, rows);
  if (batches) {
    problem.phases = {phase("adam", 20000)};
    problem.recommendation = "Adam, because points change during training (" + size + ")";
  } else if (squares && std::min(parameters, rows) <= 3500 && parameters * rows <= 2e8) {
    problem.phases = {phase("lbfgs", 15), phase("lm", 300)};
    problem.recommendation = "L-BFGS, then Levenberg–Marquardt: its matrix is small (" + size + ")";
  } else if (parameters <= 10000) {
    problem.phases = {phase("lbfgs", 15), phase("ssbroyden", 500)};
    problem.recommendation = "L-BFGS, then self-scaled Broyden: its matrix fits (" + size + ")";
  } else {
    problem.phases = {phase("adam", 5000), phase("lbfgs", 500)};
    problem.recommendation = "Adam, then L-BFGS: too large for dense matrices (" + size + ")";
  }
}

}  // namespace pecann::problem
