#include "pecann/problem/reader.h"

#include <algorithm>
#include <cmath>
#include <sstream>

#include "pecann/base/toml_number.h"
#include "pecann/expr/program.h"

namespace pecann::problem {
namespace {

constexpr std::size_t kMostTables = 1000, kMostPhases = 10'000;  // of networks and terms; of phases
// Of constants, functions, shapes and the like: every text is read with all of them at hand.
constexpr std::size_t kMostEntries = 1000;

[[noreturn]] void refuse_at(InputPlace place, std::string key, std::string value, std::string rule, std::string hint) {
  InputError::Parts parts;
  parts.place = std::move(place);
  parts.key = std::move(key);
  parts.value = std::move(value);
  parts.rule = std::move(rule);
  parts.hint = std::move(hint);
  throw InputError(std::move(parts));
}

template <class Parse>
auto parsed(const Item& item, std::string_view text, const Parse& parse) -> decltype(parse()) {
  try {
    return parse();
  } catch (const InputError& error) {
    const InputError::Parts& parts = error.parts();
    std::string rule = parts.rule;
    if (!parts.value.empty() && parts.value != text) rule = "'" + shortened(parts.value) + "': " + rule;
    item.refuse(rule, parts.hint);
  }
}

}  // namespace

InputPlace place_of(const toml::node& node, const std::string& file) {
  const toml::source_region& source = node.source();
  if (source.begin.line == 0) {  // lists of tables, and tables that only their parts name, are where the first part is
    if (const toml::array* list = node.as_array(); list != nullptr && !list->empty())
      return place_of(*list->get(0), file);
    if (const toml::table* table = node.as_table(); table != nullptr && !table->empty())
      return place_of(table->cbegin()->second, file);
  }
  if (source.path && *source.path == "command line") return {"command line", 0, 0};
  return {file, static_cast<int>(source.begin.line), 0};
}

// Arrays and tables are written here and not by toml++: it estimates their width with the logarithm of their numbers as
// an unsigned integer, which is undefined for 1e-5, infinity and the least integer.
std::string text_of(const toml::node& node) {
  std::ostringstream text;
  if (const toml::array* array = node.as_array()) {
    text << '[';
    for (const toml::node& element : *array) text << (&element == array->get(0) ? " " : ", ") << text_of(element);
    text << (array->empty() ? "]" : " ]");
  } else if (const toml::table* table = node.as_table()) {
    text << '{';
    const char* before = " ";
    for (const auto& [key, value] : *table) {
      text << before << key.str() << " = " << text_of(value);
      before = ", ";
    }
    text << (table->empty() ? "}" : " }");
  } else if (const auto* number = node.as_floating_point(); number != nullptr && std::isfinite(number->get())) {
    text << toml_number(number->get());
  } else {
    node.visit([&](const auto& value) { text << value; });
  }
  return text.str();
}

void Item::refuse(std::string rule, std::string hint) const {
  refuse_at(place_of(*node_, context_->file), path_, text_of(*node_), std::move(rule), std::move(hint));
}

std::string Item::text() const {
  if (const auto* value = node_->as_string()) return value->get();
  refuse("must be a text in quotes");
}

std::string Item::word(const std::vector<std::string>& allowed) const {
  std::string value = text();
  if (std::find(allowed.begin(), allowed.end(), value) != allowed.end()) return value;
  const auto near = nearest_name(value, allowed);
  refuse(one_of_rule(allowed), near ? "did you mean '" + *near + "'?" : "");
}

double Item::number(const Limits& limits) const {
  double value = 0;
  if (const auto* whole = node_->as_integer()) {
    value = static_cast<double>(whole->get());
  } else if (const auto* real = node_->as_floating_point()) {
    value = real->get();
  } else if (const auto* expression = node_->as_string()) {
    try {
      value = evaluate_constant(expression->get(), context_->constants);
    } catch (const InputError& error) {
      refuse("must be a number, or an expression of constants: " + error.parts().rule, error.parts().hint);
    }
  } else {
    refuse(describe(limits, limits.whole ? "a whole number" : "a number"));
  }
  if (!limits.contain(value)) refuse(describe(limits));
  return value;
}

int Item::integer(const Limits& limits) const {
  Limits bounded = limits;
  bounded.high = std::min(limits.high, static_cast<double>(std::numeric_limits<int>::max()));
  bounded.whole = true;
  if (node_->is_boolean() || node_->is_table() || node_->is_array()) refuse(describe(limits, "a whole number"));
  const double value = number();
  if (!bounded.contain(value)) refuse(describe(bounded));
  return static_cast<int>(value);
}

bool Item::flag() const {
  if (const auto* value = node_->as_boolean()) return value->get();
  refuse("must be true or false");
}

Section Item::table() const {
  if (const auto* table = node_->as_table()) return Section(*table, path_, *context_);
  refuse("must be a table, as in " + path_ + " = { … }");
}

std::vector<Item> Item::items() const {
  const auto* array = node_->as_array();
  if (array == nullptr) refuse("must be a list in brackets, as in [1, 2]");
  std::vector<Item> items;
  for (const toml::node& element : *array) items.emplace_back(element, path_, *context_);
  return items;
}

std::vector<std::string> Item::texts() const {
  if (is_text()) return {text()};
  if (!is_list()) refuse("must be a text, or a list of texts");
  std::vector<std::string> values;
  for (const Item& item : items()) values.push_back(item.text());
  if (values.empty()) refuse("the list is empty", "name one at least");
  return values;
}

std::vector<double> Item::numbers(const Limits& limits) const {
  std::vector<double> values;
  for (const Item& item : items()) values.push_back(item.number(limits));
  return values;
}

std::vector<int> Item::integers(const Limits& limits) const {
  std::vector<int> values;
  for (const Item& item : items()) values.push_back(item.integer(limits));
  return values;
}

std::string Section::path_to(std::string_view key) const {
  return path_.empty() ? std::string(key) : path_ + "." + std::string(key);
}

std::optional<Item> Section::find(std::string_view key) {
  known_.emplace_back(key);
  const toml::node* node = table_->get(key);
  return node == nullptr ? std::nullopt : std::make_optional<Item>(*node, path_to(key), *context_);
}

Item Section::require(std::string_view key, std::string_view what) {
  if (auto item = find(key)) return *item;
  std::string hint;
  std::vector<std::string> written;
  for (const auto& [name, node] : *table_) written.emplace_back(name.str());
  if (const auto near = nearest_name(key, written)) hint = "is '" + *near + "' meant to be '" + std::string(key) + "'?";
  refuse_at(place_of(*table_, context_->file), path_to(key), "", "is missing: " + std::string(what), hint);
}

std::optional<Section> Section::section(std::string_view key) {
  const auto item = find(key);
  return item ? std::make_optional(item->table()) : std::nullopt;
}

std::vector<Item> Section::list_of_tables(std::string_view key) {
  const auto item = find(key);
  if (!item) return {};
  if (!item->is_list()) item->refuse("must be a list of tables: [[" + std::string(key) + "]]");
  std::vector<Item> items;
  const toml::array& array = *table_->get(key)->as_array();
  const std::size_t most = key == "phase" ? kMostPhases : kMostTables;
  if (array.size() > most)
    refuse_at(
        place_of(array, context_->file), path_to(key), "",
        "there are " + std::to_string(array.size()) + " [[" + std::string(key) + "]]; at most " + std::to_string(most),
        "");
  for (std::size_t i = 0; i < array.size(); ++i) {
    items.emplace_back(array[i], path_to(key) + "." + std::to_string(i + 1), *context_);
    if (!array[i].is_table()) items.back().refuse("must be a table: [[" + std::string(key) + "]]");
  }
  return items;
}

std::vector<std::pair<std::string, Item>> Section::entries() {
  struct Entry {
    toml::source_position position;
    const toml::key* key;
    const toml::node* node;
  };
  if (table_->size() > kMostEntries)
    refuse("there are " + std::to_string(table_->size()) + " entries; at most " + std::to_string(kMostEntries));
  std::vector<Entry> sorted;
  for (auto it = table_->cbegin(); it != table_->cend(); ++it) {
    toml::source_position position = it->first.source().begin;
    if (!position) position.line = std::numeric_limits<toml::source_index>::max();  // added by --set: behind the others
    sorted.push_back({position, &it->first, &it->second});
  }
  std::stable_sort(sorted.begin(), sorted.end(),
                   [](const Entry& a, const Entry& b) { return a.position < b.position; });
  std::vector<std::pair<std::string, Item>> result;
  for (const Entry& entry : sorted) {
    std::string name(entry.key->str());
    known_.push_back(name);
    Item item(*entry.node, path_to(name), *context_);
    result.emplace_back(std::move(name), std::move(item));
  }
  return result;
}

void Section::read(std::string_view key, std::string& target, const std::vector<std::string>& allowed) {
  if (const auto item = find(key)) target = item->word(allowed);
}

void Section::read(std::string_view key, double& target, const Limits& limits) {
  if (const auto item = find(key)) target = item->number(limits);
}

void Section::read(std::string_view key, std::optional<double>& target, const Limits& limits) {
  if (const auto item = find(key)) target = item->number(limits);
}

void Section::read(std::string_view key, int& target, const Limits& limits) {
  if (const auto item = find(key)) target = item->integer(limits);
}

void Section::read(std::string_view key, bool& target) {
  if (const auto item = find(key)) target = item->flag();
}

void Section::finish() const {
  for (auto it = table_->cbegin(); it != table_->cend(); ++it) {
    const std::string name(it->first.str());
    if (std::find(known_.begin(), known_.end(), name) != known_.end()) continue;
    refuse_at(place_of(it->second, context_->file), path_to(name), "", "unknown key", hint_for(name, known_));
  }
}

void Section::refuse(std::string rule, std::string hint) const {
  refuse_at(place_of(*table_, context_->file), path_, "", std::move(rule), std::move(hint));
}

double evaluate_constant(std::string_view text, const std::map<std::string, double>& constants) {
  expr::Scope scope;
  scope.constants = constants;
  const expr::Expr value = expr::parse(text, scope);
  double result = 0;
  double* const results[] = {&result};
  expr::evaluate_columns(std::span(&value, 1), {}, 1, results);
  return result;
}

expr::Expr parse_at(const Item& item, std::string_view text, const expr::Scope& scope) {
  return parsed(item, text, [&] { return expr::parse(text, scope); });
}

std::vector<expr::Expr> parse_components_at(const Item& item, std::string_view text, const expr::Scope& scope) {
  return parsed(item, text, [&] { return expr::parse_components(text, scope); });
}

std::vector<expr::Expr> parse_equations_at(const Item& item, std::string_view text, const expr::Scope& scope) {
  return parsed(item, text, [&] { return expr::parse_equations(text, scope); });
}

}  // namespace pecann::problem
