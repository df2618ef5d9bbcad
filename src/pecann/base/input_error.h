// An InputError says that what a user wrote is wrong: its message names the place, the key, the value, the rule and the
// nearest known name. The command line turns the error into exit code 2. Every part may come from a file of a stranger:
// what() has all of them by way of `shortened`.
#pragma once

#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace pecann {

struct InputPlace {
  std::string file;  // path, or "command line", or empty when the text has no file
  int line = 0;      // from 1; 0 = unknown
  int column = 0;    // from 1; 0 = unknown
};

class InputError : public std::runtime_error {
 public:
  struct Parts {
    InputPlace place;
    std::string key;    // "term.pde.equation", empty when there is none
    std::string value;  // as written, shortened when long
    std::string rule;   // what is wrong, and what is allowed
    std::string hint;   // what to do, or "did you mean …?"; may be empty
  };
  explicit InputError(Parts parts);
  const Parts& parts() const { return parts_; }

 private:
  Parts parts_;
};

/// The candidate with the fewest edits from `name`, if it is near enough to be a misspelling of it.
std::optional<std::string> nearest_name(std::string_view name, std::span<const std::string> candidates);

/// "did you mean 'x'?" where there is a near name, else "known: a, b, c" (at most 12 of them).
std::string hint_for(std::string_view name, std::span<const std::string> candidates);

/// The way of every text of a file, a name or a user into a message, a table or a line for a terminal: at most `limit`
/// bytes, a cut shown by "…". Control characters of ASCII and Unicode, line ends and marks that change the direction
/// of writing become spaces, bytes that are no UTF-8 question marks: a terminal shows what is left and obeys nothing.
std::string shortened(std::string_view text, std::size_t limit = 80);

/// `shortened` for a text of several lines, of any length: line ends and tabs stay.
std::string safe_lines(std::string_view text);

/// A limit for texts with the name of a file in them: Linux takes no longer one.
inline constexpr std::size_t kLongestPath = 4096;

}  // namespace pecann
