// Options of methods (optimisers, schedules, penalty strategies) as data: name, default, range, a line of text. The
// registries hold them; problem files, commands and documents read them there, so that there is one rule for a value.
#pragma once

#include <limits>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace pecann {

/// A range of finite numbers, from low to high.
struct Limits {
  double low = -std::numeric_limits<double>::infinity();
  double high = std::numeric_limits<double>::infinity();
  bool open_low = false;
  bool open_high = false;
  bool whole = false;  // whole numbers only

  bool contain(double value) const;
};
inline constexpr Limits kAnyNumber{};
inline constexpr Limits kPositive{.low = 0, .open_low = true};
inline constexpr Limits kNotNegative{.low = 0};
inline constexpr Limits kAtLeastOne{.low = 1};
inline constexpr Limits kUnitOpen{.low = 0, .high = 1, .open_low = true, .open_high = true};
inline constexpr Limits kBelowOne{.low = 0, .high = 1, .open_high = true};
inline constexpr Limits kCount{.low = 1, .high = 1e9, .whole = true};

/// The rule in words, with the noun that is given: "must be a finite number above 0 and below 1".
std::string describe(const Limits& limits, const std::string& noun);
/// The same with the noun that fits the limits: "a whole number" or "a finite number".
std::string describe(const Limits& limits);

/// A number in the fewest digits that bring it back: "0.98", "1e-8".
std::string short_number_text(double value);

struct OptionDescription {
  const char* name;
  double usual;  // the default; not a number where it depends on other things, which usual_words then says
  Limits limits;
  const char* text;  // one line
  const char* usual_words = "";
  bool flag = false;  // true or false

  /// The default as text: "0.98", "true", "iterations + 5".
  std::string usual_text() const;
  /// The range as text: "> 0", "[0, 1)", "whole, 1 … 1e9", "true or false".
  std::string range_text() const;
};

const OptionDescription* find_option(std::span<const OptionDescription> options, std::string_view name);
/// The hint for an unknown name: the nearest one that is known.
std::string option_hint(std::span<const OptionDescription> options, std::string_view name);

/// Throws InputError for an unknown name (with the nearest known one) and for a value out of range. A key is
/// prefix + name; `owner` is the method in words: "optimizer adam".
void check_options(std::span<const OptionDescription> options, const std::map<std::string, double>& given,
                   const std::string& prefix, const std::string& owner);

/// The values of a method's options: what was given, else the default.
class OptionValues {
 public:
  OptionValues(std::span<const OptionDescription> options, const std::map<std::string, double>& given)
      : options_(options), given_(given) {}

  double number(const char* name) const;
  int whole(const char* name) const { return static_cast<int>(number(name)); }
  /// The value that was given; nothing where the option was not.
  std::optional<double> given(const char* name) const;

 private:
  std::span<const OptionDescription> options_;
  const std::map<std::string, double>& given_;  // not owned; outlives the values
};

}  // namespace pecann
