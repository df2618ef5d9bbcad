#include "pecann/base/thread_team.h"

#include <pthread.h>

#include <atomic>
#include <chrono>
#include <ctime>
#include <set>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

#include "pecann/base/parallel.h"

namespace pecann {
namespace {

double processor_seconds() { return static_cast<double>(std::clock()) / CLOCKS_PER_SEC; }

TEST(ThreadTeam, ManyShortLoopsOfDifferentSizesAreComplete) {
  for (std::size_t round = 0; round < 3000; ++round) {
    const std::size_t items = 2 + round % 7;
    const int threads = 2 + static_cast<int>(round % 3);
    std::vector<int> visits(items, 0);  // written by helpers, read after the loop: the loop orders both
    parallel_for(items, threads, [&](std::size_t item, int) { ++visits[item]; });
    for (const int count : visits) ASSERT_EQ(count, 1) << "round " << round;
  }
}

TEST(ThreadTeam, HelpersReallyHelp) {
  std::set<int> seen;
  for (int round = 0; round < 100 && seen.size() < 2; ++round) {
    std::vector<int> thread_of(8, -1);
    parallel_for(8, 2, [&](std::size_t item, int thread) {
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
      thread_of[item] = thread;
    });
    seen.insert(thread_of.begin(), thread_of.end());
  }
  EXPECT_EQ(seen, (std::set<int>{0, 1}));
}

TEST(ThreadTeam, ALoopWithinALoopRunsOnItsOwnThread) {
  std::vector<std::vector<int>> threads(6, std::vector<int>(5, -1));
  std::vector<std::vector<std::thread::id>> who(6, std::vector<std::thread::id>(5));
  std::vector<std::thread::id> outer(6);
  parallel_for(6, 3, [&](std::size_t i, int) {
    outer[i] = std::this_thread::get_id();
    parallel_for(5, 3, [&](std::size_t j, int thread) {
      threads[i][j] = thread;
      who[i][j] = std::this_thread::get_id();
    });
  });
  for (std::size_t i = 0; i < 6; ++i) {
    for (std::size_t j = 0; j < 5; ++j) {
      EXPECT_EQ(threads[i][j], 0);
      EXPECT_EQ(who[i][j], outer[i]);
    }
  }
  EXPECT_FALSE(ThreadTeam::inside());
}

TEST(ThreadTeam, ThreadsOfTheProgramHaveTeamsOfTheirOwn) {
  std::vector<std::atomic<int>> sums(4);
  std::vector<std::thread> callers;
  for (std::size_t c = 0; c < sums.size(); ++c)
    callers.emplace_back([&sums, c] {
      for (int round = 0; round < 200; ++round)
        parallel_for(10, 2, [&](std::size_t item, int) { sums[c] += static_cast<int>(item); });
    });
  for (std::thread& caller : callers) caller.join();
  for (const auto& sum : sums) EXPECT_EQ(sum, 200 * 45);
}

TEST(ThreadTeam, WithoutMoreThreadsThoseThatAreThereDoTheWork) {
  std::thread fresh([] {  // has no helpers yet
    pthread_attr_t usual, large;
    pthread_getattr_default_np(&usual);
    pthread_attr_init(&large);
    pthread_attr_setstacksize(&large, std::size_t{1} << 46);  // more than there is: no thread begins
    pthread_setattr_default_np(&large);
    std::vector<int> visits(20, 0);
    EXPECT_NO_THROW(parallel_for(visits.size(), 4, [&](std::size_t item, int) { ++visits[item]; }));
    pthread_setattr_default_np(&usual);
    EXPECT_EQ(visits, std::vector<int>(20, 1));
  });
  fresh.join();
}

TEST(ThreadTeam, WaitingHelpersTakeNoProcessorTime) {
  parallel_for(4, 4, [](std::size_t, int) {});
  const double before = processor_seconds();
  std::this_thread::sleep_for(std::chrono::milliseconds(300));
  EXPECT_LT(processor_seconds() - before, 0.05) << "three helpers that spin would take up to 0.9 s";
}

}  // namespace
}  // namespace pecann
