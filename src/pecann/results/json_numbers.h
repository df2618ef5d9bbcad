// Numbers of JSON files that may come from a stranger.
#pragma once

#include <limits>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <utility>

namespace pecann::results {

/// A number that may be null, which stands for NaN.
inline double number(const nlohmann::ordered_json& value) {
  return value.is_null() ? std::numeric_limits<double>::quiet_NaN() : value.get<double>();
}

/// A whole number that T can hold: 1.5, 1e300 and −1 for a count would be converted to anything. Throws
/// std::runtime_error.
template <class T>
T whole(const nlohmann::ordered_json& value) {
  const bool fits = value.is_number_unsigned()  ? std::in_range<T>(value.get<std::uint64_t>())
                    : value.is_number_integer() ? std::in_range<T>(value.get<std::int64_t>())
                                                : false;
  if (!fits) throw std::runtime_error("a whole number is expected, not " + value.dump(-1, ' ', true).substr(0, 40));
  return value.get<T>();
}

/// The same of a count from 1, and of a number that is counted from 1 in the file and from 0 here.
template <class T>
T counted(const nlohmann::ordered_json& value) {
  const T number = whole<T>(value);
  if (number < 1) throw std::runtime_error("a number of at least 1 is expected, not " + value.dump());
  return number;
}

}  // namespace pecann::results
