// Values on the nodes of a grid, from the files that people have: arrays (.npy), tables with a row for each node in any
// order (.csv, COMSOL's text), images of VTK (.vti).
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "pecann/base/npy.h"
#include "pecann/sampling/table.h"

namespace pecann::sampling {

struct GridTable {
  std::vector<std::vector<double>> axes;  // rising nodes, at least two each
  std::vector<double> values;             // row-major, the last axis fastest; finite
};

/// Rows as a grid: the columns named like the coordinates hold its nodes, in any order, each once. `value` is the
/// column of the values; empty: the only other one. Throws InputError where rows are missing or lie on no grid.
GridTable grid_of(const Table& table, const std::vector<std::string>& coordinates, const std::string& value);

/// An array whose k-th index counts nodes from ranges[k].first to ranges[k].second, evenly.
GridTable grid_of(const NpyArray& array, const std::vector<std::pair<double, double>>& ranges, const std::string& file);

/// Point data of an image: x, y, z of the image are the axes, those with a single node left out. `value` is the name of
/// the array; empty: the only one. Numbers as text, base64 or appended, not compressed.
GridTable parse_vti(std::string_view text, const std::string& value, const std::string& file);

}  // namespace pecann::sampling
