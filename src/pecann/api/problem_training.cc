// How a Problem is to be trained: the public options into the draft.
#include "pecann/api/problem_data.h"
#include "pecann/problem.h"

namespace pecann {

Problem& Problem::penalty(const Penalty& penalty) {
  problem::PenaltySpec& spec = data_->draft.penalty;
  spec.strategy = penalty.strategy;
  spec.eta = penalty.eta;
  spec.beta = penalty.beta;
  spec.penalty_max = penalty.penalty_max;
  spec.zeta = penalty.zeta;
  spec.omega = penalty.omega;
  spec.epsilon = penalty.epsilon;
  spec.multiplier = penalty.multiplier;
  spec.penalty = penalty.penalty;
  return *this;
}

Problem& Problem::phase(const Phase& phase) {
  problem::PhaseSpec spec;
  spec.optimizer = phase.optimizer;
  spec.epochs = phase.epochs;
  spec.learning_rate = phase.learning_rate.value_or(phase.optimizer == "adam" ? 1e-3 : 1);
  spec.schedule = {.kind = phase.schedule.kind,
                   .factor = phase.schedule.factor.value_or(phase.schedule.kind == "step" ? 0.9 : 0.98),
                   .patience = phase.schedule.patience,
                   .every = phase.schedule.every};
  spec.mode = phase.mode;
  spec.options = phase.options;
  spec.until = phase.until;
  spec.constants = phase.constants;
  data_->draft.phases.push_back(std::move(spec));
  return *this;
}

Problem& Problem::windows(const Windows& windows) {
  const problem::WindowTry attempt{.start = windows.start};
  data_->draft.windows = {.count = windows.count, .normalise = windows.normalise, .usual = attempt, .first = attempt};
  return *this;
}

Problem& Problem::stop(const Stop& stop) {
  data_->draft.stop = {.epochs = stop.epochs,
                       .seconds = stop.seconds,
                       .loss = stop.loss,
                       .violation = stop.violation,
                       .error = stop.error,
                       .stall = stop.stall};
  return *this;
}

Problem& Problem::evaluation_grid(const std::vector<int>& nodes) {
  data_->draft.evaluate.grid = nodes;
  return *this;
}

Problem& Problem::seed(std::uint64_t seed) {
  data_->draft.seed = seed;
  return *this;
}

}  // namespace pecann
