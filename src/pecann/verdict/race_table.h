// Recipes side by side: how small the error became within the time, and how soon it passed given levels.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "pecann/problem/problem.h"
#include "pecann/results/history_table.h"
#include "pecann/train/trial.h"

namespace pecann::verdict {

struct RacePoint {
  double seconds, value;
};

/// One trial of an entry. The value is the largest relative l² error of the fields, or, where the problem has no exact
/// solution, the residual on held-out points relative to the start (train/held_out.h).
struct RaceTrial {
  std::vector<RacePoint> curve;  // in the order of time, the reported solution at the end
  double seconds = 0;            // of the whole trial
  long epochs = 0;

  double final_value() const;             // NaN for an empty curve, not finite where the last one is
  double seconds_to(double level) const;  // when the value was at most this for the first time; NaN: never
};

struct RaceRow {
  std::string name;
  std::vector<RaceTrial> trials;
};

/// True when the problem's errors are the measure.
bool race_by_error(const problem::Problem& problem);

/// The curve of a trial. In a problem with windows only the last window counts: before it there is no solution
/// over the whole domain.
RaceTrial race_trial(const problem::Problem& problem, const train::TrialSummary& summary,
                     const results::HistoryTable& history);

/// The middle value, or of an even number of values the lower one of the middle pair, so that it is a value that
/// occurred. NaN counts as the largest: a median of times is a number when at least half of the trials got there.
double race_median(std::vector<double> values);

/// At most four powers of ten that some trial passed, spread from the largest to the smallest.
std::vector<double> race_levels(std::span<const RaceRow> rows);

/// A table for people, the best median first.
std::string race_text(std::span<const RaceRow> rows, std::span<const double> levels, bool by_error);

/// One line per trial: recipe, trial, value, seconds, epochs, seconds to each level (empty: never).
std::string race_csv(std::span<const RaceRow> rows, std::span<const double> levels, bool by_error);

}  // namespace pecann::verdict
