// Contracts between parts of the program. A failed check is a bug of ours, never of the user: it prints the place and
// stops the program. Bad input is an InputError, a numerical outcome is a value in a summary.
#pragma once

#include <source_location>
#include <string_view>

namespace pecann {

[[noreturn]] void contract_broken(std::string_view text, const std::source_location& where);

inline void require(bool condition, std::string_view text,
                    const std::source_location where = std::source_location::current()) {
  if (!condition) [[unlikely]]
    contract_broken(text, where);
}

}  // namespace pecann
