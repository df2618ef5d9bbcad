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

/// What an automatic estimate after `seconds` of training may take.
double affordable_seconds(double seconds);

}  // namespace pecann::cli
