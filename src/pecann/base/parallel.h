// Loops on several threads. Work is cut into items by the problem alone, never by the number of threads, and every item
// writes only its own results; sums over items are taken in the items' order. That is why results do not depend on the
// number of threads.
#pragma once

#include <atomic>
#include <cstddef>
#include <exception>

#include "pecann/base/thread_team.h"

namespace pecann {

/// Processors that this process may use (its affinity mask counts).
int processor_count();

/// Number of threads that work started by this thread may use: its own share where it has one, else the
/// program's (default: processor_count()).
int thread_count();
void set_thread_count(int threads);      // for the program
void set_own_thread_count(int threads);  // for the calling thread: trials that run side by side share the cores

/// Sets the calling thread's own number of threads while the object lives; 0 changes nothing.
class ThreadShare {
 public:
  explicit ThreadShare(int threads);
  ~ThreadShare();
  ThreadShare(const ThreadShare&) = delete;
  ThreadShare& operator=(const ThreadShare&) = delete;

 private:
  int before_;
};

/// The first exception of a loop's threads.
class FirstFailure {
 public:
  void keep(std::exception_ptr exception) noexcept {
    if (!taken_.test_and_set()) exception_ = std::move(exception);
  }
  /// Called when all threads have ended.
  void rethrow() const {
    if (exception_) std::rethrow_exception(exception_);
  }

 private:
  std::atomic_flag taken_;
  std::exception_ptr exception_;
};

/// Calls work(item, thread) for every item in [0, items), in any order, on at most `threads` threads (inside another
/// parallel_for: on the calling thread). `thread` is below `threads` and identifies the thread's own workspace.
/// What `work` throws reaches the caller after the loop has ended (the first failure, where there are several).
template <class Work>
void parallel_for(std::size_t items, int threads, const Work& work) {
  if (threads <= 1 || items <= 1 || ThreadTeam::inside()) {
    for (std::size_t item = 0; item < items; ++item) work(item, 0);
    return;
  }
  struct Loop {
    const Work& work;
    FirstFailure& failure;
  };
  const auto call = [](const void* context, std::size_t item, int thread) noexcept {
    const Loop& loop = *static_cast<const Loop*>(context);
    try {
      loop.work(item, thread);
    } catch (...) {
      loop.failure.keep(std::current_exception());
    }
  };
  FirstFailure failure;
  const Loop loop{work, failure};
  ThreadTeam::of_this_thread().run(items, threads, call, &loop);
  failure.rethrow();
}

}  // namespace pecann
