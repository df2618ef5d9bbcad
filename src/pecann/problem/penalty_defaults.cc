#include "pecann/problem/penalty_defaults.h"

#include <algorithm>

#include "pecann/optim/registry.h"

namespace pecann::problem {

double default_eta(const Problem& problem) {
  if (problem.penalty.eta) return *problem.penalty.eta;
  const auto eta_of = [](const PhaseSpec& phase) { return optim::optimizer_row(phase.optimizer, phase.mode).eta; };
  double eta = problem.phases.empty() ? 1 : eta_of(problem.phases.front());
  for (const PhaseSpec& phase : problem.phases)
    if (eta_of(phase) > 1) eta = std::max(eta, eta_of(phase));
  return eta;
}

std::string default_strategy(const Problem& problem) {
  const bool second_order = std::ranges::any_of(problem.phases, [](const PhaseSpec& phase) {
    return optim::optimizer_row(phase.optimizer, phase.mode).second_order;
  });
  return second_order ? "balance" : "capu";
}

}  // namespace pecann::problem
