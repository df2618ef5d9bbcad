// Where the seconds of a trial went, by module.
#pragma once

#include <array>
#include <chrono>

namespace pecann::train {

/// Parts of an epoch, in the order of kTimingNames.
enum class Timing { Evaluate, Optim, Penalty, Sampling, Errors, Files };
inline constexpr std::array<const char*, 6> kTimingNames = {"evaluate", "optim",  "penalty",
                                                            "sampling", "errors", "files"};

struct Timings {
  std::array<double, kTimingNames.size()> seconds{};
  double& operator[](Timing part) { return seconds[static_cast<std::size_t>(part)]; }
};

/// A stopwatch adds the seconds of its life to a sum.
class Stopwatch {
 public:
  explicit Stopwatch(double& sum) : sum_(sum), begin_(std::chrono::steady_clock::now()) {}
  ~Stopwatch() { sum_ += std::chrono::duration<double>(std::chrono::steady_clock::now() - begin_).count(); }
  Stopwatch(const Stopwatch&) = delete;

 private:
  double& sum_;
  std::chrono::steady_clock::time_point begin_;
};

}  // namespace pecann::train
