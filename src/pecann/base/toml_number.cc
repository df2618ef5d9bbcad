#include "pecann/base/toml_number.h"

#include <charconv>
#include <cmath>

namespace pecann {

std::string toml_number(double value) {
  char buffer[32];
  const auto [end, error] = std::to_chars(buffer, buffer + sizeof buffer, value);
  const std::string text(buffer, end);
  // TOML's integers have 64 bits and no negative zero.
  const bool not_an_integer = std::abs(value) >= 0x1p63 || (value == 0 && std::signbit(value));
  return not_an_integer && text.find_first_of(".e") == std::string::npos ? text + ".0" : text;
}

std::string toml_numbers(std::span<const double> values) {
  std::string text;
  for (const double value : values) text += (text.empty() ? "" : ", ") + toml_number(value);
  return "[" + text + "]";
}

}  // namespace pecann
