/// \file
/// Numbers of a program as a file that problems can read.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "pecann/export.h"
#include "pecann/expression.h"

namespace pecann {

/// A column: its name and its numbers.
using Column = std::pair<std::string, std::vector<double>>;

/// Writes a .csv with a header line, for points_file() and Data::file:
///
///     write_table("rod.csv", {{"x", xs}, {"u", us}});
///
/// The numbers read back to the same bits.
PECANN_API void write_table(const std::string& path, const std::vector<Column>& columns);

/// How a Table is continued between its nodes.
enum class Interpolate {
  Nearest,  ///< the value of the nearest node
  Linear,   ///< straight lines
  Cubic     ///< the cubic spline, which has two derivatives without jumps
};

/// Numbers of the program as a function of one to three coordinates, for equations: a measured conductivity, a computed
/// initial state. The last coordinate counts fastest:
///
///     const Table kappa("kappa", values, {x, y}, {256, 256});
///     problem.equation(div(kappa * grad(u)) == 1, interior());
///
/// A training in a folder keeps them there.
class PECANN_API Table : public Expression {
 public:
  /// Values on equidistant nodes over the ranges of the coordinates, ends included: so many along each.
  Table(const std::string& name, const std::vector<double>& values, const std::vector<Coordinate>& coordinates,
        const std::vector<int>& nodes, Interpolate interpolate = Interpolate::Cubic);
  /// Values on nodes of one's own, rising along each coordinate.
  Table(const std::string& name, const std::vector<double>& values, const std::vector<Coordinate>& coordinates,
        const std::vector<std::vector<double>>& nodes, Interpolate interpolate = Interpolate::Cubic);
};

}  // namespace pecann
