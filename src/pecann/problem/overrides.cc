#include "pecann/problem/overrides.h"

#include <charconv>
#include <optional>
#include <vector>

namespace pecann::problem {
namespace {

struct Override {
  std::string key, value;
  InputPlace origin;

  [[noreturn]] void refuse(std::string rule, std::string hint = "") const {
    InputError::Parts parts;
    parts.place = origin;
    parts.key = key;
    parts.value = value;
    parts.rule = std::move(rule);
    parts.hint = std::move(hint);
    throw InputError(std::move(parts));
  }
};

std::string trimmed(std::string_view text) {
  const std::size_t begin = text.find_first_not_of(" \t");
  if (begin == std::string_view::npos) return {};
  return std::string(text.substr(begin, text.find_last_not_of(" \t") - begin + 1));
}

/// Parts between dots; a part in double quotes may contain dots ("f(a, b)" needs no quotes).
std::vector<std::string> parts_of(const Override& change) {
  std::vector<std::string> parts(1);
  bool quoted = false;
  for (const char c : change.key) {
    if (c == '"') {
      quoted = !quoted;
    } else if (c == '.' && !quoted) {
      parts.emplace_back();
    } else {
      parts.back() += c;
    }
  }
  for (const std::string& part : parts) {
    if (part.empty()) change.refuse("the key has an empty part", "write it as in term.pde.points.grid=[101,101]");
  }
  return parts;
}

/// The value as a tree. Empty lines in front put it on the line of `origin`, so that later messages name that line.
toml::table parsed_value(const Override& change) {
  const bool command_line = change.origin.line == 0;
  const std::string before(command_line ? 0 : static_cast<std::size_t>(change.origin.line - 1), '\n');
  const std::string_view source =
      command_line ? std::string_view("command line") : std::string_view(change.origin.file);
  const auto parse = [&](const std::string& value) { return toml::parse(before + "value = " + value + "\n", source); };
  if (change.value.find('\n') == std::string::npos) {
    toml::parse_result result = parse(change.value);
    if (result && result.table().size() == 1) return std::move(result).table();
  }
  const bool structured = change.value.find_first_of("[{\"'") == 0;
  if (structured || change.value.find_first_of("\n\r\\\"") != std::string::npos)
    change.refuse("the value is not valid TOML");
  toml::parse_result result = parse("\"" + change.value + "\"");
  if (!result) change.refuse("the value is not valid TOML");
  return std::move(result).table();
}

std::string name_of(const toml::node& node) {
  const toml::table* table = node.as_table();
  return table == nullptr ? "" : std::string((*table)["name"].value_or(std::string_view()));
}

/// The table of a list that `part` names: by its `name`, or counted from 1.
toml::table& element(toml::array& array, const std::string& list, const std::string& part, const Override& change) {
  std::vector<std::string> names;
  for (toml::node& node : array) {
    const std::string name = name_of(node);
    if (!name.empty() && name == part && node.is_table()) return *node.as_table();
    if (!name.empty()) names.push_back(name);
  }
  std::size_t number = 0;
  const auto [end, error] = std::from_chars(part.data(), part.data() + part.size(), number);
  if (error == std::errc{} && end == part.data() + part.size()) {
    if (number >= 1 && number <= array.size() && array[number - 1].is_table()) return *array[number - 1].as_table();
    change.refuse("there are " + std::to_string(array.size()) + " of [[" + list + "]], counted from 1",
                  array.empty() ? "" : "the last is " + list + "." + std::to_string(array.size()));
  }
  change.refuse("no [[" + list + "]] has the name '" + part + "'", hint_for(part, names));
}

/// term.pde={ … }: another table in the place of an element of a list, with its name.
void replace_element(toml::table& element, const Override& change) {
  toml::table value = parsed_value(change);
  toml::table* const given = value.get("value")->as_table();
  if (given == nullptr)
    change.refuse("an element of a list is replaced by a whole table, as in " + change.key + "={ … }",
                  "or name a key of the table, as in " + change.key + ".KEY=VALUE");
  const std::string name = name_of(element), other = name_of(*given);
  if (!other.empty() && other != name) change.refuse("the table is called '" + other + "'", "leave out name");
  if (!name.empty()) given->insert_or_assign("name", name);
  element = std::move(*given);
}

void assign(toml::table& table, const std::string& key, toml::node&& value) {
  std::move(value).visit([&](auto&& concrete) { table.insert_or_assign(key, std::move(concrete)); });
}

}  // namespace

void apply_override(toml::table& root, std::string_view assignment, const InputPlace& origin) {
  Override change{"", "", origin};
  const std::size_t equals = assignment.find('=');
  if (equals == std::string_view::npos) {
    change.key = trimmed(assignment);
    change.refuse("its value is missing", "an override is written key=value, as in --set stop.seconds=60");
  }
  change.key = trimmed(assignment.substr(0, equals));
  change.value = trimmed(assignment.substr(equals + 1));
  if (change.key.size() > 1000 || change.value.size() > 100000) change.refuse("the override is too long");
  if (change.value.empty()) change.refuse("the value is empty");
  const std::vector<std::string> parts = parts_of(change);
  if (parts[0] == "recipe") change.refuse("a recipe is chosen by its name, not changed", "use --recipe NAME");

  toml::table* table = &root;
  for (std::size_t i = 0; i + 1 < parts.size(); ++i) {
    toml::node* child = table->get(parts[i]);
    if (child == nullptr) {
      if (parts[i] == "term" || parts[i] == "network" || parts[i] == "phase") {
        change.refuse("the problem has no [[" + parts[i] + "]]");
      }
      table->insert(parts[i], toml::table{});
      child = table->get(parts[i]);
    }
    if (toml::array* array = child->as_array()) {
      table = &element(*array, parts[i], parts[i + 1], change);
      if (++i + 1 < parts.size()) continue;
      replace_element(*table, change);
      return;
    } else if (toml::table* next = child->as_table()) {
      table = next;
    } else {
      change.refuse("'" + parts[i] + "' is a value, not a table");
    }
  }
  toml::table value = parsed_value(change);
  assign(*table, parts.back(), std::move(*value.get("value")));
}

}  // namespace pecann::problem
