// Contracts between parts of the program. A failed check is a bug of ours, never of the user: it throws a ContractError
// that names the place, so that a program which embeds the library lives on; our own program stops with it. Bad input
// is an InputError, a numerical outcome is a value in a summary.
#pragma once

#include <source_location>
#include <stdexcept>
#include <string_view>

namespace pecann {

/// A mistake of this program; what() says which contract was broken, and where.
class ContractError : public std::logic_error {
 public:
  using std::logic_error::logic_error;
};

[[noreturn]] void contract_broken(std::string_view text, const std::source_location& where);

inline void require(bool condition, std::string_view text,
                    const std::source_location where = std::source_location::current()) {
  if (!condition) [[unlikely]]
    contract_broken(text, where);
}

}  // namespace pecann
