// What came of an attempt: from its training and its estimate, or from the summary that an earlier call left.
#pragma once

#include <optional>
#include <string>

#include "pecann/accuracy/attempt.h"
#include "pecann/results/estimate.h"
#include "pecann/results/summary_json.h"
#include "pecann/train/run_folder.h"
#include "pecann/train/trial.h"

namespace pecann::accuracy {

bool has_failed(const problem::Problem& problem, const train::TrialSummary& trial);

Outcome outcome_of(const problem::Problem& problem, const train::TrialSummary& trial,
                   const results::RunEstimate& estimate);

/// The summary of an attempt that an earlier call has ended; nothing where there is none, or one that the search has
/// not written: then the attempt is gone on with and estimated anew.
std::optional<results::RunSummary> ended_before(const train::RunFolder& own, const problem::Problem& problem);

/// The error in words: "estimated error 1.3e-05 (not trusted)".
std::string error_text(const Outcome& outcome);

}  // namespace pecann::accuracy
