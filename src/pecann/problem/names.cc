#include <algorithm>

#include "pecann/expr/parse.h"
#include "pecann/problem/sections.h"

namespace pecann::problem {
namespace {

bool is_identifier(const std::string& name) {
  const auto letter = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); };
  const auto inner = [&](char c) { return letter(c) || (c >= '0' && c <= '9') || c == '_'; };
  return !name.empty() && name.size() <= 64 && letter(name[0]) && std::all_of(name.begin(), name.end(), inner);
}

/// True when the text is coordinates run together, each of one letter.
bool names_coordinates(const std::string& text, const sampling::Box& box) {
  return !text.empty() &&
         std::all_of(text.begin(), text.end(), [&](char c) { return box.index_of(std::string(1, c)) >= 0; });
}

}  // namespace

void Names::add(const Item& item, const std::string& name, const std::string& meaning) {
  if (!is_identifier(name)) {
    item.refuse("'" + shortened(name) + "' cannot name a " + meaning,
                "names have letters, digits and _, a letter first");
  }
  static const std::vector<std::string> kReserved = expr::reserved_names();
  if (std::find(kReserved.begin(), kReserved.end(), name) != kReserved.end()) {
    item.refuse("'" + name + "' has a meaning in equations and cannot name a " + meaning, "choose another name");
  }
  const auto [found, added] = entries_.try_emplace(name, Entry{meaning, item});
  if (!added)
    item.refuse("'" + name + "' is the name of a " + found->second.meaning + " already", "choose another name");
}

void Names::check_derivatives(const Problem& problem) const {
  for (const auto& [name, entry] : entries_) {
    const std::size_t underscore = name.find_last_of('_');
    if (underscore == std::string::npos || underscore == 0) continue;
    const auto field = entries_.find(name.substr(0, underscore));
    const bool has_derivatives =
        field != entries_.end() && (field->second.meaning == "field" || field->second.meaning == "table");
    if (has_derivatives && names_coordinates(name.substr(underscore + 1), problem.box)) {
      entry.item.refuse(
          "'" + name + "' reads as a derivative of the " + field->second.meaning + " '" + field->first + "'",
          "choose another name");
    }
  }
}

}  // namespace pecann::problem
