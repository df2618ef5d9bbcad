#include "pecann/cli/terminal.h"

#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>

#include "pecann/base/input_error.h"

namespace pecann::cli {
namespace {

int lost_output = 0;  // errno of the first output that was lost before the end

}  // namespace

verdict::Colour colour_for(std::FILE* stream) {
  const auto variable = [](const char* name) {
    const char* const value = std::getenv(name);
    return std::string_view(value == nullptr ? "" : value);
  };
  const bool wanted = ::isatty(::fileno(stream)) != 0 && variable("NO_COLOR").empty() && !variable("TERM").empty() &&
                      variable("TERM") != "dumb";
  return wanted ? verdict::Colour::Ansi : verdict::Colour::Never;
}

void say(std::FILE* stream, std::string_view lines) {
  if (std::fputs(safe_lines(lines).c_str(), stream) == EOF && lost_output == 0) lost_output = errno;
}

int after_output(int exit_code) {
  errno = 0;
  const bool flushed = std::fflush(stdout) == 0;
  const int reason = flushed ? lost_output : errno;
  if ((flushed && std::ferror(stdout) == 0) || reason == EPIPE) return exit_code;
  std::fprintf(stderr, "pecann: the output could not be written%s%s\n", reason == 0 ? "" : ": ",
               reason == 0 ? "" : std::strerror(reason));
  return exit_code == 0 ? 1 : exit_code;
}

}  // namespace pecann::cli
