// The end of a live page: the server of a run that has ended stays until the browsers that were told so have its
// report to the last byte.
#pragma once

#include <chrono>
#include <condition_variable>
#include <functional>
#include <mutex>

namespace pecann::page {

class Farewell {
 public:
  using Clock = std::chrono::steady_clock;

  /// A browser asks and is told that the run has ended. What is given back is to be called when the answer is sent or
  /// its connection closed.
  std::function<void()> tells();
  /// The same of a browser that takes the report.
  std::function<void()> gives();

  /// Waits until every browser that was told has the report: no longer than `patience` for one that is silent, and
  /// `most` in all.
  void wait(Clock::duration patience, Clock::duration most);

 private:
  std::function<void()> sends(int& finished);

  std::mutex mutex_;  // guards what follows
  std::condition_variable changed_;
  int told_ = 0, taken_ = 0;      // answers that are over
  int sending_ = 0;               // answers that are not
  Clock::time_point heard_ = {};  // when an answer began or was over last
};

}  // namespace pecann::page
