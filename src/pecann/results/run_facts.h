// What a result depends on besides the problem: program, machine, date.
#pragma once

#include <string>

namespace pecann::results {

struct RunFacts {
  std::string version;  // of pecann
  std::string commit;   // of its sources, short; empty outside a repository
  std::string simd;     // the vector instructions in use, by Highway's name ("AVX2")
  std::string cpu;      // model name
  std::string date;     // when the run started, UTC, "2026-01-31T12:00:00Z"
  int threads = 0;
  std::string blas;  // the library of dense algebra and its kernels; empty in summaries of older versions
};

/// All facts but `simd` and `blas`, which the caller knows; the date is now.
RunFacts facts_of_this_machine();

/// The machine for the foot of a report, "AVX2, 8 threads, Example CPU"; unknown parts are left out.
std::string describe_machine(const RunFacts& facts);

/// Defined by the build (cmake/write_version.cmake).
extern const char* const kVersion;
extern const char* const kCommit;

}  // namespace pecann::results
