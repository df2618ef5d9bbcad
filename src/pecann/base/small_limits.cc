#include "pecann/base/small_limits.h"

#include <fcntl.h>
#include <sys/resource.h>
#include <unistd.h>

#include <cstddef>
#include <cstring>

#include "pecann/base/restart_program.h"

namespace pecann {
namespace {

constexpr rlim_t kLeastStack = rlim_t{1} << 20, kUsualStack = rlim_t{8} << 20;
constexpr std::size_t kMostVariables = 2000;
constexpr char kOneThread[] = "OPENBLAS_NUM_THREADS=1";
constexpr std::size_t kNameLength = sizeof "OPENBLAS_NUM_THREADS=" - 1;

bool limited(int resource, rlim_t enough) {
  rlimit limit{};
  // glibc declares the kinds of limits as an enumeration, which C++ does not convert to.
  return ::getrlimit(static_cast<__rlimit_resource>(resource), &limit) == 0 && limit.rlim_cur != RLIM_INFINITY &&
         limit.rlim_cur < enough;
}

void raise_stack() {
  rlimit limit{};
  if (!limited(RLIMIT_STACK, kLeastStack) || ::getrlimit(RLIMIT_STACK, &limit) != 0) return;
  limit.rlim_cur = limit.rlim_max < kUsualStack ? limit.rlim_max : kUsualStack;  // the system heeds it at once
  if (limit.rlim_cur >= kLeastStack && ::setrlimit(RLIMIT_STACK, &limit) == 0) return;
  constexpr char kMessage[] = "pecann: the stack may have less than a megabyte (ulimit -s): allow more\n";
  [[maybe_unused]] const ssize_t written = ::write(STDERR_FILENO, kMessage, sizeof kMessage - 1);
  ::_exit(2);
}

/// A file that is opened gets the lowest free number: without this, one of the run would get that of the standard
/// output or of the messages, which would be written into it.
void fill_standard_files() {
  for (int number = STDIN_FILENO; number <= STDERR_FILENO; ++number)
    if (::fcntl(number, F_GETFD) == -1) [[maybe_unused]]
      const int opened = ::open("/dev/null", O_RDONLY);  // writing to it fails as it did
}

}  // namespace

void meet_small_limits(int, char** argv, char** environment) {
  fill_standard_files();
  raise_stack();
  static char* variables[kMostVariables + 2];
  std::size_t count = 0;
  for (; *environment != nullptr; ++environment) {
    if (count == kMostVariables || std::strcmp(*environment, kOneThread) == 0) return;
    if (std::strncmp(*environment, kOneThread, kNameLength) != 0) variables[count++] = *environment;
  }
  variables[count] = const_cast<char*>(kOneThread);
  restart_program(argv, variables);  // where it fails, the libraries are loaded as they would have been
}

}  // namespace pecann
