#include "pecann/problem/catalogue.h"

#include <algorithm>
#include <filesystem>
#include <system_error>

#include "pecann/base/input_error.h"
#include "pecann/base/near_file.h"
#include "pecann/base/read_file.h"
#include "pecann/problem/embedded_problems.h"
#include "pecann/problem/problem_file.h"
#include "pecann/problem/toml.h"

namespace pecann::problem {
namespace {

std::string title_of(std::string_view text) {
  const toml::parse_result tree = toml::parse(text);
  return tree ? std::string(tree.table()["title"].value_or(std::string_view())) : "";
}

}  // namespace

const std::vector<CatalogueEntry>& catalogue() {
  static const std::vector<CatalogueEntry> entries = [] {
    std::vector<CatalogueEntry> list;
    for (const EmbeddedProblem& problem : embedded_problems()) {
      list.push_back({std::string(problem.name), title_of(problem.text), std::string(problem.text)});
    }
    std::sort(list.begin(), list.end(), [](const CatalogueEntry& a, const CatalogueEntry& b) {
      const bool a_gallery = a.name.starts_with("gallery/"), b_gallery = b.name.starts_with("gallery/");
      return a_gallery != b_gallery ? b_gallery : a.name < b.name;
    });
    return list;
  }();
  return entries;
}

const CatalogueEntry* find_in_catalogue(const std::string& name) {
  const auto found = std::find_if(catalogue().begin(), catalogue().end(),
                                  [&](const CatalogueEntry& entry) { return entry.name == name; });
  return found == catalogue().end() ? nullptr : &*found;
}

namespace {

/// "helmholtz" of "helmholtz-1-4", "robin" of "gallery/robin": what people remember of a name.
std::string family_of(const std::string& name) {
  const std::string last = name.substr(name.rfind('/') + 1);
  return last.substr(0, last.find('-'));
}

/// The names that share a first word near this one, without their folder, at most four.
std::vector<std::string> names_of_family(const std::string& name, const std::vector<std::string>& names) {
  std::vector<std::string> families, found;
  for (const std::string& one : names) families.push_back(family_of(one));
  const auto near = nearest_name(name, families);
  for (std::size_t i = 0; near && i < names.size() && found.size() < 4; ++i)
    if (families[i] == *near) found.push_back(names[i]);
  return found;
}

/// "'a'", "'a', 'b' or 'c'".
std::string listed_or(const std::vector<std::string>& names) {
  std::string text;
  for (std::size_t i = 0; i < names.size(); ++i)
    text += (i == 0 ? "'" : i + 1 == names.size() ? " or '" : ", '") + names[i] + "'";
  return text;
}

}  // namespace

std::string problem_text(const std::string& name_or_file) {
  if (const CatalogueEntry* entry = find_in_catalogue(name_or_file)) return entry->text;
  std::error_code ignored;
  if (std::filesystem::symlink_status(name_or_file, ignored).type() > std::filesystem::file_type::not_found)
    return read_file(name_or_file, kLongestFile);
  std::vector<std::string> names;
  for (const CatalogueEntry& entry : catalogue()) names.push_back(entry.name);
  InputError::Parts parts;
  parts.place.file = "command line";
  parts.key = "problem";
  parts.value = name_or_file;
  parts.rule = "neither a problem of the catalogue nor a file";
  if (const auto near = nearest_name(name_or_file, names))
    parts.hint = "did you mean '" + *near + "'?";
  else if (const std::vector<std::string> family = names_of_family(name_or_file, names); !family.empty())
    parts.hint = "did you mean " + listed_or(family) + "?";
  else
    parts.hint = hint_for_file(name_or_file);
  if (parts.hint.empty()) parts.hint = "`pecann list` names the problems of the catalogue";
  throw InputError(std::move(parts));
}

Problem load_problem(const std::string& name_or_file, std::span<const std::string> overrides,
                     const std::string& recipe) {
  return read_problem(problem_text(name_or_file), name_or_file, overrides, recipe);
}

}  // namespace pecann::problem
