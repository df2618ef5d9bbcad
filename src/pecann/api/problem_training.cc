// How a Problem is to be trained: the public options are copied into the draft.
#include <fmt/format.h>

#include "pecann/api/problem_data.h"
#include "pecann/base/input_error.h"
#include "pecann/optim/registry.h"
#include "pecann/problem.h"

namespace pecann {

Problem& Problem::penalty(const Penalty& penalty) {
  problem::PenaltySpec spec;  // with the defaults of problem files
  spec.strategy = penalty.strategy;
  spec.eta = penalty.eta;
  const auto set = [](const auto& given, auto& value) {
    if (given) value = *given;
  };
  set(penalty.beta, spec.beta);
  set(penalty.penalty_max, spec.penalty_max);
  set(penalty.zeta, spec.zeta);
  set(penalty.omega, spec.omega);
  set(penalty.epsilon, spec.epsilon);
  set(penalty.multiplier, spec.multiplier);
  set(penalty.penalty, spec.penalty);
  set(penalty.rebase, spec.rebase);
  set(penalty.sa_scale, spec.sa_scale);
  set(penalty.sa_power, spec.sa_power);
  set(penalty.sa_learning_rate, spec.sa_learning_rate);
  data_->draft.penalty = std::move(spec);
  return *this;
}

Problem& Problem::phase(const Phase& phase) {
  problem::PhaseSpec spec;
  spec.optimizer = phase.optimizer;
  spec.epochs = phase.epochs;
  spec.mode = phase.mode;
  if (const optim::OptimizerRow* const row = optim::find_optimizer(phase.optimizer, phase.mode))
    spec.learning_rate = row->learning_rate;  // a word that is none is refused when the draft is read
  if (phase.learning_rate) spec.learning_rate = *phase.learning_rate;
  spec.schedule.kind = phase.schedule.kind;
  const auto set = [&](const char* name, const std::optional<double>& value) {
    if (value) spec.schedule.options[name] = *value;
  };
  set("factor", phase.schedule.factor);
  set("patience", phase.schedule.patience);
  set("every", phase.schedule.every);
  set("floor", phase.schedule.floor);
  spec.options = phase.options;
  spec.until = phase.until;
  spec.constants = phase.constants;
  data_->draft.phases.push_back(std::move(spec));
  return *this;
}

namespace {

problem::WindowTry try_spec(const std::string& key, const WindowTry& attempt) {
  return {.start = value_named<problem::WindowStart>(key + ".start", attempt.start),
          .grow = attempt.grow,
          .epochs = attempt.epochs};
}

}  // namespace

Problem& Problem::windows(const Windows& windows) {
  problem::WindowSpec spec;
  spec.count = windows.count;
  spec.normalise = value_named<problem::Normalise>("windows.normalise", windows.normalise);
  spec.curvature = value_named<problem::Curvature>("windows.curvature", windows.curvature);
  spec.usual = try_spec("windows", {.start = windows.start, .grow = windows.grow});
  spec.first = windows.first ? try_spec("windows.first", *windows.first) : spec.usual;
  spec.retry = windows.retry ? try_spec("windows.retry", *windows.retry) : problem::default_retry(spec.usual);
  spec.check = windows.check;
  spec.check_points = windows.check_points;
  spec.give_up = windows.give_up;
  data_->draft.windows = std::move(spec);
  return *this;
}

Problem& Problem::held_out(const HeldOut& held_out) {
  const problem::Keep keep = value_named<problem::Keep>("held_out.keep", held_out.keep);
  data_->draft.held_out = {
      .keep = keep, .watch = keep == problem::Keep::Best || held_out.every > 0, .every = held_out.every};
  return *this;
}

Problem& Problem::evaluation(const Evaluation& evaluation) {
  data_->draft.evaluate = {.grid = evaluation.grid,
                           .mesh = evaluation.mesh,
                           .every = evaluation.every,
                           .final_only = evaluation.final_only,
                           .measures = evaluation.measures,
                           .at = evaluation.at};
  data_->draft.reference = evaluation.reference;
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
  if (seed > problem::kMostSeed)
    throw InputError({.key = "seed",
                      .value = std::to_string(seed),
                      .rule = fmt::format("must be a whole number from 0 to {}", problem::kMostSeed)});
  data_->draft.seed = seed;
  return *this;
}

}  // namespace pecann
