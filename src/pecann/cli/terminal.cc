#include "pecann/cli/terminal.h"

#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>

#include "pecann/base/input_error.h"

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

void say(std::FILE* stream, std::string_view lines) { std::fputs(safe_lines(lines).c_str(), stream); }

int after_output(int exit_code) {
  errno = 0;
  const bool flushed = std::fflush(stdout) == 0;
  const int reason = errno;
  if ((flushed && std::ferror(stdout) == 0) || (!flushed && reason == EPIPE)) return exit_code;
  std::fprintf(stderr, "pecann: the output could not be written%s%s\n", flushed ? "" : ": ",
               flushed ? "" : std::strerror(reason));
  return exit_code == 0 ? 1 : exit_code;
}

}  // namespace pecann::cli
