// A prediction as rows of numbers: coordinates, then expressions.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "pecann/results/prediction.h"

namespace pecann::results {

/// The numbers row by row, one row per point.
std::vector<double> table_rows(const Prediction& prediction);

/// A header line with the names, then one line per point; numbers with the digits that bring back the same double.
std::string csv_text(const Prediction& prediction);

/// The same for columns that lie one by one; they are equally long.
std::string csv_text(std::span<const std::string> names, std::span<const std::vector<double>> columns);

/// A name as a CSV field: quoted where it has a comma, a quote, a blank at an end or a line end.
std::string csv_field(std::string_view text);

}  // namespace pecann::results
