// Strict reading of TOML. A Section is a table and an Item is one value of it; both know their file, line and key
// path, so that every refusal names them. A Section remembers which keys were asked for: finish() refuses all
// others, with the nearest of the known ones. Numbers may be written as text with an expression of the
// problem's constants ("2^L*pi").
#pragma once

#include <limits>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "pecann/base/input_error.h"
#include "pecann/base/name_table.h"
#include "pecann/base/option_description.h"
#include "pecann/expr/parse.h"
#include "pecann/problem/toml.h"

namespace pecann::problem {

/// What reading needs everywhere: the file's name, and the constants once they are known.
struct ReadContext {
  std::string file;
  std::map<std::string, double> constants;
};

/// File and line of a node; values that came from --set are from the "command line".
InputPlace place_of(const toml::node& node, const std::string& file);

/// A node as text for a message.
std::string text_of(const toml::node& node);

class Section;

class Item {
 public:
  Item(const toml::node& node, std::string path, const ReadContext& context)
      : node_(&node), path_(std::move(path)), context_(&context) {}

  const std::string& path() const { return path_; }
  Item renamed(std::string path) const { return Item(*node_, std::move(path), *context_); }
  bool is_text() const { return node_->is_string(); }
  bool is_flag() const { return node_->is_boolean(); }
  bool is_table() const { return node_->is_table(); }
  bool is_list() const { return node_->is_array(); }

  std::string text() const;
  std::string word(const std::vector<std::string>& allowed) const;
  /// The value of a word of its table.
  template <Named Enum>
  Enum named() const {
    return *find_named<Enum>(word(names_of<Enum>()));
  }
  double number(const Limits& limits = kAnyNumber) const;
  /// A whole number; at most 2^31 − 1 unless limits say less.
  int integer(const Limits& limits) const;
  bool flag() const;
  Section table() const;
  std::vector<Item> items() const;         // of a list
  std::vector<std::string> texts() const;  // a text or a list of texts
  std::vector<double> numbers(const Limits& limits = kAnyNumber) const;
  std::vector<int> integers(const Limits& limits) const;
  const ReadContext& context() const { return *context_; }

  [[noreturn]] void refuse(std::string rule, std::string hint = "") const;

 private:
  const toml::node* node_;
  std::string path_;
  const ReadContext* context_;
};

class Section {
 public:
  Section(const toml::table& table, std::string path, const ReadContext& context)
      : table_(&table), path_(std::move(path)), context_(&context) {}

  const std::string& path() const { return path_; }
  std::string path_to(std::string_view key) const;
  bool has(std::string_view key) const { return table_->contains(key); }

  std::optional<Item> find(std::string_view key);
  Item require(std::string_view key, std::string_view what);
  std::optional<Section> section(std::string_view key);
  /// The tables of [[key]]; none when it is missing.
  std::vector<Item> list_of_tables(std::string_view key);
  /// All entries in the order they are written (toml++ sorts tables by name); every key counts as known.
  std::vector<std::pair<std::string, Item>> entries();

  // These assign the value when the key is there.
  void read(std::string_view key, std::string& target, const std::vector<std::string>& allowed);
  void read(std::string_view key, double& target, const Limits& limits = kAnyNumber);
  void read(std::string_view key, std::optional<double>& target, const Limits& limits = kAnyNumber);
  void read(std::string_view key, int& target, const Limits& limits);
  void read(std::string_view key, bool& target);
  template <Named Enum>
  void read(std::string_view key, Enum& target) {
    if (const auto item = find(key)) target = item->template named<Enum>();
  }

  /// Refuses keys that nobody asked for.
  void finish() const;
  [[noreturn]] void refuse(std::string rule, std::string hint = "") const;

 private:
  const toml::table* table_;
  std::string path_;
  const ReadContext* context_;
  std::vector<std::string> known_;
};

/// The value of an expression of constants.
double evaluate_constant(std::string_view text, const std::map<std::string, double>& constants);

/// parse() and its like for a text in the file; what the parser refuses is refused with file, line and key.
expr::Expr parse_at(const Item& item, std::string_view text, const expr::Scope& scope);
std::vector<expr::Expr> parse_components_at(const Item& item, std::string_view text, const expr::Scope& scope);
std::vector<expr::Expr> parse_equations_at(const Item& item, std::string_view text, const expr::Scope& scope);

}  // namespace pecann::problem
