#include "pecann/reproduce/search_unit.h"

#include <fmt/format.h>

#include "pecann/accuracy/search.h"
#include "pecann/problem/problem_file.h"

namespace pecann::reproduce {

std::optional<train::TrialSummary> search_unit(problem::Problem problem, const train::RunFolder& folder, int trial,
                                               const CampaignOptions& options) {
  const train::RunFolder own(fmt::format("{}/search-{}", folder.path(), trial));
  own.make();
  problem.seed += static_cast<std::uint64_t>(trial - 1);
  problem.trials = 1;
  if (!own.has_asked_problem()) own.write_asked_problem(problem::write_asked(problem));
  accuracy::SearchOptions search{.seconds = problem.stop.seconds.value_or(accuracy::kUsualSeconds),
                                 .resume = true,
                                 .checkpoint_seconds = options.checkpoint_seconds,
                                 .facts = results::facts_of_this_machine(),
                                 .observer = {},
                                 .tell = options.say};
  search.facts.simd = options.simd;
  const accuracy::SearchResult found = accuracy::search(problem, own, search);
  if (found.ending == accuracy::Ending::Interrupted || found.best < 0) return std::nullopt;
  accuracy::adopt(found, own);
  options.say(accuracy::ending_text(problem, found));
  train::TrialSummary best = found.attempts[found.best].trial;
  best.trial = trial;
  best.seed = problem.seed;
  best.seconds = 0;
  for (const accuracy::Ended& ended : found.attempts) best.seconds += ended.tried.outcome.seconds;
  return best;
}

}  // namespace pecann::reproduce
