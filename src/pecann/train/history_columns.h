// The columns of history.csv. Their order, which docs/report.md describes, never changes; new ones come at the end.
#pragma once

#include <functional>
#include <string>
#include <string_view>
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

/// Of those, the columns that a history has which was begun earlier, in its order. One that is not known any more stays
/// empty.
std::vector<HistoryColumn> chosen_columns(std::vector<HistoryColumn> known, const std::vector<std::string>& names);

/// With its line end. Names that hold a comma, a quote or a line end are quoted.
std::string header_line(const std::vector<HistoryColumn>& columns);

/// The names of a header line, which is taken off the text; nothing while the line is not complete.
std::vector<std::string> take_header(std::string_view& text);

}  // namespace pecann::train
