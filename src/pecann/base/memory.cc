#include "pecann/base/memory.h"

#include <sys/resource.h>
#include <unistd.h>
#ifdef __GLIBC__
#include <malloc.h>
#endif

#include <algorithm>
#include <fstream>
#include <limits>
#include <optional>
#include <sstream>

#include <fmt/format.h>

namespace pecann {
namespace {

constexpr double kUnknown = std::numeric_limits<double>::infinity();

std::optional<double> number_in(const std::string& path) {
  std::ifstream file(path);
  double value = 0;
  if (file >> value) return value;  // "max" is no number: no limit
  return std::nullopt;
}

double free_on_this_machine() {
  std::ifstream file("/proc/meminfo");
  std::string name, unit;
  double kilobytes = 0;
  while (file >> name >> kilobytes) {
    std::getline(file, unit);
    if (name == "MemAvailable:") return 1024 * kilobytes;
  }
  return kUnknown;
}

/// The least that a control group leaves, of all groups from this process's own up to the root (version 2 of the
/// interface); pages of files that a group has read count as used by it but can be freed at once.
double left_by_control_groups() {
  std::ifstream file("/proc/self/cgroup");
  std::string line;
  double least = kUnknown;
  while (std::getline(file, line)) {
    if (!line.starts_with("0::")) continue;
    for (std::string group = line.substr(3);; group = group.substr(0, group.rfind('/'))) {
      const std::string folder = "/sys/fs/cgroup" + (group == "/" ? "" : group);
      if (const auto limit = number_in(folder + "/memory.max")) {
        double used = number_in(folder + "/memory.current").value_or(0);
        std::ifstream statistics(folder + "/memory.stat");
        std::string name;
        for (double value = 0; statistics >> name >> value;)
          if (name == "inactive_file" || name == "active_file") used -= value;
        least = std::min(least, std::max(0.0, *limit - std::max(0.0, used)));
      }
      if (group.size() <= 1) break;
    }
  }
  return least;
}

double left_by_own_limit() {
  rlimit limit{};
  if (::getrlimit(RLIMIT_AS, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY) return kUnknown;
  const double pages = number_in("/proc/self/statm").value_or(0);
  return std::max(0.0, static_cast<double>(limit.rlim_cur) - pages * static_cast<double>(::sysconf(_SC_PAGESIZE)));
}

}  // namespace

double available_memory() { return std::min({free_on_this_machine(), left_by_control_groups(), left_by_own_limit()}); }

void return_freed_memory() {
#ifdef __GLIBC__
  ::malloc_trim(0);
#endif
}

std::string memory_text(double bytes) {
  if (bytes < 1e6) return fmt::format("{:.0f} kB", bytes / 1e3);
  if (bytes < 1e9) return fmt::format("{:.3g} MB", bytes / 1e6);
  return fmt::format("{:.3g} GB", bytes / 1e9);
}

std::string exact_memory_text(double bytes) { return fmt::format("{} ({:.0f} bytes)", memory_text(bytes), bytes); }

}  // namespace pecann
