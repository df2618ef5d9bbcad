#include "pecann/accuracy/search.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>

#include "pecann/accuracy/grown_network.h"
#include "pecann/accuracy/next_attempt.h"
#include "pecann/accuracy/no_more.h"
#include "pecann/accuracy/outcome.h"
#include "pecann/base/input_error.h"
#include "pecann/estimate/estimate.h"
#include "pecann/estimate/standard_errors.h"
#include "pecann/problem/problem_file.h"
#include "pecann/results/summary_json.h"
#include "pecann/results/trained_state.h"
#include "pecann/train/run_inputs.h"
#include "pecann/train/start_file.h"
#include "pecann/train/trials.h"

namespace pecann::accuracy {
namespace {

constexpr double kShareOfRest = 0.5;      // of the time that is left, for one attempt
constexpr double kShareOfWindows = 0.25;  // the same for solves in windows, which fail at fronts, and late
constexpr double kLeastAttempt = 5;       // seconds of the first attempt, where the choice has taken all of them
constexpr double kLeastEstimate = 5;      // seconds that an estimate may take at least
constexpr double kShareOfEstimate = 0.3;  // of the time that is left, for one estimate
constexpr std::size_t kLongestReason = 200;

class Clock {
 public:
  double seconds() const { return std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count(); }

 private:
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

/// Ends a chain of windows, solved step by step, once one of them ends with more than kLost of the loss that the first
/// step of the first one left: what comes after it begins from a wrong state.
class ChainWatch final : public train::EpochObserver {
 public:
  ChainWatch(std::unique_ptr<train::EpochObserver> other, bool& lost) : other_(std::move(other)), lost_(&lost) {}
  train::Directive on_epoch(const train::EpochRecord& record) override {
    constexpr double kLost = 1e-3;
    if (first_ < 0) first_ = record.loss;
    if (record.phase_ends && record.epoch > 1 && record.loss > kLost * first_) *lost_ = true;
    const train::Directive wanted = other_ ? other_->on_epoch(record) : train::Directive::Continue;
    return *lost_ ? train::Directive::Stop : wanted;
  }
  void on_window(const train::WindowReport& report) override {
    if (other_) other_->on_window(report);
  }

 private:
  std::unique_ptr<train::EpochObserver> other_;
  bool* lost_;
  double first_ = -1;
};

class SearchRun {
 public:
  SearchRun(const problem::Problem& problem, const train::RunFolder& folder, const SearchOptions& options)
      : problem_(problem), folder_(folder), options_(options), planner_(problem) {}

  SearchResult run() {
    while (true) {
      if (rest() <= 0) return ended(Ending::TimeUp);
      if (train::stop_requested()) return ended(Ending::Interrupted);
      const Clock clock;
      std::optional<Attempt> attempt = planner_.next(tried_);
      choosing_ = clock.seconds();
      if (!attempt) return ended(Ending::NothingLeft);
      if (rest() <= choosing_ && best_so_far() >= 0)
        return ended(Ending::TimeUp);  // the choice itself took what was left
      if (!take(std::move(*attempt))) return ended(Ending::Interrupted);
      const Outcome& last = tried_.back().outcome;
      if (!last.failed && last.of_another.empty() && last.most <= *problem_.accuracy) return ended(Ending::Reached);
      if (result_.evidence = noise_decides(tried_, *problem_.accuracy); !result_.evidence.empty())
        return ended(Ending::NoiseDecides);
      if (result_.evidence = nothing_helps(tried_); !result_.evidence.empty()) return ended(Ending::NothingHelps);
    }
  }

 private:
  double rest() const { return options_.seconds - spent_; }

  /// The best attempt that has ended; -1 where all failed.
  int best_so_far() const {
    int best = -1;
    for (std::size_t i = 0; i < tried_.size(); ++i)
      if (!tried_[i].outcome.failed && (best < 0 || better(tried_[i].outcome, tried_[best].outcome)))
        best = static_cast<int>(i);
    return best;
  }

  SearchResult ended(Ending ending) {
    result_.ending = ending;
    if (const int best = best_so_far(); best >= 0) result_.best = best;
    return std::move(result_);
  }

