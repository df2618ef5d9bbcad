#include "pecann/problem/definition_order.h"

#include <cctype>
#include <map>
#include <set>

namespace pecann::problem {
namespace {

/// The identifiers of a text, "exact.u" as one.
std::vector<std::string> identifiers(std::string_view text) {
  std::vector<std::string> found;
  const auto inner = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_' || c == '.'; };
  for (std::size_t i = 0; i < text.size();) {
    if (!std::isalpha(static_cast<unsigned char>(text[i]))) {
      i += std::isdigit(static_cast<unsigned char>(text[i])) && i + 1 < text.size() && inner(text[i + 1]) ? 2 : 1;
      continue;
    }
    const std::size_t begin = i;
    while (i < text.size() && inner(text[i])) ++i;
    found.emplace_back(text.substr(begin, i - begin));
  }
  return found;
}

class Ordering {
 public:
  Ordering(const std::vector<Definition>& definitions, std::string_view prefix,
           const std::function<void(std::size_t, const std::string&)>& refuse)
      : definitions_(definitions), refuse_(refuse) {
    for (std::size_t i = 0; i < definitions.size(); ++i)
      numbers_.emplace(std::string(prefix) + definitions[i].first, i);
    for (std::size_t i = 0; i < definitions.size(); ++i) visit(i);
  }

  std::vector<std::size_t> take() { return std::move(order_); }

 private:
  void visit(std::size_t number) {
    if (done_.contains(number)) return;
    const auto& [name, text] = definitions_[number];
    if (!open_.insert(number).second)
      refuse_(number, "'" + name + "' is defined by itself, directly or through others");
    if (open_.size() > 200) refuse_(number, "definitions are nested more than 200 deep");
    for (const std::string& used : identifiers(text))
      if (const auto found = numbers_.find(used); found != numbers_.end()) visit(found->second);
    open_.erase(number);
    done_.insert(number);
    order_.push_back(number);
  }

  const std::vector<Definition>& definitions_;
  const std::function<void(std::size_t, const std::string&)>& refuse_;
  std::map<std::string, std::size_t> numbers_;  // by the name as it is mentioned
  std::set<std::size_t> open_, done_;
  std::vector<std::size_t> order_;
};

}  // namespace

std::vector<std::size_t> definition_order(const std::vector<Definition>& definitions, std::string_view prefix,
                                          const std::function<void(std::size_t, const std::string&)>& refuse) {
  return Ordering(definitions, prefix, refuse).take();
}

}  // namespace pecann::problem
