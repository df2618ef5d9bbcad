#include "pecann/train/trainer.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "pecann/base/require.h"
#include "pecann/train/stop_rules.h"
#include "pecann/train/window_check.h"

namespace pecann::train {

Trainer::Trainer(const problem::Problem& problem, std::uint64_t seed, Extensions extensions, Communicator& ranks)
    : problem_(&problem),
      seed_(seed),
      extensions_(std::move(extensions)),
      finished_(problem, seed),
      recorder_(problem, ranks) {
  require(!problem.phases.empty(), "a problem has at least one phase");
  if (extensions_.head_start) recorder_.count_seconds(extensions_.head_start->seconds);
  attempt_ = std::make_unique<WindowAttempt>(basis(), 0, 0, 0);
  if (extensions_.standard_errors.at && !problem.parameters.empty() && ranks.rank() == 0)
    scalar_watch_.emplace(problem, attempt_->evaluator(),
                          extensions_.standard_errors.flops(problem, solution_with(attempt_->parameters())));
}

void Trainer::start_from(std::vector<double> parameters) {
  require(parameters.size() == attempt_->parameters().size(),
          "start parameters have the model's length; checked by the caller");
  attempt_->set_parameters(std::move(parameters));
}

Outcome Trainer::run() {
  recorder_.start_clock();
  std::optional<Outcome> outcome;
  if (attempt_->epoch() > 0) outcome = reason_to_stop();  // the last run may have ended for a reason that still holds
  while (true) {
    outcome = train_window(outcome);
    if (outcome && (at_last_window() || !ends_part_only(*outcome))) return with_reported_iterate(*outcome);
    if (at_last_window()) return with_reported_iterate(outcome_of_last_phase());
    begin_next_window();
    outcome.reset();
  }
}

std::optional<Outcome> Trainer::train_window(std::optional<Outcome> standing) {
  std::optional<Outcome> outcome = train_attempt(standing);
  while (true) {
    const bool trained = !outcome || ends_part_only(*outcome) || outcome->termination == Termination::NotFinite;
    if (!trained || check_trained_window(outcome) == WindowCheck::Done) return outcome;
    begin_second_try();
    outcome = train_attempt(std::nullopt);
  }
}

std::optional<Outcome> Trainer::train_attempt(std::optional<Outcome> standing) {
  std::optional<Outcome> outcome = train_part(standing);
  while (!attempt_->at_last_part() && (!outcome || ends_part_only(*outcome))) {
    attempt_->to_next_part();
    outcome = train_part(std::nullopt);
  }
  return outcome;
}

std::optional<Outcome> Trainer::train_part(std::optional<Outcome> standing) {
  if (standing) return standing;
  std::optional<Outcome> outcome = train_phase();
  while (!outcome && !attempt_->at_last_phase()) {
    attempt_->to_next_phase();
    outcome = train_phase();
  }
  return outcome;
}

std::optional<Outcome> Trainer::train_phase() {
  attempt_->begin_phase();
  std::optional<Outcome> outcome;
  while (!outcome && !attempt_->phase().over()) outcome = train_epoch();
  return outcome;
}

std::optional<Outcome> Trainer::train_epoch() {
  WindowAttempt& now = *attempt_;
  Phase& phase = now.phase();
  Timings& timings = recorder_.timings();
  const optim::StepSummary step = now.step(timings);  // with frozen multipliers, on points drawn anew where asked
  const evaluate::TermValues& values = now.values_after_step(timings);
  const double loss = now.lagrangian(values);
  if (!std::isfinite(loss) || step.outcome == optim::StepOutcome::NotFinite) return now.undo_step();

  now.count_epoch();
  recorder_.take(now.record(step, values, loss), now.error_norms(), now.parameters());
  if (const auto held_out = now.look_at_held_out(step)) recorder_.add_held_out(*held_out);
  watch_scalars();
  phase.advance(loss);
  const bool duals_changed = now.update_duals(values, loss, timings);
  const bool points_changed = now.change_points() || now.redraws();

  std::optional<Outcome> outcome = reason_to_stop(step.known);
  const bool duals_matter = duals_changed && !phase.method().features_only;
  phase.look_for_early_end(loss, step.outcome == optim::StepOutcome::Moved || duals_matter || points_changed);
  if (outcome || phase.ends_early()) recorder_.mark_end_of_phase(now.error_norms(), now.parameters());
  if (recorder_.tell_observers() && !(outcome && is_end_of_trial(*outcome)))
    outcome = {
        Termination::Interrupted, fmt::format("stopped after epoch {}", now.epoch()), {Cause::Kind::Observer, "", {}}};
  return outcome;
}

void Trainer::watch_scalars() {
  if (!scalar_watch_ || !scalar_watch_->due(recorder_.last(), recorder_.total_epochs())) return;
  double cost = 0;
  {
    const Stopwatch watch(cost);
    recorder_.add_standard_errors(
        extensions_.standard_errors.at(*problem_, solution_with(attempt_->parameters()), seed_));
  }
  recorder_.timings()[Timing::Errors] += cost;
  scalar_watch_->taken(recorder_.last(), cost);
}

std::optional<Outcome> Trainer::reason_to_stop(bool known) {
  const EpochRecord& record = recorder_.last();
  if (std::optional<Outcome> outcome = target_reached(*problem_, record)) return outcome;
  LowestLoss lowest{.loss = record.loss, .epoch = record.epoch};
  if (has_own_constants(*problem_, record)) {  // the losses of other problems are neither lower nor higher
    attempt_->lowest().see(record);
    lowest = attempt_->lowest();
  }
  problem::StopSpec stop = problem_->stop;
  if (known) stop.seconds.reset();
  return limit_reached(stop, record, lowest, attempt_->epochs_before(), spent_seconds_);
}

bool Trainer::is_end_of_trial(const Outcome& outcome) const {
  return !ends_part_only(outcome) || (at_last_window() && attempt_->at_last_part() && problem_->windows.check.empty());
}

Outcome Trainer::outcome_of_last_phase() const {
  if (attempt_->phase().stalled())
    return {
        Termination::Stalled,
        fmt::format("after epoch {} neither the parameters nor the multipliers can change any more", attempt_->epoch()),
        {Cause::Kind::NothingChanges, "", {}}};
  return {Termination::EpochsDone,
          fmt::format("all {} epochs done", recorder_.total_epochs()) + second_tries(reports_),
          {Cause::Kind::PhasesDone, "", {}}};
}

Outcome Trainer::with_reported_iterate(Outcome outcome) {
  attempt_->choose_iterate();
  if (const std::optional<HeldOutChoice>& choice = attempt_->choice(); choice && choice->best_reported)
    outcome.message += fmt::format(
        "; reported is epoch {}, the best on held-out points: the Lagrangian of the last one is {:.3g} times "
        "as large there",
        choice->epoch, choice->last_over_best);
  return outcome;
}

void Trainer::begin_next_window() {
  attempt_->choose_iterate();
  const std::span<const double> reported = attempt_->reported_parameters();
  finished_.add_window({reported.begin(), reported.end()});
  first_try_.clear();
  attempt_ = std::make_unique<WindowAttempt>(basis(), attempt_->window() + 1, 0, 0, attempt_->hand_over());
}

void Trainer::begin_second_try() {
  const std::span<const double> reported = attempt_->reported_parameters();
  first_try_.assign(reported.begin(), reported.end());
  WindowAttempt::Legacy legacy = attempt_->hand_over();
  legacy.phase.reset();  // what failed is not remembered
  attempt_ = std::make_unique<WindowAttempt>(basis(), attempt_->window(), 1, attempt_->epoch(), std::move(legacy));
}

Trainer::WindowCheck Trainer::check_trained_window(std::optional<Outcome>& outcome) {
  const problem::WindowSpec& windows = problem_->windows;
  if (windows.check.empty()) return WindowCheck::Done;
  const Window window{attempt_->window(), windows.count};
  WindowReport report{
      .window = window.index, .attempt = attempt_->attempt(), .epochs = attempt_->epoch() - attempt_->epochs_before()};
  if (outcome && outcome->termination == Termination::NotFinite) {
    report.not_finite = outcome->message;
  } else {
    attempt_->choose_iterate();
    report.checks = check_window(*problem_, seed_, window, finished_, attempt_->reported_parameters());
  }
  // A trial that ended after this check and is resumed checks again: its limits may have changed.
  if (!reports_.empty() && reports_.back().window == report.window && reports_.back().attempt == report.attempt)
    reports_.pop_back();
  reports_.push_back(report);
  recorder_.tell_observers(report);
  if (report.passed()) return WindowCheck::Done;
  if (report.attempt == 0) return WindowCheck::TryAgain;
  const WindowReport& first = reports_[reports_.size() - 2];
  if (first.excess() < report.excess()) attempt_->set_parameters(first_try_);
  if (std::min(first.excess(), report.excess()) <= windows.give_up) {
    if (!report.not_finite.empty()) outcome.reset();
    return WindowCheck::Done;
  }
  const sampling::Box box = window_box(*problem_, window);
  outcome = {Termination::CheckFailed,
             fmt::format("window {} of {}, {} from {:.6g} to {:.6g}, failed its check twice: {}; then {}",
                         window.index + 1, windows.count, box.names[box.time], box.lower[box.time], box.upper[box.time],
                         check_text(first), check_text(report)),
             {Cause::Kind::WindowCheck, "", {}}};
  return WindowCheck::Done;
}

Solution Trainer::solution() const { return solution_with(reported_parameters()); }

Solution Trainer::solution_with(std::span<const double> parameters) const {
  Solution all(*problem_, seed_);
  for (int w = 0; w < finished_.num_windows(); ++w)
    all.add_window({finished_.parameters(w).begin(), finished_.parameters(w).end()});
  all.add_window({parameters.begin(), parameters.end()});
  return all;
}

std::vector<FieldError> Trainer::measure_errors() {
  if (problem_->windows.count > 1 && at_last_window() && !problem_->evaluate.final_only)
    return solution_errors(*problem_, solution());
  return attempt_->error_norms().measure(reported_parameters());
}

}  // namespace pecann::train
