// The words, lines and binary numbers of a file in memory, each asked for in its order. Nothing is read past the end: a
// file that is cut short is refused there.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <string>
#include <string_view>

#include "pecann/base/input_error.h"

namespace pecann::mesh {

class BytesReader {
 public:
  BytesReader(std::string_view bytes, std::string file) : bytes_(bytes), file_(std::move(file)) {}

  const std::string& file() const { return file_; }
  std::size_t at() const { return at_; }
  std::size_t left() const { return bytes_.size() - at_; }
  std::string_view rest() const { return bytes_.substr(at_); }
  void skip(std::size_t count) { at_ += count <= left() ? count : left(); }

  [[noreturn]] void fail(std::string rule, std::string_view value = "", std::string hint = "") const {
    throw InputError({.place = {.file = file_, .line = binary_seen_ ? 0 : line()},
                      .value = std::string(value),
                      .rule = std::move(rule),
                      .hint = std::move(hint)});
  }

  /// The next word between blanks and line ends; empty at the end.
  std::string_view word() {
    skip_blanks();
    const std::size_t begin = at_;
    while (at_ < bytes_.size() && !is_blank(bytes_[at_])) ++at_;
    return bytes_.substr(begin, at_ - begin);
  }
  /// The rest of the line, without its end.
  std::string_view line_text() {
    const std::size_t end = std::min(bytes_.find('\n', at_), bytes_.size());
    std::string_view text = bytes_.substr(at_, end - at_);
    at_ = std::min(end + 1, bytes_.size());
    if (text.ends_with('\r')) text.remove_suffix(1);
    return text;
  }
  void skip_blanks() {
    while (at_ < bytes_.size() && is_blank(bytes_[at_])) ++at_;
  }

  double number(const char* what) { return parsed<double>(what, "a finite number"); }
  std::int64_t integer(const char* what) { return parsed<std::int64_t>(what, "a whole number"); }

  template <class T>
  T binary(const char* what) {
    binary_seen_ = true;
    if (left() < sizeof(T)) fail(std::string("the file ends within ") + what);
    std::array<char, sizeof(T)> raw;
    std::memcpy(raw.data(), bytes_.data() + at_, sizeof(T));
    at_ += sizeof(T);
    if (swapped_) std::reverse(raw.begin(), raw.end());
    return std::bit_cast<T>(raw);
  }
  void set_big_endian(bool big) { swapped_ = big == (std::endian::native == std::endian::little); }

  /// Refuses a count that the rest of the file cannot hold, before anything of its size is made.
  void require_room(double count, double least_bytes, const char* what) const {
    if (count < 0 || count * least_bytes > static_cast<double>(left()))
      fail("the file ends within " + std::string(what) + ", or their number is wrong");
  }

 private:
  static bool is_blank(char c) { return c == ' ' || c == '\n' || c == '\t' || c == '\r'; }
  int line() const { return 1 + static_cast<int>(std::count(bytes_.begin(), bytes_.begin() + at_, '\n')); }

  template <class T>
  T parsed(const char* what, const char* kind) {
    std::string_view text = word();
    if (text.empty()) fail(std::string("the file ends within ") + what);
    if (text.front() == '+') text.remove_prefix(1);
    T value{};
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    bool good = error == std::errc{} && end == text.data() + text.size();
    if constexpr (std::is_floating_point_v<T>) {
      if (error == std::errc::result_out_of_range && end == text.data() + text.size()) {  // 1e-320, 1e400
        long double wide = 0;  // strtod would ask the locale what a decimal point is
        good = std::from_chars(text.data(), text.data() + text.size(), wide).ec == std::errc{};
        value = static_cast<T>(wide);
      }
      good = good && std::isfinite(value);
    }
    if (!good) fail(std::string(what) + " must be " + kind, text);
    return value;
  }

  std::string_view bytes_;
  std::string file_;
  std::size_t at_ = 0;
  bool swapped_ = std::endian::native == std::endian::big;
  bool binary_seen_ = false;
};

/// Refuses more cells or points than are read.
inline void check_sizes(const BytesReader& reader, double points, double cells, double most_points, double most_cells) {
  const auto refuse = [&](double count, double most, const char* what) {
    reader.fail(fmt::format("the mesh has {:.0f} {}; at most {:.0f} are read", count, what, most), "",
                "make a coarser one: training needs the shape, not the cells");
  };
  if (points > most_points) refuse(points, most_points, "points");
  if (cells > most_cells) refuse(cells, most_cells, "cells");
}

}  // namespace pecann::mesh
