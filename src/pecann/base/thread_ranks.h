// Ranks as threads of one process, for tests: the logic of many processes without any.
#pragma once

#include <algorithm>
#include <barrier>
#include <condition_variable>
#include <exception>
#include <map>
#include <mutex>
#include <queue>
#include <thread>
#include <utility>
#include <vector>

#include "pecann/base/communicator.h"

namespace pecann::testing {

/// What the ranks of one run have in common.
struct Meeting {
  explicit Meeting(int size)
      : size(size), barrier(size), data(static_cast<std::size_t>(size)), texts(static_cast<std::size_t>(size)) {}
  int size;
  std::barrier<> barrier;
  std::vector<std::span<double>> data;
  std::vector<std::string> texts;
  std::mutex mutex;
  std::condition_variable arrived;
  std::map<std::pair<int, int>, std::queue<std::vector<double>>> messages;  // by (from, to)
};

class ThreadRank final : public Communicator {
 public:
  ThreadRank(Meeting& meeting, int rank) : meeting_(meeting), rank_(rank) {}
  int rank() const override { return rank_; }
  int size() const override { return meeting_.size; }

  void share(std::span<double> data, std::span<const std::size_t> bounds) override {
    meeting_.data[rank_] = data;
    meeting_.barrier.arrive_and_wait();
    std::vector<double> all(data.begin(), data.end());
    for (int r = 0; r < size(); ++r)
      std::copy(meeting_.data[r].begin() + bounds[r], meeting_.data[r].begin() + bounds[r + 1],
                all.begin() + bounds[r]);
    meeting_.barrier.arrive_and_wait();
    std::copy(all.begin(), all.end(), data.begin());
  }
  void broadcast(std::span<double> data, int from) override {
    std::vector<std::size_t> bounds(static_cast<std::size_t>(size()) + 1, 0);
    std::fill(bounds.begin() + from + 1, bounds.end(), data.size());
    share(data, bounds);
  }
  void send(std::span<const double> data, int to) override {
    const std::lock_guard lock(meeting_.mutex);
    meeting_.messages[{rank_, to}].emplace(data.begin(), data.end());
    meeting_.arrived.notify_all();
  }
  void receive(std::span<double> data, int from) override {
    std::unique_lock lock(meeting_.mutex);
    auto& queue = meeting_.messages[{from, rank_}];
    meeting_.arrived.wait(lock, [&] { return !queue.empty(); });
    std::copy(queue.front().begin(), queue.front().end(), data.begin());
    queue.pop();
  }
  std::vector<std::string> gather(const std::string& text) override {
    meeting_.texts[rank_] = text;
    meeting_.barrier.arrive_and_wait();
    std::vector<std::string> all = rank_ == 0 ? meeting_.texts : std::vector<std::string>{};
    meeting_.barrier.arrive_and_wait();
    return all;
  }
  std::string broadcast_text(const std::string& text) override {
    meeting_.texts[rank_] = text;
    meeting_.barrier.arrive_and_wait();
    std::string first = meeting_.texts[0];
    meeting_.barrier.arrive_and_wait();
    return first;
  }

 private:
  Meeting& meeting_;
  int rank_;
};

/// Calls work(rank) on `size` threads whose communicator() is that rank. An exception must come from all
/// ranks; the first one's is thrown again.
template <class Work>
void run_ranks(int size, const Work& work) {
  Meeting meeting(size);
  std::vector<std::exception_ptr> failures(static_cast<std::size_t>(size));
  std::vector<std::thread> threads;
  for (int rank = 0; rank < size; ++rank)
    threads.emplace_back([&, rank] {
      ThreadRank own(meeting, rank);
      const UseCommunicator use(own);
      try {
        work(rank);
      } catch (...) {
        failures[rank] = std::current_exception();
      }
    });
  for (std::thread& thread : threads) thread.join();
  for (const std::exception_ptr& failure : failures)
    if (failure) std::rethrow_exception(failure);
}

}  // namespace pecann::testing
