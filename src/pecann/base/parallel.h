// Loops on several threads. Work is cut into items by the problem alone, never by the number of threads, and every item
// writes only its own results; sums over items are taken in the items' order. That is why results do not depend on the
// number of threads.
#pragma once

#include <cstddef>

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

/// Calls work(item, thread) for every item in [0, items), in any order, on at most `threads` threads (inside another
/// parallel_for: on the calling thread). `thread` is below `threads` and identifies the thread's own workspace.
/// `work` must not throw.
template <class Work>
void parallel_for(std::size_t items, int threads, const Work& work) {
  if (threads <= 1 || items <= 1 || ThreadTeam::inside()) {
    for (std::size_t item = 0; item < items; ++item) work(item, 0);
    return;
  }
  const auto call = [](const void* context, std::size_t item, int thread) noexcept {
    (*static_cast<const Work*>(context))(item, thread);
  };
  ThreadTeam::of_this_thread().run(items, threads, call, &work);
}

}  // namespace pecann
