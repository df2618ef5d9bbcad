#include "pecann/problem/recipe.h"

#include <algorithm>

#include "pecann/base/input_error.h"
#include "pecann/problem/overrides.h"
#include "pecann/problem/reader.h"

namespace pecann::problem {
namespace {

const std::vector<std::string> kSections = {"penalty", "windows", "stop", "held_out", "evaluate"};

/// Unknown keys and wrong shapes are refused in every recipe, chosen or not.
void check_recipe(Section recipe) {
  for (const std::string& section : kSections) recipe.section(section);
  recipe.list_of_tables("phase");
  for (const Item& term : recipe.list_of_tables("term"))
    term.table().require("name", "a recipe's term replaces the one of its name, or is added");
  if (const auto set = recipe.find("set")) {
    for (const Item& item : set->items()) item.text();
  }
  recipe.finish();
}

/// Moves (a copy would lose the lines) the entries of `from` into the table `name` of the root.
void merge(toml::table& root, const std::string& name, toml::table& from) {
  toml::table* into = root[name].as_table();
  if (into == nullptr) {
    root.insert_or_assign(name, std::move(from));
    return;
  }
  for (auto it = from.begin(); it != from.end(); ++it) {
    std::move(it->second).visit([&](auto&& value) { into->insert_or_assign(it->first, std::move(value)); });
  }
}

/// Moves the terms of a recipe into the file's list: in the place of the term with the same name, else behind the last.
void merge_terms(toml::table& root, toml::array& from) {
  toml::array* terms = root["term"].as_array();
  if (terms == nullptr) {
    root.insert_or_assign("term", std::move(from));
    return;
  }
  for (toml::node& node : from) {
    toml::table& term = *node.as_table();
    const auto name = term["name"].value<std::string>();
    const auto same = std::find_if(terms->begin(), terms->end(), [&](const toml::node& other) {
      return other.is_table() && (*other.as_table())["name"].value<std::string>() == name;
    });
    if (same == terms->end()) {
      terms->push_back(std::move(term));
    } else {
      *same->as_table() = std::move(term);
    }
  }
}

std::string chosen_name(const toml::table& root, const std::string& name, const std::vector<std::string>& offered) {
  const auto has = [&](const std::string& wanted) {
    return std::find(offered.begin(), offered.end(), wanted) != offered.end();
  };
  if (name == "none") return "";
  if (!name.empty()) {
    if (has(name)) return name;
    InputError::Parts parts;
    parts.place.file = "command line";
    parts.key = "recipe";
    parts.value = name;
    parts.rule = offered.empty() ? "the problem has no recipes" : "the problem has no such recipe";
    parts.hint = offered.empty() ? "leave --recipe out: the training of the file is used" : hint_for(name, offered);
    throw InputError(std::move(parts));
  }
  if (has("best")) return "best";
  return !root.contains("phase") && has("paper") ? "paper" : "";
}

}  // namespace

ChosenRecipe apply_recipe(toml::table& root, const std::string& name, const std::string& file) {
  const ReadContext context{file, {}};
  Section top(root, "", context);
  ChosenRecipe result;
  if (auto recipes = top.section("recipe")) {
    for (const auto& [recipe, item] : recipes->entries()) {
      check_recipe(item.table());
      result.offered.push_back(recipe);
    }
  }
  result.name = chosen_name(root, name, result.offered);
  if (!result.name.empty()) {
    toml::table& recipe = *root["recipe"][result.name].as_table();
    for (const std::string& section : kSections) {
      if (toml::table* table = recipe[section].as_table()) merge(root, section, *table);
    }
    if (toml::array* terms = recipe["term"].as_array()) merge_terms(root, *terms);
    if (toml::array* phases = recipe["phase"].as_array()) root.insert_or_assign("phase", std::move(*phases));
    if (const toml::array* set = recipe["set"].as_array()) {
      for (const toml::node& assignment : *set) {
        apply_override(root, assignment.as_string()->get(), place_of(assignment, file));
      }
    }
  }
  root.erase("recipe");
  return result;
}

}  // namespace pecann::problem
