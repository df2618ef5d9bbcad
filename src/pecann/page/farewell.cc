#include "pecann/page/farewell.h"

#include <algorithm>

namespace pecann::page {

std::function<void()> Farewell::tells() { return sends(told_); }

std::function<void()> Farewell::gives() { return sends(taken_); }

std::function<void()> Farewell::sends(int& finished) {
  const std::lock_guard lock(mutex_);
  ++sending_;
  heard_ = Clock::now();
  return [this, &finished] {
    const std::lock_guard now_over(mutex_);
    --sending_;
    ++finished;
    heard_ = Clock::now();
    changed_.notify_all();
  };
}

void Farewell::wait(Clock::duration patience, Clock::duration most) {
  std::unique_lock lock(mutex_);
  const Clock::time_point limit = Clock::now() + most;
  heard_ = Clock::now();
  while (told_ == 0 || taken_ < told_ || sending_ > 0) {
    const Clock::time_point until = sending_ > 0 ? limit : std::min(limit, heard_ + patience);
    if (Clock::now() >= until) return;
    changed_.wait_until(lock, until);
  }
}

}  // namespace pecann::page
