// The entry `accuracy` of a race: a search for an accuracy within the time of a trial, beside trainings by recipes.
#pragma once

#include <functional>
#include <optional>

#include "pecann/problem/problem.h"
#include "pecann/results/run_facts.h"
#include "pecann/results/summary_json.h"
#include "pecann/train/run_folder.h"
#include "pecann/verdict/race_table.h"

namespace pecann::cli {

/// Its result as a race takes it: the best attempt, and when that began.
struct RacedSearch {
  problem::Problem problem;   // as the best attempt was trained
  train::TrialSummary trial;  // with the seconds of the whole search
  double seconds_before = 0;  // of the attempts before the best one
};

/// What a race that was gone on with finds in the folder; nothing where no search has ended there.
std::optional<RacedSearch> ended_search(const train::RunFolder& folder);

/// Searches in the folder, which holds the problem as it was asked, and makes the best attempt its answer. Nothing
/// where a signal ended it, or no attempt came to an end.
std::optional<RacedSearch> race_search(const problem::Problem& problem, const train::RunFolder& folder,
                                       const results::RunFacts& facts,
                                       const std::function<void(const std::string&)>& tell);

/// The curve of the search: nothing before its best attempt, which begins late.
verdict::RaceTrial curve_of(const RacedSearch& search, const train::RunFolder& folder);

}  // namespace pecann::cli
