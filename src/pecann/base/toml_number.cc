#include "pecann/base/toml_number.h"

#include <charconv>
#include <cmath>

namespace pecann {

std::string toml_number(double value) {
  char buffer[32];
  const auto [end, error] = std::to_chars(buffer, buffer + sizeof buffer, value);
  const std::string text(buffer, end);
  // TOML's integers have 64 bits and no negative zero; inf and nan are written as they are.
  const bool not_an_integer =
      (std::isfinite(value) && std::abs(value) >= 0x1p63) || (value == 0 && std::signbit(value));
  return not_an_integer && text.find_first_of(".e") == std::string::npos ? text + ".0" : text;
}

std::string toml_numbers(std::span<const double> values) {
  std::string text;
  for (const double value : values) text += (text.empty() ? "" : ", ") + toml_number(value);
  return "[" + text + "]";
}

std::string toml_text(const std::string& text) {
  std::string result = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') result += '\\';
    if (c == '\n') {
      result += "\\n";
    } else if (c == '\t') {
      result += "\\t";
    } else if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f) {
      constexpr char kHex[] = "0123456789ABCDEF";
      result += std::string("\\u00") + kHex[(c >> 4) & 15] + kHex[c & 15];
    } else {
      result += c;
    }
  }
  return result + "\"";
}

}  // namespace pecann
