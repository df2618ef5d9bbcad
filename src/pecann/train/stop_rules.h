// What [stop] asks for, as functions of an epoch's record.
#pragma once

#include <limits>
#include <optional>

#include "pecann/problem/problem.h"
#include "pecann/train/record.h"

namespace pecann::train {

/// The lowest loss of a try of a window, and when it was.
struct LowestLoss {
  double loss = std::numeric_limits<double>::infinity();
  long epoch = 0;  // counted in the window

  void see(const EpochRecord& record);
};

/// True where the record is of the problem itself, false in phases that give its constants other values: their losses
/// are those of another problem.
bool has_own_constants(const problem::Problem& problem, const EpochRecord& record);

/// The outcome when a loss, violation or error that [stop] asks for is reached; else nothing. What is no number, or was
/// not measured, reaches nothing; nor do loss and violations in a phase with other constants than the problem's own.
std::optional<Outcome> target_reached(const problem::Problem& problem, const EpochRecord& record);

/// The outcome when the epochs, the seconds or the epochs without a lower loss are as many as [stop] allows; else
/// nothing. `attempt_begin` is the number of epochs that the window had before this try of it, `spent` the seconds that
/// do not count.
std::optional<Outcome> limit_reached(const problem::StopSpec& stop, const EpochRecord& record, const LowestLoss& lowest,
                                     long attempt_begin, double spent = 0);

/// The seconds that do not count when a trial is to go on: all that it has had where its time was up, none where it was
/// stopped before.
double spent_seconds(const problem::StopSpec& stop, const EpochRecord& last);

/// True for the rules of [stop] that hold for each part of each window anew: the next part begins all the same. All
/// other outcomes end the trial: time, a signal, a value that is no number, a check.
bool ends_part_only(const Outcome& outcome);

}  // namespace pecann::train
