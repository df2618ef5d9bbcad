/// \file
/// Numbers of a program as a file that problems can read.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "pecann/export.h"

namespace pecann {

/// A column: its name and its numbers.
using Column = std::pair<std::string, std::vector<double>>;

/// Writes a .csv with a header line, for points_file() and Data::file:
///
///     write_table("rod.csv", {{"x", xs}, {"u", us}});
///
/// The numbers read back to the same bits.
PECANN_API void write_table(const std::string& path, const std::vector<Column>& columns);

}  // namespace pecann
