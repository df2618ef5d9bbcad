// The windows of a trial: how they begin, grow, are checked, and are tried again.
#include <limits>

#include <fmt/format.h>

#include "pecann/penalty/registry.h"
#include "pecann/train/trainer.h"
#include "pecann/train/window_check.h"

namespace pecann::train {

void Trainer::begin_window() {
  attempt_ = 0;
  epoch_ = 0;
  first_try_.clear();
  begin_attempt();
}

const problem::WindowTry& Trainer::attempt() const {
  const problem::WindowSpec& windows = problem_->windows;
  return attempt_ > 0 ? windows.retry : window_ == 0 ? windows.first : windows.usual;
}

std::vector<double> Trainer::start_parameters() const {
  if (window_ == 0 || attempt().start == problem::WindowStart::Fresh) {
    // Every window draws its own random start, and another one for its second try.
    const auto window = static_cast<std::uint64_t>(window_), attempt = static_cast<std::uint64_t>(attempt_);
    return assembly_->model().initial_parameters(seed_ + 1000003u * window + 7919u * attempt);
  }
  const auto before = finished_.parameters(window_ - 1);
  if (attempt().start == problem::WindowStart::Extrapolate) return extrapolated(*problem_, assembly_->model(), before);
  return {before.begin(), before.end()};
}

void Trainer::begin_attempt() {
  phase_index_ = part_ = 0;
  assemble();
  strategy_ = extensions_.make_strategy ? extensions_.make_strategy() : penalty::make_strategy(problem_->penalty);
  duals_ = strategy_->start(assembly_->evaluator().num_constraint_entries());
  parameters_ = start_parameters();
  attempt_begin_ = best_epoch_ = epoch_;
  epoch_in_phase_ = 0;
  best_loss_ = std::numeric_limits<double>::infinity();
  phase_.reset();
  begin_watch();
}

void Trainer::begin_watch() {
  const std::unique_ptr<HeldOut> earlier = std::move(held_out_);
  choice_.reset();
  if (!problem_->held_out.watch) return;
  const Window window{window_, problem_->windows.count, part_, attempt().grow};
  held_out_ = std::make_unique<HeldOut>(*problem_, seed_, window, finished_, assembly_->evaluator());
  if (earlier) held_out_->start_like(*earlier);
}

void Trainer::end_part() {
  if (problem_->windows.curvature == problem::Curvature::Previous) earlier_phase_ = std::move(phase_);
  phase_.reset();
}

Trainer::WindowEnd Trainer::close_window(std::optional<Outcome>& outcome) {
  const problem::WindowSpec& windows = problem_->windows;
  if (windows.check.empty()) return WindowEnd::Done;
  WindowReport report{.window = window_, .attempt = attempt_, .epochs = epoch_ - attempt_begin_};
  if (outcome && outcome->termination == Termination::NotFinite) {
    report.not_finite = outcome->message;
  } else {
    choose_iterate();
    report.checks = check_window(*problem_, seed_, {window_, windows.count}, finished_, reported_parameters());
  }
  // A trial that ended after this check and is resumed checks again: its limits may have changed.
  if (!reports_.empty() && reports_.back().window == window_ && reports_.back().attempt == attempt_)
    reports_.pop_back();
  reports_.push_back(report);
  for (EpochObserver* observer : observers_) observer->on_window(report);
  if (report.passed()) return WindowEnd::Done;
  if (attempt_ == 0) {
    first_try_.assign(reported_parameters().begin(), reported_parameters().end());
    attempt_ = 1;
    begin_attempt();
    return WindowEnd::Again;
  }
  const WindowReport& first = reports_[reports_.size() - 2];
  if (first.excess() < report.excess()) parameters_ = first_try_;
  if (std::min(first.excess(), report.excess()) <= windows.give_up) {
    if (!report.not_finite.empty()) outcome.reset();
    return WindowEnd::Done;
  }
  const sampling::Box box = window_box(*problem_, {window_, windows.count});
  outcome = {Termination::CheckFailed,
             fmt::format("window {} of {}, {} from {:.6g} to {:.6g}, failed its check twice: {}; then {}", window_ + 1,
                         windows.count, box.names[box.time], box.lower[box.time], box.upper[box.time],
                         check_text(first), check_text(report))};
  return WindowEnd::Done;
}

}  // namespace pecann::train
