#include "pecann/cli/race_search.h"

#include "pecann/accuracy/search.h"
#include "pecann/problem/problem_file.h"
#include "pecann/results/history_table.h"

namespace pecann::cli {
namespace {

/// The answer as a race takes it, from what summary.json keeps of it.
RacedSearch raced(problem::Problem problem, train::TrialSummary trial, const results::AccuracyAnswer& answer) {
  RacedSearch result{.problem = std::move(problem), .trial = std::move(trial)};
  double all = 0;
  for (std::size_t i = 0; i < answer.attempts.size(); ++i) {
    if (static_cast<int>(i) + 1 < answer.best) result.seconds_before += answer.attempts[i].seconds;
    all += answer.attempts[i].seconds;
  }
  result.trial.seconds = all;
  return result;
}

}  // namespace

std::optional<RacedSearch> ended_search(const train::RunFolder& folder) {
  if (!folder.has_problem()) return std::nullopt;
  problem::Problem problem = problem::read_problem(folder.read_problem(), folder.problem_file());
  const auto summary = results::read_sound_summary(folder, problem);
  if (!summary || !summary->accuracy || summary->trials.empty()) return std::nullopt;
  return raced(std::move(problem), summary->trials.front(), *summary->accuracy);
}

std::optional<RacedSearch> race_search(const problem::Problem& problem, const train::RunFolder& folder,
                                       const results::RunFacts& facts,
                                       const std::function<void(const std::string&)>& tell) {
  const accuracy::SearchOptions options{.seconds = problem.stop.seconds.value_or(accuracy::kUsualSeconds),
                                        .resume = true,
                                        .facts = facts,
                                        .observer = {},
                                        .tell = tell};
  const accuracy::SearchResult found = accuracy::search(problem, folder, options);
  if (found.ending == accuracy::Ending::Interrupted || found.best < 0) return std::nullopt;
  accuracy::adopt(found, folder);
  const accuracy::Ended& best = found.attempts[found.best];
  const results::AccuracyAnswer answer = accuracy::answer_of(problem, found);
  const train::TrialSummary trials[] = {best.trial};
  results::write_summary(folder, best.tried.attempt.problem, trials, facts,
                         {.estimate = best.estimate, .accuracy = answer});
  return raced(best.tried.attempt.problem, best.trial, answer);
}

verdict::RaceTrial curve_of(const RacedSearch& search, const train::RunFolder& folder) {
  verdict::RaceTrial trial =
      verdict::race_trial(search.problem, search.trial, results::read_history(folder.trial(1).history_file()));
  const std::size_t last = trial.curve.empty() ? 0 : trial.curve.size() - 1;  // the end, which has the whole time
  for (std::size_t i = 0; i < last; ++i) trial.curve[i].seconds += search.seconds_before;
  return trial;
}

}  // namespace pecann::cli