  /// Trains and estimates, or reads what an earlier call left; false where a signal asked to stop before the end.
  bool take(Attempt attempt) {
    const int number = static_cast<int>(tried_.size()) + 1;
    const train::RunFolder own = folder_.attempt(number);
    attempt.problem.trials = 1;
    attempt.problem.accuracy.reset();
    const double share = attempt.means == Means::WindowsFeatures ? kShareOfWindows : kShareOfRest;
    attempt.problem.stop.seconds = std::max(kLeastAttempt, share * (rest() - choosing_));
    options_.tell(fmt::format("attempt {}: {} ({})", number, attempt.what, attempt.why));
    const bool begun = options_.resume && own.has_problem();
    if (begun) {
      attempt.problem = problem::read_problem(own.read_problem(), own.problem_file());
    } else {
      own.make();
      own.write_problem(problem::write_problem(attempt.problem, train::input_names(own, attempt.problem)));
    }
    if (const auto known = begun ? ended_before(own, attempt.problem) : std::nullopt)
      return add(std::move(attempt), known->trials.front(), *known->estimate);
    train::TrialsOptions trials{
        .resume = begun, .checkpoint_seconds = options_.checkpoint_seconds, .view_seconds = options_.view_seconds};
    trials.extensions.standard_errors = estimate::watched_scalars();
    trials.extensions.head_start = attempt.head_start;
    if (attempt.begins_with) {
      if (!train::run_file_exists(own.start_file())) write_start(own, attempt.problem, *attempt.begins_with);
      trials.start = train::read_start(own, attempt.problem);
    }
    bool lost = false;
    trials.observer = [&](int) -> std::unique_ptr<train::EpochObserver> {
      auto observer = options_.observer ? options_.observer(attempt.problem, number) : nullptr;
      if (attempt.means != Means::WindowsFeatures) return observer;
      return std::make_unique<ChainWatch>(std::move(observer), lost);
    };
    const train::TrialSummary trial = train::run_trials(attempt.problem, own, trials).front();
    if (!lost && trial.outcome.termination == train::Termination::Interrupted) {
      keep_unfinished(std::move(attempt), own, trial);
      return false;
    }
    const results::RunEstimate estimate = estimated(attempt.problem, own, trial);
    const train::TrialSummary summaries[] = {trial};
    results::write_summary(own, attempt.problem, summaries, options_.facts, {.estimate = estimate});
    return add(std::move(attempt), trial, estimate);
  }

  /// An attempt that a signal cut is the answer, with an estimate of what it has, where no other has ended. Its folder
  /// stays without a summary: a search that goes on resumes it.
  void keep_unfinished(Attempt attempt, const train::RunFolder& own, const train::TrialSummary& trial) {
    const bool answered = std::ranges::any_of(tried_, [](const Tried& tried) { return !tried.outcome.failed; });
    if (answered || trial.epochs == 0 || has_failed(attempt.problem, trial)) return;
    const results::RunEstimate estimate = estimated(attempt.problem, own, trial);
    const Outcome outcome = outcome_of(attempt.problem, trial, estimate);
    result_.best = static_cast<int>(result_.attempts.size());
    result_.attempts.push_back({{std::move(attempt), outcome}, trial, estimate});
  }

  /// The parameters that an earlier attempt ended with, as larger networks have them where these are larger.
  void write_start(const train::RunFolder& own, const problem::Problem& problem, int earlier) const {
    const problem::Problem& before = tried_[earlier].attempt.problem;
    const train::Solution solution = train::load_solution(before, folder_.attempt(earlier + 1), 1);
    const auto parameters = solution.parameters(0);
    std::vector<double> start(parameters.begin(), parameters.end());
    if (can_grow(before, problem)) start = grown_parameters(before, parameters, problem, problem.seed);
    train::write_start(own, start);
  }

  results::RunEstimate estimated(const problem::Problem& problem, const train::RunFolder& own,
                                 const train::TrialSummary& trial) const {
    if (has_failed(problem, trial)) return {};
    try {
      const train::Solution solution = train::load_solution(problem, own, 1);
      const double most = std::max(kLeastEstimate, kShareOfEstimate * (rest() - choosing_ - trial.seconds));
      return estimate::estimate_error(problem, solution, trial.seed, {.most_seconds = most}).summary();
    } catch (const InputError& error) {  // too large for an estimate
      results::RunEstimate none;
      none.decided = error.what();
      return none;
    }
  }

