// An independent solution of a problem that was solved by features in parts: more features in each, other ones.
#pragma once

#include <cstdint>
#include <memory>

#include "pecann/estimate/reference_solve.h"

namespace pecann::estimate {

/// Solves all windows with `more` times as many features in every part; null where a window fails.
inline constexpr double kMoreInParts = 1.4, kLessInParts = 1.2;  // of the first other solution, and of the second
std::shared_ptr<const Reference> solve_finer_parts(const problem::Problem& problem, std::uint64_t seed, int steps,
                                                   double more = kMoreInParts);

/// Residuals of the reference over those of the solution on fresh points, each in units of its own rows: those of the
/// window where that is largest.
double residual_in_parts(const problem::Problem& problem, const train::Solution& solution, std::uint64_t seed,
                         const Reference& reference);

/// About how many operations both solves take.
double finer_parts_flops(const problem::Problem& problem, int steps);

}  // namespace pecann::estimate
