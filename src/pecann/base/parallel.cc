#include "pecann/base/parallel.h"

#include <algorithm>
#include <atomic>

namespace pecann {
namespace {

std::atomic<int>& program_threads() {
  static std::atomic<int> count = omp_get_num_procs();
  return count;
}
thread_local int own_threads = 0;

}  // namespace

int thread_count() { return own_threads > 0 ? own_threads : program_threads().load(); }
void set_thread_count(int threads) { program_threads() = std::max(1, threads); }
void set_own_thread_count(int threads) { own_threads = std::max(1, threads); }

ThreadShare::ThreadShare(int threads) : before_(own_threads) {
  if (threads > 0) own_threads = threads;
}
ThreadShare::~ThreadShare() { own_threads = before_; }

}  // namespace pecann
