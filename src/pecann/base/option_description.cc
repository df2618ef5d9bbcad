#include "pecann/base/option_description.h"

#include <charconv>
#include <cmath>
#include <vector>

#include "pecann/base/input_error.h"
#include "pecann/base/require.h"

namespace pecann {

bool Limits::contain(double value) const {
  return std::isfinite(value) && (open_low ? value > low : value >= low) &&
         (open_high ? value < high : value <= high) && (!whole || value == std::floor(value));
}

std::string short_number_text(double value) {
  char buffer[32];
  const auto [end, error] = std::to_chars(buffer, buffer + sizeof buffer, value);
  std::string text(buffer, end);
  const std::size_t exponent = text.find('e');
  if (exponent == std::string::npos) return text;
  std::size_t first = exponent + 1;  // "1e-08" and "1e+09" as people write them
  if (text[first] == '+') text.erase(first, 1);
  if (text[first] == '-') ++first;
  while (first + 1 < text.size() && text[first] == '0') text.erase(first, 1);
  return text;
}

std::string describe(const Limits& limits, const std::string& noun) {
  std::string text = "must be " + noun;
  const bool low = std::isfinite(limits.low), high = std::isfinite(limits.high);
  if (low) text += (limits.open_low ? " above " : " of at least ") + short_number_text(limits.low);
  if (low && high) text += " and";
  if (high) text += (limits.open_high ? " below " : " of at most ") + short_number_text(limits.high);
  return text;
}

std::string describe(const Limits& limits) {
  return describe(limits, limits.whole ? "a whole number" : "a finite number");
}

std::string OptionDescription::usual_text() const {
  if (*usual_words != '\0') return usual_words;
  if (flag) return usual != 0 ? "true" : "false";
  return short_number_text(usual);
}

std::string OptionDescription::range_text() const {
  if (flag) return "true or false";
  const bool low = std::isfinite(limits.low), high = std::isfinite(limits.high);
  const std::string whole = limits.whole ? "whole, " : "";
  if (low && high)
    return whole + (limits.open_low ? "(" : "[") + short_number_text(limits.low) + ", " +
           short_number_text(limits.high) + (limits.open_high ? ")" : "]");
  if (low) return whole + (limits.open_low ? "> " : "≥ ") + short_number_text(limits.low);
  if (high) return whole + (limits.open_high ? "< " : "≤ ") + short_number_text(limits.high);
  return limits.whole ? "whole" : "any";
}

const OptionDescription* find_option(std::span<const OptionDescription> options, std::string_view name) {
  for (const OptionDescription& option : options)
    if (name == option.name) return &option;
  return nullptr;
}

std::string option_hint(std::span<const OptionDescription> options, std::string_view name) {
  std::vector<std::string> known;
  for (const OptionDescription& option : options) known.emplace_back(option.name);
  return hint_for(name, known);
}

void check_options(std::span<const OptionDescription> options, const std::map<std::string, double>& given,
                   const std::string& prefix, const std::string& owner) {
  for (const auto& [name, value] : given) {
    const OptionDescription* const option = find_option(options, name);
    if (option != nullptr && option->limits.contain(value)) continue;
    throw InputError({.key = prefix + name,
                      .value = short_number_text(value),
                      .rule = option == nullptr ? "no such option of " + owner : describe(option->limits),
                      .hint = option == nullptr ? option_hint(options, name) : ""});
  }
}

double OptionValues::number(const char* name) const {
  const OptionDescription* const option = find_option(options_, name);
  require(option != nullptr, "a method reads the options that its row describes");
  return given(name).value_or(option->usual);
}

std::optional<double> OptionValues::given(const char* name) const {
  const auto found = given_.find(name);
  return found == given_.end() ? std::nullopt : std::make_optional(found->second);
}

}  // namespace pecann
