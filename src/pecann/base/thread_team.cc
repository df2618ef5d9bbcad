#include "pecann/base/thread_team.h"

#include <chrono>
#include <cstdlib>
#include <string_view>
#include <system_error>

namespace pecann {
namespace {

constexpr int kOpen = 1 << 20;  // part of ThreadTeam::state_: helpers may join

thread_local bool inside_loop = false;

void pause_briefly() {
#if defined(__x86_64__)
  __builtin_ia32_pause();
#endif
}

/// How long a thread looks for work before it sleeps.
std::chrono::nanoseconds watching_time() {
  const char* const policy = std::getenv("OMP_WAIT_POLICY");
  const std::string_view word = policy == nullptr ? "" : policy;
  if (word == "passive" || word == "PASSIVE") return std::chrono::nanoseconds(0);
  if (word == "active" || word == "ACTIVE") return std::chrono::hours(1);
  return std::chrono::microseconds(50);
}

/// Returns when `value` has left `old`, or after the watching time; the caller then sleeps.
template <class Changed>
void watch(const Changed& changed) {
  static const std::chrono::nanoseconds most = watching_time();
  if (most.count() == 0) return;
  const auto begin = std::chrono::steady_clock::now();
  do {
    for (int i = 0; i < 32; ++i) {
      if (changed()) return;
      pause_briefly();
    }
  } while (std::chrono::steady_clock::now() - begin < most);
}

}  // namespace

ThreadTeam::ThreadTeam() = default;

ThreadTeam::~ThreadTeam() {
  ends_ = true;
  ++begun_;
  begun_.notify_all();
  for (std::thread& helper : helpers_) helper.join();
}

ThreadTeam& ThreadTeam::of_this_thread() {
  thread_local ThreadTeam team;
  return team;
}

bool ThreadTeam::inside() { return inside_loop; }

void ThreadTeam::run(std::size_t items, int threads, Body body, const void* context) {
  add_helpers(threads - 1);
  loop_ = {items, threads, body, context};
  next_.store(0, std::memory_order_relaxed);
  state_.store(kOpen, std::memory_order_release);
  begun_.fetch_add(1, std::memory_order_release);
  begun_.notify_all();

  inside_loop = true;
  take_items(0);
  inside_loop = false;

  // The loop is closed: helpers that have not joined yet stay away, and those at work are waited for.
  int state = state_.fetch_sub(kOpen, std::memory_order_acq_rel) - kOpen;
  if (state != 0) watch([&] { return (state = state_.load(std::memory_order_acquire)) == 0; });
  while ((state = state_.load(std::memory_order_acquire)) != 0) state_.wait(state, std::memory_order_acquire);
}

void ThreadTeam::take_items(int thread) {
  while (true) {
    const std::size_t item = next_.fetch_add(1, std::memory_order_relaxed);
    if (item >= loop_.items) return;
    loop_.body(loop_.context, item, thread);
  }
}

void ThreadTeam::add_helpers(int threads) {
  while (static_cast<int>(helpers_.size()) < threads) {
    const int thread = static_cast<int>(helpers_.size()) + 1;
    try {
      helpers_.emplace_back([this, thread, seen = begun_.load()] { help(thread, seen); });
    } catch (const std::system_error&) {
      return;  // the system gives no more threads now: those that are there do the work
    }
  }
}

void ThreadTeam::help(int thread, int seen) {
  inside_loop = true;
  while (true) {
    watch([&] { return begun_.load(std::memory_order_acquire) != seen; });
    begun_.wait(seen, std::memory_order_acquire);
    seen = begun_.load(std::memory_order_acquire);
    if (ends_) return;
    int state = state_.load(std::memory_order_acquire);
    while ((state & kOpen) != 0)
      if (state_.compare_exchange_weak(state, state + 1, std::memory_order_acq_rel)) {
        if (thread < loop_.threads) take_items(thread);
        if (state_.fetch_sub(1, std::memory_order_acq_rel) == 1) state_.notify_all();
        break;
      }
  }
}

}  // namespace pecann
