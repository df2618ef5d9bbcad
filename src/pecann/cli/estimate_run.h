// The error estimate of a run, as commands make it and people read it.
#pragma once

#include <span>
#include <string>

#include "pecann/estimate/estimate.h"
#include "pecann/train/trial.h"

namespace pecann::cli {

/// A table of fields and scalars: estimate, range, trusted or not, what decided; with true errors where they are known.
std::string estimate_text(const problem::Problem& problem, const results::RunEstimate& estimate,
                          std::span<const train::FieldError> errors);

/// What an automatic estimate after `seconds` of training may take: a fifth of them; of a solution in parts, whose
/// solve is repeated with more features, three times as long.
double affordable_seconds(const problem::Problem& problem, double seconds);

}  // namespace pecann::cli
