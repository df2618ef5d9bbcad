// Numbers as people read them.
#pragma once

#include <fmt/format.h>

#include <cmath>
#include <string>

namespace pecann::verdict {

/// A number with three significant digits, without an exponent where that is short: 0.0123, 1.23e-05, 125.
inline std::string short_number(double value) {
  if (std::isnan(value)) return "–";
  return fmt::format("{:.3g}", value);
}

/// A number with three digits, "5.40e-03".
inline std::string small_number(double value) { return std::isnan(value) ? "–" : fmt::format("{:.2e}", value); }

/// A mean with its spread, "5.40e-03 ± 2.4e-03"; without the spread where there is none.
inline std::string with_spread(double mean, double std) {
  return std::isnan(std) ? small_number(mean) : fmt::format("{:.2e} ± {:.1e}", mean, std);
}

/// A time: "0.8 s", "12.3 s", "4 min 10 s", "2 h 05 min".
inline std::string duration_text(double seconds) {
  if (!std::isfinite(seconds)) return "–";
  if (seconds < 10) return fmt::format("{:.2g} s", seconds);
  if (seconds < 59.95) return fmt::format("{:.1f} s", seconds);
  const long whole = std::lround(seconds);
  if (whole < 3600) return fmt::format("{} min {:02} s", whole / 60, whole % 60);
  return fmt::format("{} h {:02} min", whole / 3600, whole % 3600 / 60);
}

}  // namespace pecann::verdict
