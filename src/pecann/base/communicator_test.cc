#include "pecann/base/communicator.h"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <cmath>
#include <thread>

#include "pecann/base/thread_ranks.h"

namespace pecann {
namespace {

TEST(CommunicatorTest, WithoutRanksThereIsOne) {
  EXPECT_EQ(communicator().size(), 1);
  EXPECT_EQ(communicator().rank(), 0);
  EXPECT_EQ(communicator().gather("a"), std::vector<std::string>{"a"});
}

TEST(CommunicatorTest, BoundsCoverEverythingEvenly) {
  EXPECT_EQ(equal_bounds(10, 3), (std::vector<std::size_t>{0, 3, 6, 10}));
  EXPECT_EQ(equal_bounds(2, 4), (std::vector<std::size_t>{0, 0, 1, 1, 2}));
}

TEST(CommunicatorTest, SharedSegmentsReachEverybody) {
  testing::run_ranks(3, [](int rank) {
    std::vector<double> data(7, -1);
    const std::vector<std::size_t> bounds = {0, 2, 2, 7};  // rank 1 has none
    for (std::size_t i = bounds[rank]; i < bounds[rank + 1]; ++i) data[i] = 10.0 * rank + static_cast<double>(i);
    communicator().share(data, bounds);
    EXPECT_EQ(data, (std::vector<double>{0, 1, 22, 23, 24, 25, 26}));
  });
}

TEST(CommunicatorTest, NobodyPassesABarrierBeforeTheLastOneHasCome) {
  std::atomic<int> arrived = 0;
  testing::run_ranks(3, [&](int rank) {
    if (rank == 2) std::this_thread::sleep_for(std::chrono::milliseconds(20));
    ++arrived;
    communicator().barrier();
    EXPECT_EQ(arrived, 3);
  });
  communicator().barrier();  // alone
}

/// Numbers whose sum depends on the order of the additions.
double number(std::size_t item, std::size_t place) { return std::pow(-1.7, item) / (1.0 + static_cast<double>(place)); }

TEST(CommunicatorTest, SumsAreThoseOfOneProcessBitForBit) {
  constexpr std::size_t kItems = 11, kLength = 20000;  // more than two blocks
  std::vector<double> expected(kLength, 0.0);
  for (std::size_t p = 0; p < kLength; ++p)
    for (std::size_t i = 0; i < kItems; ++i) expected[p] += number(i, p);
  for (const int size : {1, 2, 3, 4}) {
    const std::vector<std::size_t> bounds = equal_bounds(kItems, size);
    testing::run_ranks(size, [&](int rank) {
      std::vector<double> sum(kLength, 99.0);
      sum_in_rank_order(communicator(), sum, [&](std::size_t begin, std::size_t end) {
        for (std::size_t p = begin; p < end; ++p)
          for (std::size_t i = bounds[rank]; i < bounds[rank + 1]; ++i) sum[p] += number(i, p);
      });
      EXPECT_EQ(sum, expected) << size << " ranks";
    });
  }
}

TEST(CommunicatorTest, TextsMeetAtTheFirstRank) {
  testing::run_ranks(3, [](int rank) {
    const std::vector<std::string> all = communicator().gather(std::string(1, static_cast<char>('a' + rank)));
    EXPECT_EQ(all.size(), rank == 0 ? 3u : 0u);
    if (rank == 0) EXPECT_EQ(all[2], "c");
    EXPECT_EQ(communicator().broadcast_text("from " + std::to_string(rank)), "from 0");
  });
}

}  // namespace
}  // namespace pecann
