#include "pecann/base/input_error.h"

#include <algorithm>
#include <numeric>

namespace pecann {
namespace {

std::string describe(const InputError::Parts& parts) {
  std::string text;
  if (!parts.place.file.empty()) {
    text += parts.place.file;
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
  text += parts.rule;
  if (!parts.hint.empty()) text += "; " + parts.hint;
  return text;
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
  if (name.size() > 200) return std::nullopt;
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
  if (const auto near = nearest_name(name, candidates)) return "did you mean '" + *near + "'?";
  if (candidates.empty()) return "";
  std::string text = "known: ";
  const std::size_t shown = std::min<std::size_t>(candidates.size(), 12);
  for (std::size_t i = 0; i < shown; ++i) text += (i ? ", " : "") + shortened(candidates[i], 40);
  if (shown < candidates.size()) text += ", …";
  return text;
}

std::string shortened(std::string_view text, std::size_t limit) {
  std::size_t length = std::min(text.size(), limit);
  while (length > 0 && length < text.size() && (static_cast<unsigned char>(text[length]) & 0xC0) == 0x80) --length;
  std::string result(text.substr(0, length));
  for (char& c : result)
    if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f) c = ' ';
  // The characters U+0080 to U+009F, which terminals take for commands too.
  for (std::size_t at = 0; (at = result.find('\xC2', at)) != std::string::npos; ++at)
    if (at + 1 < result.size() && static_cast<unsigned char>(result[at + 1]) < 0xA0) result[at] = result[at + 1] = ' ';
  if (length < text.size()) result += "…";
  return result;
}

}  // namespace pecann
