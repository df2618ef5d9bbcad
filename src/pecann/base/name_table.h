// Words for the values of an enumeration, each spelled once: NameTable<Enum> beside the enumeration, in its order.
//   template <> struct pecann::NameTable<Colour> {
//     static constexpr NamedValue<Colour> table[] = {{Colour::Red, "red"}, {Colour::Blue, "blue"}};
//   };
// Problem files, messages and results go through the table, so that no word can be taken for another one.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "pecann/base/input_error.h"
#include "pecann/base/require.h"

namespace pecann {

template <class Enum>
struct NamedValue {
  Enum value;
  const char* name;
};

template <class Enum>
struct NameTable;

template <class Enum>
concept Named = std::is_enum_v<Enum> && requires {
  NameTable<Enum>::table;
};

template <Named Enum>
const char* word_of(Enum value) {
  for (const NamedValue<Enum>& entry : NameTable<Enum>::table)
    if (entry.value == value) return entry.name;
  require(false, "every value of a named enumeration that a problem can have is in its table");
  return "";
}

template <Named Enum>
std::vector<std::string> names_of() {
  std::vector<std::string> names;
  for (const NamedValue<Enum>& entry : NameTable<Enum>::table) names.emplace_back(entry.name);
  return names;
}

template <Named Enum>
std::optional<Enum> find_named(std::string_view name) {
  for (const NamedValue<Enum>& entry : NameTable<Enum>::table)
    if (name == entry.name) return entry.value;
  return std::nullopt;
}

/// Throws the InputError of a word that is none of the names, with the nearest of them.
[[noreturn]] void refuse_word(const std::string& key, const std::string& word, const std::vector<std::string>& allowed);

/// The value of a word that has no place in a file, such as an argument of the library.
template <Named Enum>
Enum value_named(const std::string& key, const std::string& word) {
  if (const auto value = find_named<Enum>(word)) return *value;
  refuse_word(key, word, names_of<Enum>());
}

/// The rule for a word, as a message says it: must be one of "a", "b".
std::string one_of_rule(const std::vector<std::string>& allowed);

}  // namespace pecann
