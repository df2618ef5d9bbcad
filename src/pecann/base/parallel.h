// Threads. Work is cut into items by the problem alone, never by the number of threads, and every item writes only its
// own results; sums over items are taken in the items' order. That is why results do not depend on threads.
#pragma once

#include <omp.h>

#include <cstddef>

namespace pecann {

/// Number of threads that work started by this thread may use: its own share where it has one, else the program's
/// (default: the machine's cores).
int thread_count();
void set_thread_count(int threads);      // of the program
void set_own_thread_count(int threads);  // of the calling thread: trials that run side by side share the cores

/// The calling thread's own number of threads while it lives; 0 changes nothing.
class ThreadShare {
 public:
  explicit ThreadShare(int threads);
  ~ThreadShare();
  ThreadShare(const ThreadShare&) = delete;
  ThreadShare& operator=(const ThreadShare&) = delete;

 private:
  int before_;
};

/// Calls work(item, thread) for every item in [0, items), in any order, on at most `threads` threads.
/// `thread` is below `threads` and identifies the thread's own workspace.
template <class Work>
void parallel_for(std::size_t items, int threads, const Work& work) {
  if (threads <= 1 || items <= 1) {
    for (std::size_t item = 0; item < items; ++item) work(item, 0);
    return;
  }
#pragma omp parallel for schedule(dynamic, 1) num_threads(threads)
  for (std::size_t item = 0; item < items; ++item) work(item, omp_get_thread_num());
}

}  // namespace pecann
