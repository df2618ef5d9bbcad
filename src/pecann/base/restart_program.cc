#include "pecann/base/restart_program.h"

#include <limits.h>
#include <unistd.h>

namespace pecann {

void restart_program(char** argv, char** environment) {
  static char path[PATH_MAX + 1];
  const ssize_t length = ::readlink("/proc/self/exe", path, PATH_MAX);
  if (length <= 0) return;
  path[length] = '\0';
  ::execve(path, argv, environment);
}

}  // namespace pecann
