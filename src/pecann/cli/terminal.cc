#include "pecann/cli/terminal.h"

#include <unistd.h>

#include <cstdlib>
#include <string_view>

namespace pecann::cli {

verdict::Colour colour_for(std::FILE* stream) {
  const auto variable = [](const char* name) {
    const char* const value = std::getenv(name);
    return std::string_view(value == nullptr ? "" : value);
  };
  const bool wanted = ::isatty(::fileno(stream)) != 0 && variable("NO_COLOR").empty() && !variable("TERM").empty() &&
                      variable("TERM") != "dumb";
  return wanted ? verdict::Colour::Ansi : verdict::Colour::Never;
}

}  // namespace pecann::cli