  bool add(Attempt attempt, const train::TrialSummary& trial, const results::RunEstimate& estimate) {
    Outcome outcome = outcome_of(attempt.problem, trial, estimate);
    if (!outcome.failed) {
      results::TrainedState state =
          results::load_state(attempt.problem, folder_.attempt(static_cast<int>(tried_.size()) + 1), 1);
      outcome.evidence = evidence_of(attempt.problem, state);
    }
    outcome.seconds += choosing_;
    spent_ += outcome.seconds;
    std::string text = fmt::format("attempt {}: {}", tried_.size() + 1, error_text(outcome));
    if (outcome.failed) text += ": " + shortened(trial.outcome.message, kLongestReason);
    if (const int best = best_so_far(); best >= 0)
      text += better(outcome, tried_[best].outcome)
                  ? fmt::format(", better than attempt {}", best + 1)
                  : fmt::format("; attempt {} stays the best: {}", best + 1, error_text(tried_[best].outcome));
    options_.tell(fmt::format("{}; {:.1f} s, {:.0f} s left", text, outcome.seconds, std::max(0.0, rest())));
    tried_.push_back({std::move(attempt), outcome});
    result_.attempts.push_back({tried_.back(), trial, estimate});
    return true;
  }

  const problem::Problem& problem_;
  const train::RunFolder& folder_;
  const SearchOptions& options_;
  Planner planner_;
  std::vector<Tried> tried_;
  SearchResult result_;
  double spent_ = 0, choosing_ = 0;  // seconds: of attempts that have ended, and of the choice of the present one
};

}  // namespace

SearchResult search(const problem::Problem& problem, const train::RunFolder& folder, const SearchOptions& options) {
  return SearchRun(problem, folder, options).run();
}

void adopt(const SearchResult& result, const train::RunFolder& folder) {
  if (result.best < 0) return;
  const Attempt& attempt = result.attempts[result.best].tried.attempt;
  folder.attempt(result.best + 1).trial(1).copy_to(folder.trial(1));
  folder.write_problem(problem::write_problem(attempt.problem, train::input_names(folder, attempt.problem)));
}

std::string ending_text(const problem::Problem& problem, const SearchResult& result) {
  const std::string asked = fmt::format("accuracy {:g} ", *problem.accuracy);
  const std::string none = result.attempts.empty()
                               ? "no attempt ended"
                               : "every attempt failed, the last: " +
                                     shortened(result.attempts.back().trial.outcome.message, kLongestReason);
  const std::string best = result.best < 0 ? none
                                           : fmt::format("attempt {} is the best: {}", result.best + 1,
                                                         error_text(result.attempts[result.best].tried.outcome));
  switch (result.ending) {
    case Ending::Reached:
      return asked + "reached; " + best;
    case Ending::TimeUp:
      return asked + "not reached in the time given; " + best;
    case Ending::NothingLeft:
      return asked + "not reached, and nothing is left to try; " + best;
    case Ending::NothingHelps:
      return asked + "not reached, and nothing helps: " + result.evidence + "; " + best;
    case Ending::NoiseDecides:
      return asked + "not reached: noise in the data decides; " + result.evidence + "; " + best;
    case Ending::Interrupted:
      return asked + "not reached yet: stopped; " + best;
  }
  return asked;
}

results::AccuracyAnswer answer_of(const problem::Problem& problem, const SearchResult& result) {
  results::AccuracyAnswer answer{.asked = *problem.accuracy,
                                 .reached = result.ending == Ending::Reached,
                                 .ending = ending_text(problem, result),
                                 .seconds = problem.stop.seconds.value_or(kUsualSeconds),
                                 .stopped_by = result.ending == Ending::TimeUp        ? "time"
                                               : result.ending == Ending::Interrupted ? "signal"
                                                                                      : "",
                                 .best = result.best + 1,
                                 .attempts = {}};
  for (const Ended& ended : result.attempts) {
    const Outcome& outcome = ended.tried.outcome;
    answer.attempts.push_back({ended.tried.attempt.what, ended.tried.attempt.why,
                               std::isfinite(outcome.error) ? outcome.error : std::numeric_limits<double>::quiet_NaN(),
                               outcome.trusted, outcome.seconds});
  }
  return answer;
}

}  // namespace pecann::accuracy
