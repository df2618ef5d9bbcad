// How many threads a program may ask for.
#pragma once

namespace pecann {

inline constexpr int kMostThreads = 1024;  // more cannot be started everywhere

}  // namespace pecann
