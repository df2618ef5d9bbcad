// The total derivative with respect to a coordinate, by the rules of calculus.
#pragma once

#include <span>
#include <string>

#include "pecann/expr/expr.h"

namespace pecann::expr {

/// Which coordinates a field depends on; a derivative by any other is zero. Fields not listed depend on all.
using FieldInputs = std::map<std::string, std::vector<std::string>>;

/// d(a)/d(coordinate). The derivative of abs is sign, that of sign and of comparisons is 0, and that of min, max and if
/// is that of the branch taken. For a field at substituted coordinates the chain rule runs through the substitution. An
/// expression that reads data is refused: data have values at the points only, and zero would be another equation.
Expr derivative(const Expr& a, const std::string& coordinate, const FieldInputs& inputs = {});

/// The sum of second derivatives over the given (spatial) coordinates.
Expr laplacian(const Expr& a, std::span<const std::string> coordinates, const FieldInputs& inputs = {});

/// The form for C++ users, as in d(u, x, x); the coordinates are Coordinate nodes.
template <class... Coordinates>
Expr d(const Expr& a, const Coordinates&... coordinates) {
  Expr result = a;
  ((result = derivative(result, coordinates->name)), ...);
  return result;
}

}  // namespace pecann::expr
