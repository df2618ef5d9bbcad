// Definitions that refer to each other in any order: constants, exact solutions.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace pecann::problem {

/// A name and its text, which is empty for a number.
using Definition = std::pair<std::string, std::string>;

/// The indices of the definitions in an order in which what a text mentions comes before it, otherwise in the given
/// order. `prefix` stands before a name where it is mentioned ("exact."). refuse(number, rule) must not return; it is
/// called for definitions that go round in a circle, or too deep.
std::vector<std::size_t> definition_order(const std::vector<Definition>& definitions, std::string_view prefix,
                                          const std::function<void(std::size_t, const std::string&)>& refuse);

}  // namespace pecann::problem
