// How large the error is, from the best source there is: the known error, a trusted estimate of it, or, without both,
// residuals on fresh points relative to the size of the equations' parts.
#pragma once

#include <span>
#include <string>

#include "pecann/verdict/verdict_builder.h"

namespace pecann::verdict {

/// By what the size of the error is judged.
enum class ErrorSource { Known, Estimate, Residuals };

inline constexpr double kSmallResidual = 1e-2;  // of an equation, relative to its parts: usable

/// Judges the trials that are shown; they are not empty.
ErrorSource judge_error(const problem::Problem& problem, const Evidence& evidence,
                        std::span<const train::TrialSummary> shown, VerdictBuilder& builder);

/// The worst of the residuals relative to the parts of their equations, or null; measured values have noise and are
/// left out.
const results::TermResidual* worst_residual(std::span<const results::TermResidual> residuals);

/// ", the largest at x = 0.5", or nothing where no place is known.
std::string at_place(const problem::Problem& problem, const results::TermResidual& term);

}  // namespace pecann::verdict
