// Numbers that are not finite are a kind of their own: they reach no target, are never the best, and do not vanish
// behind finite ones.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>

namespace pecann {

/// The larger one; NaN where one of them is. std::max gives either of them, depending on the order.
inline double larger_or_nan(double a, double b) { return std::isnan(a) || std::isnan(b) ? a + b : std::max(a, b); }

/// For a search for the smallest: what is not finite comes behind every number.
inline double not_finite_last(double value) {
  return std::isfinite(value) ? value : std::numeric_limits<double>::infinity();
}

/// What people read of a value that is not finite: the sign of a NaN says nothing, and libraries print it.
inline const char* words_of_not_finite(double value) {
  return std::isnan(value) ? "NaN" : value < 0 ? "minus infinity" : "infinity";
}

}  // namespace pecann
