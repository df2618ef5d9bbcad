// How much memory a training will take, from the numbers of its problem alone: nothing of that size is made for the
// answer, so that what cannot fit is refused at once, and not by the machine's out-of-memory killer hours later.
#pragma once

#include <string>
#include <vector>

#include "pecann/problem/problem.h"

namespace pecann::check {

struct MemoryEstimate {
  struct Part {
    std::string name;
    double bytes = 0;
  };
  std::vector<Part> parts;

  double total() const;
  /// The parts as "points 1.6 GB, work items 2 MB, …", the largest first, without those below a hundredth of the whole.
  std::string text() const;
};

/// Estimates the memory of `jobs` trials that run side by side, with thread_count() threads in all. The estimate is an
/// upper one, within a factor of about two of what was measured (memory_estimate_test.cc).
MemoryEstimate estimate_memory(const problem::Problem& problem, int jobs = 1);

/// Throws InputError, with the bytes that are needed and the bytes that there are, where more are
/// needed than there are.
void require_memory(const problem::Problem& problem, const MemoryEstimate& estimate);

}  // namespace pecann::check
