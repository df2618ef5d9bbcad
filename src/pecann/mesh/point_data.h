// What the points of a mesh carry: the values that another program computed there.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace pecann::mesh {

/// "x", "y", "z" and the arrays of numbers at the points of a .vtu file: one column for an array with one number a
/// point, "velocity.1", "velocity.2", … for several.
struct PointData {
  std::vector<std::string> names;
  std::vector<std::vector<double>> columns;  // [column][point]
};

/// Throws InputError as parse_vtu does; cells are not looked at.
PointData parse_vtu_points(std::string_view bytes, const std::string& file);

}  // namespace pecann::mesh
