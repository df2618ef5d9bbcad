#include "pecann/train/run_folder.h"

#include <filesystem>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include "pecann/base/input_error.h"
#include "pecann/train/test_support.h"

namespace pecann::train {
namespace {

namespace fs = std::filesystem;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using testing::TemporaryFolder;

template <class Work>
std::string refusal(const Work& work) {
  try {
    work();
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

TEST(RunFolderTest, AFolderThatHoldsSomethingIsNeverTaken) {
  const TemporaryFolder folder;
  const std::string wanted = folder / "deep/run";
  EXPECT_EQ(RunFolder::create(wanted, "poisson").path(), wanted);
  EXPECT_EQ(RunFolder::create(wanted, "poisson").path(), wanted) << "it is still empty";
  testing::fill(wanted + "/notes", "");
  EXPECT_THAT(refusal([&] { RunFolder::create(wanted, "poisson"); }),
              ::testing::AllOf(HasSubstr("--out = " + wanted), HasSubstr("never overwritten"),
                               HasSubstr("`pecann resume " + wanted + "`")));
  EXPECT_THAT(refusal([&] { RunFolder::create(wanted, "", {.key = "folder", .go_on = "set resume"}); }),
              ::testing::AllOf(HasSubstr("folder = " + wanted), HasSubstr("name another folder, or set resume")));
}

TEST(RunFolderTest, OnlyTheFolderOfARunIsOpened) {
  const TemporaryFolder folder;
  EXPECT_THAT(refusal([&] { RunFolder::open(folder / "nothing"); }), HasSubstr("there is no such folder"));
  EXPECT_THAT(refusal([&] { RunFolder::open(folder.path()); }), HasSubstr("holds no problem.toml"));
  RunFolder(folder / "run").write_problem("title = \"a\"");
  EXPECT_EQ(RunFolder::open(folder / "run").read_problem(), "title = \"a\"");
}

TEST(RunFolderTest, TrialsThatHaveBegunInTheOrderOfTheirNumbers) {
  const TemporaryFolder folder;
  const RunFolder run(folder.path());
  for (const int trial : {10, 9, 1}) run.trial(trial).create();
  testing::fill(run.trial(10).checkpoint_file(), "x");
  testing::fill(run.trial(9).previous_checkpoint_file(), "x");
  for (const char* other : {"trial-", "trial-x", "trial-3x", "trial-0", "trial--4", "old-trial-5"}) {
    const TrialFolder stranger(folder / other);
    stranger.create();
    testing::fill(stranger.checkpoint_file(), "x");
  }
  EXPECT_THAT(run.trials(), ElementsAre(9, 10)) << "trial 1 has no checkpoint yet";
}

TEST(RunFolderTest, ALockedFolderIsRefusedNamingTheProcess) {
  const TemporaryFolder folder;
  const RunFolder run(folder.path());
  {
    const FileLock lock = run.lock();
    EXPECT_THAT(refusal([&] { run.lock(); }),
                HasSubstr(folder.path() + ": is in use by process " + std::to_string(::getpid())));
  }
  run.lock();
  EXPECT_THAT(refusal([&] { RunFolder(folder / "nothing").lock(); }),
              HasSubstr("nothing: cannot be written: No such file or directory"));
}

}  // namespace
}  // namespace pecann::train
