// Numbers of threads that programs ask for.
#pragma once

#include <string>

#include "pecann/base/input_error.h"
#include "pecann/base/most_threads.h"

namespace pecann::api {

/// Refuses what no machine has: a billion threads would take those of all its users.
inline void check_threads(int threads) {
  if (threads < 0 || threads > kMostThreads)
    throw InputError({.key = "threads",
                      .value = std::to_string(threads),
                      .rule = "must be from 1 to " + std::to_string(kMostThreads) + ", or 0 for all cores"});
}

}  // namespace pecann::api
