#include "pecann/base/memory.h"

#include <gtest/gtest.h>
#include <sys/resource.h>

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

TEST(MemoryTest, SizesReadWell) {
  EXPECT_EQ(memory_text(812'000), "812 kB");
  EXPECT_EQ(memory_text(1.25e7), "12.5 MB");
  EXPECT_EQ(exact_memory_text(1.6e9), "1.6 GB (1600000000 bytes)");
}

}  // namespace
}  // namespace pecann
