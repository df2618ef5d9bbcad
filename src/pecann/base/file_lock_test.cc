#include "pecann/base/file_lock.h"

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <system_error>

#include "support/temporary_folder.h"

namespace pecann {
namespace {

std::optional<FileLock> take(const std::string& path) { return FileLock::take(path, FileLock::AtEnd::RemoveFile); }

TEST(FileLockTest, OneHolderAtATimeAndNoFileLeft) {
  const test::TemporaryFolder folder;
  const std::string path = folder / "unit.lock";
  {
    const auto first = take(path);
    ASSERT_TRUE(first);
    EXPECT_FALSE(take(path));
    EXPECT_TRUE(std::filesystem::exists(path));
  }
  EXPECT_FALSE(std::filesystem::exists(path));
  EXPECT_TRUE(take(path));
}

TEST(FileLockTest, AFileThatIsKeptNamesItsHolder) {
  const test::TemporaryFolder folder;
  const std::string path = folder / "lock";
  {
    const auto held = FileLock::take(path, FileLock::AtEnd::KeepFile);
    ASSERT_TRUE(held);
    EXPECT_EQ(FileLock::holder(path), std::to_string(::getpid()));
  }
  EXPECT_TRUE(std::filesystem::exists(path));
  EXPECT_TRUE(take(path));
}

TEST(FileLockTest, AHolderIsANumberOrNobody) {
  const test::TemporaryFolder folder;
  const std::string path = folder / "lock";
  for (const char* const text : {"12 \x1b[2J", "\x1b]0;title\x07", "-1", "twelve"}) {
    std::ofstream(path) << text;
    EXPECT_EQ(FileLock::holder(path), "") << text;
  }
  std::ofstream(path) << ::getppid();
  EXPECT_EQ(FileLock::holder(path), std::to_string(::getppid()));
  std::ofstream(path) << 999999999;  // more than Linux counts to: one that has ended
  EXPECT_EQ(FileLock::holder(path), "");
}

TEST(FileLockTest, WhoRemovesAFileThatIsKeptLetsNobodyIn) {
  const test::TemporaryFolder folder;
  const std::string path = folder / "lock";
  {
    const auto held = FileLock::take(path, FileLock::AtEnd::KeepFile);
    ASSERT_TRUE(held);
    std::filesystem::remove(path);
    EXPECT_FALSE(FileLock::take(path, FileLock::AtEnd::KeepFile));
  }
  EXPECT_TRUE(FileLock::take(path, FileLock::AtEnd::KeepFile));
}

TEST(FileLockTest, AFileThatCannotBeMadeIsSaid) {
  const test::TemporaryFolder folder;
  EXPECT_THROW(take(folder / "nowhere/lock"), std::system_error);
}

TEST(FileLockTest, AKilledHolderLetsGo) {
  const test::TemporaryFolder folder;
  const std::string path = folder / "unit.lock";
  int ready[2];
  ASSERT_EQ(::pipe(ready), 0);
  const pid_t child = ::fork();
  if (child == 0) {
    const auto held = take(path);
    const char word = held ? 'y' : 'n';
    if (::write(ready[1], &word, 1) != 1) ::_exit(1);
    for (;;) ::pause();
  }
  char word = 0;
  ASSERT_EQ(::read(ready[0], &word, 1), 1);
  ASSERT_EQ(word, 'y');
  EXPECT_FALSE(take(path));
  ::kill(child, SIGKILL);
  ::waitpid(child, nullptr, 0);
  EXPECT_TRUE(std::filesystem::exists(path));  // nobody was left to remove it
  EXPECT_TRUE(take(path));
}

TEST(FileLockTest, AFileOfTwoNamesIsLeftToTheOther) {
  const test::TemporaryFolder folder;
  std::ofstream(folder / "other") << "of the user";
  std::filesystem::create_hard_link(folder / "other", folder / "lock");
  const auto held = FileLock::take(folder / "lock", FileLock::AtEnd::KeepFile);
  ASSERT_TRUE(held);
  EXPECT_EQ(FileLock::holder(folder / "lock"), std::to_string(::getpid()));
  std::string text;
  std::getline(std::ifstream(folder / "other"), text);
  EXPECT_EQ(text, "of the user");
}

}  // namespace
}  // namespace pecann
