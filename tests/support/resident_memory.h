// How much memory a test's process has, and whether that says anything.
#pragma once

#include <unistd.h>

#include <fstream>

namespace pecann::test {

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
inline constexpr bool kOwnAllocator = false;
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
inline constexpr bool kOwnAllocator = false;
#else
inline constexpr bool kOwnAllocator = true;
#endif
#else
/// False under a sanitizer, which brings its own allocator.
inline constexpr bool kOwnAllocator = true;
#endif

/// Bytes of memory that this process has at present; 0 where that cannot be read.
inline double resident_memory() {
  std::ifstream file("/proc/self/statm");
  double all = 0, resident = 0;
  if (!(file >> all >> resident)) return 0;
  return resident * static_cast<double>(::sysconf(_SC_PAGESIZE));
}

}  // namespace pecann::test
