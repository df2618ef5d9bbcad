// An InputError says that what a user wrote is wrong: its message names the place, the key, the value, the rule and the
// nearest known name. The command line turns the error into exit code 2.
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

/// At most `limit` bytes of a text for a message; control characters become spaces, a cut is shown by "…".
std::string shortened(std::string_view text, std::size_t limit = 80);

}  // namespace pecann
