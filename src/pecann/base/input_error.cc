#include "pecann/base/input_error.h"

#include <algorithm>
#include <numeric>

namespace pecann {
namespace {

// Bytes of a message's parts. Rules and hints are sentences of ours, with words of files in them.
constexpr std::size_t kLongestFileName = 400, kLongestRule = 2000, kLongestHint = 1000;

std::string describe(const InputError::Parts& parts) {
  std::string text;
  if (!parts.place.file.empty()) {
    text += shortened(parts.place.file, kLongestFileName);
    if (parts.place.line > 0) text += ":" + std::to_string(parts.place.line);
    if (parts.place.line > 0 && parts.place.column > 0) text += ":" + std::to_string(parts.place.column);
    text += ": ";
  }
  if (!parts.key.empty()) {
    text += shortened(parts.key);
    if (!parts.value.empty()) text += " = " + shortened(parts.value);
    text += ": ";
  } else if (!parts.value.empty()) {
    text += shortened(parts.value) + ": ";
  }
  text += shortened(parts.rule, kLongestRule);
  if (!parts.hint.empty()) text += "; " + shortened(parts.hint, kLongestHint);
  return text;
}

struct Character {
  std::size_t length = 1;  // bytes
  char32_t code = 0;
  bool valid = false;  // as UTF-8
};

/// The character at the start of a text that has a byte at least.
Character first_character(std::string_view text) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const std::size_t length = byte(0) < 0x80 ? 1 : byte(0) < 0xC0 ? 0 : byte(0) < 0xE0 ? 2 : byte(0) < 0xF0 ? 3 : 4;
  if (length == 0 || length > text.size() || byte(0) > 0xF4) return {};
  char32_t code = length == 1 ? byte(0) : byte(0) & (0xFFu >> (length + 1));
  for (std::size_t i = 1; i < length; ++i) {
    if ((byte(i) & 0xC0) != 0x80) return {};
    code = (code << 6) | (byte(i) & 0x3Fu);
  }
  constexpr char32_t kLeast[] = {0, 0, 0x80, 0x800, 0x10000};  // by length: longer spellings of a character are none
  if (code < kLeast[length] || code > 0x10FFFF || (code >= 0xD800 && code <= 0xDFFF)) return {};
  return {length, code, true};
}

/// Commands to a terminal, ends of lines, and marks that change the direction of the text around them.
bool is_control(char32_t code) {
  return code < 0x20 || (code >= 0x7F && code < 0xA0) || code == 0x061C || code == 0x200E || code == 0x200F ||
         (code >= 0x2028 && code <= 0x202E) || (code >= 0x2066 && code <= 0x2069);
}

std::string_view safe_character(std::string_view bytes, const Character& character) {
  return !character.valid ? "?" : is_control(character.code) ? " " : bytes;
}

/// Letters added, left out, replaced, or two neighbours exchanged, which is the most common slip.
std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> before(b.size() + 1), last(b.size() + 1), row(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 1; i <= a.size(); ++i) {
    before.swap(last);
    last.swap(row);
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      row[j] = std::min({last[j] + 1, row[j - 1] + 1, last[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1)});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) row[j] = std::min(row[j], before[j - 2] + 1);
    }
  }
  return row[b.size()];
}

}  // namespace

InputError::InputError(Parts parts) : std::runtime_error(describe(parts)), parts_(std::move(parts)) {}

std::optional<std::string> nearest_name(std::string_view name, std::span<const std::string> candidates) {
  // Of one letter nothing is left of the name when it is changed: any other letter would be as near.
  if (name.size() < 2 || name.size() > 200) return std::nullopt;
  std::optional<std::string> best;
  std::size_t best_distance = std::max<std::size_t>(1, name.size() / 3) + 1;
  for (const std::string& candidate : candidates) {
    if (candidate.size() > 200) continue;
    const std::size_t distance = edit_distance(name, candidate);
    if (distance < best_distance) {
      best_distance = distance;
      best = candidate;
    }
  }
  return best;
}

std::string hint_for(std::string_view name, std::span<const std::string> candidates) {
  if (const auto near = nearest_name(name, candidates)) return "did you mean '" + shortened(*near) + "'?";
  if (candidates.empty()) return "";
  std::string text = "known: ";
  const std::size_t shown = std::min<std::size_t>(candidates.size(), 12);
  for (std::size_t i = 0; i < shown; ++i) text += (i ? ", " : "") + shortened(candidates[i], 40);
  if (shown < candidates.size()) text += ", …";
  return text;
}

std::string shortened(std::string_view text, std::size_t limit) {
  std::string result;
  for (std::size_t at = 0; at < text.size();) {
    const Character character = first_character(text.substr(at));
    const std::string_view shown = safe_character(text.substr(at, character.length), character);
    if (result.size() + shown.size() > limit) return result + "…";
    result += shown;
    at += character.length;
  }
  return result;
}

std::string safe_lines(std::string_view text) {
  std::string result;
  for (std::size_t at = 0; at < text.size();) {
    const Character character = first_character(text.substr(at));
    const std::string_view bytes = text.substr(at, character.length);
    result += bytes == "\n" || bytes == "\t" ? bytes : safe_character(bytes, character);
    at += character.length;
  }
  return result;
}

}  // namespace pecann
