// The threads that help one calling thread with its parallel loops: started at the first loop, asleep between loops.
//
// A helper that has nothing to do looks for work for some 50 µs and then sleeps until it is woken, so that a machine
// with other work loses nothing to waiting threads. A helper that wakes late is not waited for: the caller works
// through the items itself and waits only for those that a helper has begun. (A runtime whose barrier waits for every
// thread took eight times as long with two threads as with one beside other work.)
//
// OMP_WAIT_POLICY, which people know from OpenMP, is heeded: `passive` sleeps at once, `active` never sleeps.
#pragma once

#include <atomic>
#include <cstddef>
#include <memory>
#include <thread>
#include <vector>

namespace pecann {

class ThreadTeam {
 public:
  /// One item of a loop; `thread` names the workspace.
  using Body = void (*)(const void* context, std::size_t item, int thread);

  ThreadTeam();
  ~ThreadTeam();
  ThreadTeam(const ThreadTeam&) = delete;

  /// Calls body(context, item, thread) for every item in [0, items) on the caller (thread 0) and at most threads − 1
  /// helpers, fewer where the system gives no more threads; returns when all are done. A body must not throw
  /// (parallel_for sees to that).
  void run(std::size_t items, int threads, Body body, const void* context);

  /// The team of the calling thread, made at its first use.
  static ThreadTeam& of_this_thread();
  /// True inside a body: a loop within a loop runs on its own thread alone.
  static bool inside();

 private:
  struct Loop {
    std::size_t items = 0;
    int threads = 1;
    Body body = nullptr;
    const void* context = nullptr;
  };

  void help(int thread, int seen);
  void take_items(int thread);
  void add_helpers(int threads);

  std::vector<std::thread> helpers_;
  Loop loop_;                                     // constant while the loop is open or has helpers
  alignas(64) std::atomic<std::size_t> next_{0};  // the next item of the loop
  alignas(64) std::atomic<int> state_{0};         // kOpen, plus the helpers at work
  alignas(64) std::atomic<int> begun_{0};         // counts loops: what sleeping helpers wait for
  std::atomic<bool> ends_{false};
};

}  // namespace pecann
