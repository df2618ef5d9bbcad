#include "pecann/base/name_table.h"

namespace pecann {

std::string one_of_rule(const std::vector<std::string>& allowed) {
  std::string text;
  for (const std::string& word : allowed) text += (text.empty() ? "\"" : ", \"") + word + "\"";
  return "must be one of " + text;
}

void refuse_word(const std::string& key, const std::string& word, const std::vector<std::string>& allowed) {
  const auto near = nearest_name(word, allowed);
  throw InputError(
      {.key = key, .value = word, .rule = one_of_rule(allowed), .hint = near ? "did you mean '" + *near + "'?" : ""});
}

}  // namespace pecann
