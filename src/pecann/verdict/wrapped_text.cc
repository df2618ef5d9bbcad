#include "pecann/verdict/wrapped_text.h"

#include <fmt/format.h>

#include <algorithm>

#include "pecann/base/input_error.h"

namespace pecann::verdict {
namespace {

constexpr std::size_t kLongestText = 20'000;  // bytes

}  // namespace

std::size_t columns_of(const std::string& text) {
  return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), [](char c) { return (c & 0xC0) != 0x80; }));
}

std::string wrapped(const std::string& given, std::size_t indent) {
  const std::string text = shortened(given, kLongestText);
  const std::size_t begin = std::min(text.find_first_not_of(' '), text.size());
  std::string result, line = text.substr(0, begin);
  bool empty = true;  // no word in the line yet
  for (std::size_t at = begin; at < text.size();) {
    const std::size_t end = std::min(text.find(' ', at), text.size());
    const std::string word = text.substr(at, end - at);
    if (!empty && columns_of(line) + 1 + columns_of(word) > kTextWidth) {
      result += line + "\n";
      line = std::string(indent, ' ') + word;
    } else {
      line += (empty ? "" : " ") + word;
    }
    empty = false;
    at = end + 1;
  }
  return result + line + "\n";
}

std::string painted(const std::string& text, const char* code, Colour colour) {
  return colour == Colour::Ansi ? fmt::format("\x1b[{}m{}\x1b[0m", code, text) : text;
}

}  // namespace pecann::verdict
