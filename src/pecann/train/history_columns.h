// The columns of history.csv. Their order, which docs/report.md describes, never changes; new ones come at the end.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "pecann/problem/problem.h"
#include "pecann/train/record.h"

namespace pecann::train {

struct HistoryColumn {
  std::string name;
  std::function<void(const EpochRecord&, std::string&)> write;  // adds the cell to a line; nothing for an empty one
};

/// What the history of a problem holds.
std::vector<HistoryColumn> history_columns(const problem::Problem& problem);

/// Of those, the columns that a history has which was begun earlier, in its order. One that is not known
/// any more stays empty.
std::vector<HistoryColumn> chosen_columns(std::vector<HistoryColumn> known, const std::vector<std::string>& names);

}  // namespace pecann::train
