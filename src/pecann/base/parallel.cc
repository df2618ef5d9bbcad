#include "pecann/base/parallel.h"

#include <sched.h>

#include <algorithm>

namespace pecann {
namespace {

std::atomic<int>& program_threads() {
  static std::atomic<int> count = processor_count();
  return count;
}
thread_local int own_threads = 0;

}  // namespace

int processor_count() {
  cpu_set_t allowed;
  if (sched_getaffinity(0, sizeof allowed, &allowed) == 0) return std::max(1, CPU_COUNT(&allowed));
  return std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
}

int thread_count() { return own_threads > 0 ? own_threads : program_threads().load(); }
void set_thread_count(int threads) { program_threads() = std::max(1, threads); }
void set_own_thread_count(int threads) { own_threads = std::max(1, threads); }

ThreadShare::ThreadShare(int threads) : before_(own_threads) {
  if (threads > 0) own_threads = threads;
}
ThreadShare::~ThreadShare() { own_threads = before_; }

}  // namespace pecann
