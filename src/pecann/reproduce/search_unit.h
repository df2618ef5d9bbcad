// A unit of a campaign that is a search for an accuracy.
#pragma once

#include <optional>

#include "pecann/reproduce/campaign.h"

namespace pecann::reproduce {

/// Searches in FOLDER/search-TRIAL, with the seed of the trial, and goes on there after a stop. The best attempt as the
/// trial, with the seconds of the whole search; nothing where a signal ended it, or no attempt came to an end.
std::optional<train::TrialSummary> search_unit(problem::Problem problem, const train::RunFolder& folder, int trial,
                                               const CampaignOptions& options);

}  // namespace pecann::reproduce
