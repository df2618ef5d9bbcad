#include "pecann/base/memory.h"

#include <gtest/gtest.h>
#include <sys/resource.h>

#include <cstring>
#include <memory>
#include <thread>
#include <vector>

#include "support/resident_memory.h"

namespace pecann {
namespace {

TEST(MemoryTest, ThereIsSomeAndNotMoreThanAnyMachineHas) {
  EXPECT_GT(available_memory(), 1e6);
  EXPECT_LT(available_memory(), 1e15);
}

TEST(MemoryTest, TheProcessOwnLimitCounts) {
  rlimit before{};
  ASSERT_EQ(::getrlimit(RLIMIT_AS, &before), 0);
  if (before.rlim_cur != RLIM_INFINITY) GTEST_SKIP() << "this process has a limit of its own already";
  const rlimit small{rlim_t{1} << 40, before.rlim_max};  // above any use of this test, the sanitizers' included
  ASSERT_EQ(::setrlimit(RLIMIT_AS, &small), 0);
  const double left = available_memory();
  ASSERT_EQ(::setrlimit(RLIMIT_AS, &before), 0);
  EXPECT_LT(left, static_cast<double>(rlim_t{1} << 40));
}

TEST(MemoryTest, WhatWasFreedBetweenSmallThingsGoesBack) {
  if (!test::kOwnAllocator) GTEST_SKIP() << "a sanitizer keeps what was freed, by its nature";
  constexpr std::size_t kBlocks = 1000, kBytes = 40'000;  // each too small to be a mapping of its own
  std::vector<std::unique_ptr<char[]>> small;
  double full = 0;
  std::thread([&] {
    std::vector<std::unique_ptr<char[]>> large;
    for (std::size_t i = 0; i < kBlocks; ++i) {
      large.emplace_back(new char[kBytes]);
      std::memset(large.back().get(), 1, kBytes);
      small.emplace_back(new char[16]);
    }
    full = test::resident_memory();
  }).join();
  EXPECT_GT(test::resident_memory(), full - 0.1 * kBlocks * kBytes) << "nothing has to be given back: no test";
  return_freed_memory();
  EXPECT_LT(test::resident_memory(), full - 0.7 * kBlocks * kBytes);
}

TEST(MemoryTest, SizesReadWell) {
  EXPECT_EQ(memory_text(812'000), "812 kB");
  EXPECT_EQ(memory_text(1.25e7), "12.5 MB");
  EXPECT_EQ(exact_memory_text(1.6e9), "1.6 GB (1600000000 bytes)");
}

}  // namespace
}  // namespace pecann
