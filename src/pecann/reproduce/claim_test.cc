#include "pecann/reproduce/claim.h"

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>

#include "pecann/train/test_support.h"

namespace pecann::reproduce {
namespace {

TEST(ClaimTest, OneHolderAtATimeAndNoFileLeft) {
  const train::testing::TemporaryFolder folder;
  const std::string path = folder / "unit.lock";
  {
    const auto first = Claim::take(path);
    ASSERT_TRUE(first);
    EXPECT_FALSE(Claim::take(path));
    EXPECT_TRUE(std::filesystem::exists(path));
  }
  EXPECT_FALSE(std::filesystem::exists(path));
  EXPECT_TRUE(Claim::take(path));
}

TEST(ClaimTest, AKilledHolderLetsGo) {
  const train::testing::TemporaryFolder folder;
  const std::string path = folder / "unit.lock";
  int ready[2];
  ASSERT_EQ(::pipe(ready), 0);
  const pid_t child = ::fork();
  if (child == 0) {
    const auto held = Claim::take(path);
    const char word = held ? 'y' : 'n';
    if (::write(ready[1], &word, 1) != 1) ::_exit(1);
    for (;;) ::pause();
  }
  char word = 0;
  ASSERT_EQ(::read(ready[0], &word, 1), 1);
  ASSERT_EQ(word, 'y');
  EXPECT_FALSE(Claim::take(path));
  ::kill(child, SIGKILL);
  ::waitpid(child, nullptr, 0);
  EXPECT_TRUE(std::filesystem::exists(path));  // nobody was left to remove it
  EXPECT_TRUE(Claim::take(path));
}

}  // namespace
}  // namespace pecann::reproduce
