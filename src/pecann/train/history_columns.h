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

/// All columns that the history of a problem has.
std::vector<HistoryColumn> history_columns(const problem::Problem& problem);

/// The columns of a history that was begun earlier, chosen from the known ones by its `names` and in its order. A
/// column that is not known any more stays empty.
std::vector<HistoryColumn> chosen_columns(std::vector<HistoryColumn> known, const std::vector<std::string>& names);

}  // namespace pecann::train
