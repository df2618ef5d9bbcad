// Where the estimated error is large: its values on the nodes of pictures.
#pragma once

#include <vector>

#include "pecann/estimate/estimate.h"

namespace pecann::estimate {

/// The maps of the fields that the estimate trusts. The estimate must have an error.
std::vector<results::ErrorMap> maps_of_error(const problem::Problem& problem, const train::Solution& solution,
                                             const ErrorEstimate& estimate);

}  // namespace pecann::estimate
