#include "pecann/base/parallel.h"

#include <atomic>
#include <stdexcept>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

namespace pecann {
namespace {

TEST(ParallelFor, EveryItemOnceWithAThreadBelowTheLimit) {
  for (const int threads : {1, 2, 5}) {
    std::vector<std::atomic<int>> visits(1000);
    std::atomic<bool> within{true};
    parallel_for(visits.size(), threads, [&](std::size_t item, int thread) {
      ++visits[item];
      if (thread < 0 || thread >= threads) within = false;
    });
    for (const auto& count : visits) EXPECT_EQ(count, 1);
    EXPECT_TRUE(within);
  }
}

TEST(ParallelFor, NoItemsNoCalls) {
  parallel_for(0, 4, [](std::size_t, int) { FAIL(); });
}

TEST(ParallelFor, AThreadsWorkspaceBelongsToItAlone) {
  std::vector<std::atomic<int>> busy(4);
  std::atomic<bool> shared{false};
  parallel_for(400, 4, [&](std::size_t, int thread) {
    if (busy[thread]++ != 0) shared = true;
    for (volatile int spin = 0; spin < 2000; spin = spin + 1) {
    }
    --busy[thread];
  });
  EXPECT_FALSE(shared);
}

TEST(ParallelFor, AFailureReachesTheCallerAndTheTeamWorksOn) {
  for (const int threads : {1, 3}) {
    std::atomic<int> done{0};
    const auto fail_at_seven = [&](std::size_t item, int) {
      if (item == 7) throw std::runtime_error("item 7");
      ++done;
    };
    EXPECT_THROW(parallel_for(100, threads, fail_at_seven), std::runtime_error);
    EXPECT_FALSE(ThreadTeam::inside());
    done = 0;
    parallel_for(100, threads, [&](std::size_t, int) { ++done; });
    EXPECT_EQ(done, 100);
  }
}

TEST(ThreadCount, OfTheProgramAndOfAThread) {
  const int before = thread_count();
  EXPECT_GE(before, 1);
  set_thread_count(3);
  EXPECT_EQ(thread_count(), 3);
  std::thread([] {
    EXPECT_EQ(thread_count(), 3) << "a new thread has the program's number";
    set_own_thread_count(2);
    EXPECT_EQ(thread_count(), 2);
  }).join();
  EXPECT_EQ(thread_count(), 3) << "a thread's own number is its own";
  set_thread_count(0);
  EXPECT_EQ(thread_count(), 1) << "never less than one";
  set_thread_count(before);
}

}  // namespace
}  // namespace pecann
