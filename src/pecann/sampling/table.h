// Tables of numbers that users bring: CSV with a header line, NPY, or the points of a mesh with their values (.vtu).
//
// CSV: the first line that is not blank or a comment (#) names the columns; fields are separated by ';', tab,
// ',' or blanks, whichever of these (in this order) the header line has. Every further line has one number
// per column. COMSOL's text, where all comments begin with %: the last of them before the numbers names the columns,
// and units in parentheses are left out. NPY: the columns are named "1", "2", …; a one-dimensional array is one column.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "pecann/base/npy.h"
#include "pecann/sampling/points.h"

namespace pecann::sampling {

struct Table {
  std::string file;  // for messages
  std::vector<std::string> names;
  std::vector<std::vector<double>> columns;  // [column][row]
  bool has_header = true;                    // false: NPY, columns known by their order only

  std::size_t rows() const { return columns.empty() ? 0 : columns[0].size(); }
  /// Throws InputError with the nearest name when there is no such column.
  const std::vector<double>& column(const std::string& name) const;
};

/// Throws InputError with file and line for ragged rows, fields that are not finite numbers, duplicated names,
/// or no rows.
Table read_table(const std::string& path);
Table parse_csv(std::string_view text, const std::string& file);
Table table_of(const NpyArray& array, const std::string& file);

/// The columns named like the coordinates (without a header: the first ones, in the box's order) as points.
/// Points outside the box are refused.
PointSet points_of(const Table& table, const Box& box);

}  // namespace pecann::sampling
