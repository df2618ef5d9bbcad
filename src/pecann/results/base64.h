// Base64 (RFC 4648, with padding): binary numbers inside XML and HTML.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace pecann::results {

inline std::string base64(std::string_view bytes) {
  static constexpr char kDigits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string text;
  text.reserve((bytes.size() + 2) / 3 * 4);
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    const auto byte = [&](std::size_t k) { return k < bytes.size() ? static_cast<unsigned char>(bytes[k]) : 0u; };
    const unsigned group = byte(i) << 16 | byte(i + 1) << 8 | byte(i + 2);
    text += kDigits[group >> 18];
    text += kDigits[group >> 12 & 63];
    text += i + 1 < bytes.size() ? kDigits[group >> 6 & 63] : '=';
    text += i + 2 < bytes.size() ? kDigits[group & 63] : '=';
  }
  return text;
}

/// Base64 of numbers of four bytes, as they lie in memory: little-endian on all machines that we build for.
inline std::string base64_floats(const std::vector<float>& values) {
  return base64({reinterpret_cast<const char*>(values.data()), values.size() * sizeof(float)});
}

}  // namespace pecann::results
