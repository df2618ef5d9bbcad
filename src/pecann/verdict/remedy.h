// One thing to try that fits the problem at hand, with the command to type.
#pragma once

#include <optional>
#include <string>

#include "pecann/problem/problem.h"
#include "pecann/verdict/verdict.h"

namespace pecann::verdict {

/// How the loss moved in the epochs of the last window, over the trials.
struct LossTrend {
  bool falling = false;  // clearly lower in the last fifth than before
  bool risen = false;    // higher at the end than at the start
};
LossTrend loss_trend(std::span<const results::HistoryTable> histories);

/// How a search for an accuracy that time or a signal has ended goes on, in a sentence; empty for one that came to an
/// end by itself: called again it would say the same.
std::string search_goes_on(const Evidence& evidence);

/// What to try when the residual of a term is too large; the term is null where none is to blame.
std::string remedy_for(const problem::Problem& problem, const Evidence& evidence, const results::TermResidual* worst);

/// A place for people: "x = 0.5, t = 0.1".
std::string place_text(const problem::Problem& problem, std::span<const double> place);

}  // namespace pecann::verdict
